import DatasetExtraction
import Presentation

extension RateDisagreement: CustomStringConvertible {
    /// What is wrong, and what to do, as one sentence.
    package var description: String {
        "audio.sample_rate is null, so the first recording sets the rate, \(rate) Hz, and \(others) of \(Wording.count(opened)) others that were looked at "
            + "have another one: such clips fail. \(isUpdate ? "A new file with" : "--set") \(Self.remedy(usual))"
    }

    /// What one rate for all does, and when it is not needed.
    ///
    /// - Parameter usual: The most frequent rate, in Hz.
    static func remedy(_ usual: Int) -> String {
        "audio.sample_rate=\(usual) resamples all to the most frequent rate; a model's preset brings recordings to its own rate without it"
    }
}
