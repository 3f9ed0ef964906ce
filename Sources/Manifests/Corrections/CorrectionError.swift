import FeatureModel
import FileIO

/// Why corrections cannot be read, applied or written.
package enum CorrectionError: Error, Hashable, Sendable {
    case notFound(path: String)
    /// A folder, a pipe or the like was given.
    case notRegularFile(path: String)
    /// The system refused an operation; `operation` is a verb ("open", "read").
    case system(path: String, operation: String, SystemError)
    /// The file is no CSV in UTF-8, by its first bytes; `found` says what it is.
    case notCSV(path: String, found: String)
    /// The file has no header.
    case noHeader(path: String)
    /// The header cannot be read as one of a table.
    case badTable(ManifestError)
    /// The header has a column that no file of corrections has; `nearest` is the one that was probably meant.
    case unknownColumn(path: String, name: String, nearest: String?)
    /// The header lacks a column.
    case missingColumn(path: String, name: String)
    /// Lines are wrong: the first problems, in the order of their lines, and their total number.
    case badLines(path: String, problems: [RowProblem], total: Int)
    /// The manifest has no clips of these ids: the first ones, each with the line that names it, and their total number.
    case unknownClips(path: String, manifest: String, clips: [NamedClip], total: Int)
    /// Clips of the manifest are not what was corrected: the first ones, and their total number.
    case otherClips(path: String, manifest: String, clips: [ChangedClip], total: Int)
    /// All clips of the manifest are left out.
    case everythingExcluded(path: String, manifest: String)
    /// A file that another program has made cannot be continued: its columns are not those of the program, or not between commas.
    case otherForm(path: String)
    /// A value cannot be written in one line.
    case unwritable(id: String)

    /// A clip, and the number of the line that says the last of it.
    package struct NamedClip: Hashable, Sendable {
        package let id: String
        package let line: Int

        package init(id: String, line: Int) { (self.id, self.line) = (id, line) }
    }

    /// A clip that is not what was corrected.
    package struct ChangedClip: Hashable, Sendable {
        package let clip: NamedClip
        package let difference: CorrectedPart.Difference

        package init(_ clip: NamedClip, _ difference: CorrectedPart.Difference) {
            (self.clip, self.difference) = (clip, difference)
        }
    }

    /// How many clips an error names.
    package static let named = 5
}

extension CorrectionError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .system(_, _, let error): error.isFault
        case .badTable(let error): error.isSystemFault
        default: false
        }
    }
}
