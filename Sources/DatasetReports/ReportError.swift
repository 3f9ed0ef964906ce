import FeatureModel
import FileIO
import Plotting

package enum ReportError: Error, Hashable, Sendable {
    /// A file of that name is not a page that veery wrote.
    case foreignFile(path: String)
    /// The folder contains files that veery did not write.
    case foreignFolder(path: String, found: String)
    case file(path: String, operation: String, error: SystemError)
    case unwritten(path: String, PlotError)
    /// A template of the page cannot be read, which a test rules out.
    case template(name: String, reason: String)
}

extension ReportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreignFile(let path):
            "\(path): the file exists and is not a page that veery wrote, so it is not replaced: choose another name"
        case .foreignFolder(let path, let found):
            "\(path): expected a new or empty folder, or one that veery wrote figures to, found '\(found)' in it: "
                + "choose another folder"
        case .file(let path, let operation, let error), .unwritten(_, .file(let path, let operation, let error)):
            "\(path): \(error) while \(operation)"
        case .unwritten(_, .notRegular(let path)): "\(path): not a regular file while replacing it"
        case .unwritten(let path, let error): "\(path): \(error) while writing it"
        case .template(let name, let reason): "the page's template '\(name)' cannot be read: \(reason)"
        }
    }
}

extension ReportError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .file(_, _, let error): error.isFault
        case .unwritten(_, let error): error.isSystemFault
        case .foreignFile, .foreignFolder, .template: false
        }
    }
}
