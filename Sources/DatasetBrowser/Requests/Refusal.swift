import FeatureModel
import FeatureStorage
import Manifests
import PageRequests

/// Why a request is not answered: a status, and a sentence for the person who looks at the page.
struct Refusal: Error {
    let status: PageStatus
    let sentence: String

    init(_ status: PageStatus, _ sentence: String) { (self.status, self.sentence) = (status, sentence) }

    /// Of what was thrown while a recording was read.
    init(reading error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let failure as ClipFailure: self.init(.notFound, "The recording cannot be read: \(failure.reason).")
        default: self.init(.internalError, "\(error)")
        }
    }
}
