import FeatureModel
import FileIO
import Platform

/// Why a manifest cannot be read, made or written.
package enum ManifestError: Error, Hashable, Sendable {
    case notFound(path: String)
    /// A folder was given where a manifest is expected.
    case isFolder(path: String)
    /// A device, a pipe or the like was given; `kind` says which.
    case notRegularFile(path: String, kind: String)
    /// The system refused an operation; `operation` is a verb ("open", "read").
    case systemError(path: String, operation: String, Int32)
    /// The file is compressed by gzip and cannot be unpacked.
    case badCompression(path: String, reason: String)
    /// The file has only blank lines.
    case empty(path: String)
    /// Neither names nor content show the format.
    case unknownFormat(path: String, isFile: Bool)
    /// Quotation marks have one meaning only in this format.
    case fixedQuoting(path: String, ManifestFormat.Quoting, ManifestFormat)
    /// A dataset has no clips.
    case noClips(path: String)
    /// A folder has no recordings.
    case noRecordings(path: String, Account)
    /// A dataset is not in the format that was asked for.
    case notInFormat(path: String, format: String, expected: String)
    /// A table lacks a column that its format has.
    case missingColumn(path: String, name: String, format: String, columns: [String])
    /// A manifest lacks a column that was asked for.
    case noSuchColumn(path: String, name: String, columns: [String])
    /// There is no column that is to be read as another; `tables`: those of a folder that are not read, between quotation marks.
    case missingMappedColumn(path: String, name: String, to: String, columns: [String], tables: [String] = [])
    /// An option is for nothing that the dataset has.
    case unusedOption(path: String, reason: Note, columns: [String], tables: [String] = [])
    /// The file has a header and no rows.
    case noRows(path: String)
    /// The file's first bytes are not those of a manifest in UTF-8.
    case otherContent(path: String, found: ForeignContent, StoredText)
    /// The file is of annotations in a format without a reader.
    case foreignAnnotations(path: String, ForeignAnnotations)
    /// The table's form is known, and not read.
    case unreadTable(path: String, UnreadTable)
    /// The header's delimiter is not that of its format.
    case otherDelimiter(path: String, found: HeaderDelimiter, format: ManifestFormat)
    /// The header cannot be read.
    case badHeader(path: String, line: Int, text: Note)
    /// There is no column `path`; `suggestion` is the column that was probably meant.
    case missingPathColumn(path: String, columns: [String], suggestion: String?)
    case duplicateColumn(path: String, name: String)
    /// A column has no name; columns are counted from 1.
    case unnamedColumn(path: String, position: Int)
    case tooManyColumns(path: String, limit: Int)
    /// Rows are wrong: the first problems, in the order of their lines, and their total number.
    case invalidRows(path: String, problems: [RowProblem], total: Int)
    /// The same of a folder, of which a table is read.
    case invalidTable(path: String, problems: [RowProblem], total: Int)
    /// A clip has several values in the column that groups are by.
    case severalGroups(path: String, clip: String, column: String, groups: [String])
    /// The file has changed since the first reading.
    case changedWhileReading(path: String, detail: String)
    /// An archive that the crawler was given cannot be read.
    case badArchive(path: String, reason: String)
    /// The crawler was given something other than a folder or an archive.
    case notFolder(path: String)
    /// The pattern for labels is not a regular expression, or lacks the group `label`.
    case badPattern(pattern: String, reason: String)
    /// Files whose path the pattern for labels does not match: the first ones, and their total number.
    case patternDoesNotMatch(pattern: String, paths: [String], total: Int)
    /// The pattern gives the same id to two files.
    case duplicateIdentifier(pattern: String, id: String, paths: [String])
    /// The manifest to be written exists.
    case outputExists(path: String)
    /// What is to be replaced is not a regular file.
    case notReplaceable(path: String)
    /// A column's name cannot be written in the header.
    case unwritableColumn(name: String)
    /// A clip cannot be written as a row.
    case unwritableClip(index: Int, reason: String)
}

/// A name in quotation marks for a message: control characters escaped, at most 120 characters.
package func quoted(_ text: String) -> String {
    let limit = 120
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
        let isControl = scalar.properties.generalCategory == .control
        shown += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(shown)\(text.unicodeScalars.count > limit ? "…" : "")'"
}

/// What is wrong with a row of a manifest.
package struct RowProblem: Hashable, Sendable {
    /// The file of a dataset; empty: the manifest itself.
    package var file = ""
    /// The first line of the row, counted from 1; 0: none.
    package let line: Int
    package let text: Note

    /// Keeps the values.
    package init(file: String = "", line: Int, text: Note) { (self.file, self.line, self.text) = (file, line, text) }
}

/// The problems of a manifest: the first ones in full, the rest as a number, so that ten million bad rows do not exhaust
/// the memory.
struct ProblemList {
    static let limit = 1000

    private(set) var kept: [RowProblem] = []
    private(set) var total = 0

    /// Where rows come from; nil: their lines are the manifest's.
    var origins: RowOrigins?

    /// Adds the problem of a row of the manifest.
    mutating func add(_ text: @autoclosure () -> Note, line: Int) {
        let (file, line) = origins?.origin(row: line) ?? ("", line)
        add(text(), line: line, file: file)
    }

    mutating func add(_ text: @autoclosure () -> Note, line: Int, file: String) {
        total += 1
        if kept.count < Self.limit { kept.append(RowProblem(file: file, line: line, text: text())) }
    }

    /// Counts problems that are not described.
    mutating func count(_ number: Int) { total += number }

    var sorted: [RowProblem] { kept.sorted { ($0.file, $0.line) < ($1.file, $1.line) } }
}

extension ManifestError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .systemError(_, _, let code) = self else { return false }
        return SystemError(code: code).isFault
    }
}
