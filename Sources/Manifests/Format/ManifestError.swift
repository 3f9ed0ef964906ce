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
    case unusedOption(path: String, reason: String, columns: [String], tables: [String] = [])
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
    case badHeader(path: String, line: Int, text: String)
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

extension ManifestError: CustomStringConvertible {
    /// How many problems or names are listed in words.
    private static let listed = 20

    /// The file, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .notFound(let path): "\(path): there is no such file or folder; check the path"
        case .isFolder(let path):
            "\(path): is a folder; expected a manifest (CSV, TSV or JSON Lines), which 'veery crawl' makes from a folder"
        case .notRegularFile(let path, let kind):
            "\(path): is \(kind); a manifest is read twice, so it has to be a regular file, or '-' for standard input"
        case .notReplaceable(let path): "\(path): could not replace it: not a regular file"
        case .systemError(let path, let operation, let code):
            "\(path): could not \(operation): \(SystemError(code: code))"
        case .badCompression(let path, let reason): "\(path): cannot be unpacked: \(reason)"
        case .empty(let path):
            "\(path): is empty; expected a manifest with a column 'path' and a row for every clip"
        case .unknownFormat(let path, true) where RecordingName.isRecording(path):
            Self.otherContent(path: path, found: .recording, StoredText(path: path)).description
        case .unknownFormat(let path, let isFile):
            "\(path): cannot tell the format by \(isFile ? "the extension (csv, tsv, jsonl) or " : "")the first line: expected names "
                + "of columns between commas, semicolons or tabs, one of them 'path', or a JSON object; if it is one of these, give "
                + "--format csv, tsv or jsonl"
        case .fixedQuoting(let path, let quoting, let format):
            "\(path): --quoting \(quoting.rawValue) is for TSV; this manifest is \(format == .jsonLines ? "JSON Lines" : "CSV")"
        case .noClips(let path): "\(path): holds no clips"
        case .noRecordings(let path, let account):
            "\(path): expected recordings (\(RecordingName.extensions.sorted().joined(separator: ", "))), found "
                + account.filesWithoutRecording
        case .notInFormat(let path, let format, let expected): "\(path): is not \(format): expected \(expected)"
        case .missingColumn(let path, let name, let format, let columns):
            "\(path): there is no column \(quoted(name)), which \(format) has; the columns are: "
                + columns.map(quoted).joined(separator: ", ")
        case .noSuchColumn(let path, let name, let columns):
            "\(path): there is no column \(quoted(name)); "
                + (columns.isEmpty
                    ? "beside those with a meaning it has none"
                    : "the columns are: " + columns.map(quoted).joined(separator: ", "))
        case .missingMappedColumn(let path, let name, let to, let columns, let tables):
            "\(path): there is no column \(quoted(name)) to read as '\(to)'" + Self.list(columns: columns, tables)
        case .unusedOption(let path, let reason, let columns, let tables):
            "\(path): \(reason)" + Self.list(columns: columns, tables)
        case .noRows(let path):
            "\(path): has a header and no rows; expected a row for every clip"
        case .otherContent(let path, let found, let text):
            "\(path): is \(found.name); expected a manifest (CSV, TSV or JSON Lines) in UTF-8: \(found.advice(text))"
        case .foreignAnnotations(let path, let format):
            "\(path): expected a manifest (CSV, TSV or JSON Lines), found \(format.sentence(path: path))"
        case .unreadTable(let path, let table): "\(path): \(table.text)"
        case .otherDelimiter(let path, let found, let format):
            "\(path): its columns are separated by \(found.name); expected "
                + (format == .tsv ? "tabs in a TSV" : "commas in a CSV") + ": \(found.advice)"
        case .badHeader(let path, let line, let text): "\(path), line \(line): the header cannot be read: \(text)"
        case .missingPathColumn(let path, let columns, let suggestion):
            Self.describeMissingPath(path, columns, suggestion)
        case .duplicateColumn(let path, let name):
            "\(path): there are two columns named \(quoted(name)); rename or remove one"
        case .unnamedColumn(let path, let position):
            "\(path): column \(position) has no name; name it or remove it (pandas: to_csv(…, index=False))"
        case .tooManyColumns(let path, let limit):
            "\(path): has more than \(limit) columns of its own; every name of a column counts once, so a JSON object"
                + " must not use data as names"
        case .invalidRows(let path, let problems, let total):
            Self.list(
                "\(path): \(total) \(total == 1 ? "problem" : "problems"); nothing was done:",
                problems.map(\.description), total: total)
        case .invalidTable(let path, let problems, let total):
            Self.list(
                "\(path): \(total) \(total == 1 ? "problem" : "problems"); nothing was done: correct the table, or read the folder "
                    + "without it by --format folder (of crawl: --dataset folder):",
                problems.map(\.description), total: total)
        case .severalGroups(let path, let clip, let column, let groups):
            "\(path): the clip \(quoted(clip)) has several values in the column \(quoted(column)), which would be groups: "
                + groups.map(quoted).joined(separator: ", ") + "; group by a column with one value for each clip"
        case .changedWhileReading(let path, let detail):
            "\(path): changed while it was read (\(detail)); leave it alone and start again"
        case .notFolder(let path):
            "\(path): is not a folder; expected a folder with recordings, or an archive (.tar, .tar.gz, .tar.zst, .zip)"
        case .badArchive(let path, let reason): "\(path): cannot be read as an archive: \(reason)"
        case .badPattern(let pattern, let reason):
            "the pattern \(quoted(pattern)) cannot be used: \(reason); expected a regular expression with a named"
                + " group, such as '^(?<label>[^/]+)/'"
        case .patternDoesNotMatch(let pattern, let paths, let total):
            Self.list(
                "the pattern \(quoted(pattern)) does not match \(total) \(total == 1 ? "file" : "files"); extend it:",
                paths.map(quoted), total: total)
        case .duplicateIdentifier(let pattern, let id, let paths):
            "the pattern \(quoted(pattern)) gives the id \(quoted(id)) to more than one file: "
                + paths.map(quoted).joined(separator: ", ") + "; ids have to be unique"
        case .outputExists(let path): "\(path): exists already; give --overwrite to replace it, or another name"
        case .unwritableColumn(let name):
            "the column \(quoted(name)) cannot be written to the manifest's header: it holds a tab or a line end; write JSON"
                + " Lines, or rename it"
        case .unwritableClip(let index, let reason): "clip \(index) cannot be written to a manifest: \(reason)"
        }
    }

    /// The columns that there are, and the tables of a folder that are not read.
    private static func list(columns: [String], _ tables: [String]) -> String {
        "; the columns are: " + columns.map(quoted).joined(separator: ", ")
            + (tables.isEmpty
                ? ""
                : "; the folder is read without a table: to use one, give it in place of the folder: "
                    + tables.joined(separator: ", "))
    }

    private static func describeMissingPath(_ path: String, _ columns: [String], _ suggestion: String?) -> String {
        let found = columns.map(quoted).joined(separator: ", ")
        let text = "\(path): there is no column 'path'; the columns are: \(found)"
        if columns.contains("\"path\"") { return text + "; they stand in quotation marks: give --quoting csv" }
        if let suggestion {
            return text + "; rename \(quoted(suggestion)) to 'path', or give \(ShellText.column("path", suggestion))"
        }
        if columns.count == 1, ColumnNames.isOfSeveral(columns[0]) {
            return text + "; names of columns are separated by commas, semicolons or tabs"
        }
        return text + "; rename that of the recordings to 'path', or give --column path=NAME"
    }

    private static func list(_ heading: String, _ lines: [String], total: Int) -> String {
        let shown = lines.prefix(listed)
        let rest = total > shown.count ? ["… and \(total - shown.count) more"] : []
        return ([heading] + shown + rest).joined(separator: "\n  ")
    }
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
    package let text: String

    /// Keeps the values.
    package init(file: String = "", line: Int, text: String) { (self.file, self.line, self.text) = (file, line, text) }

    /// The problem with its origin.
    var description: String {
        let line = line > 0 ? "line \(line)" : ""
        return [file, line].filter { !$0.isEmpty }.joined(separator: ", ") + ": " + text
    }
}

/// The problems of a manifest: the first ones in full, the rest as a number, so that ten million bad rows do not fill the
/// memory.
struct ProblemList {
    static let limit = 1000

    private(set) var kept: [RowProblem] = []
    private(set) var total = 0

    /// Where rows come from; nil: their lines are the manifest's.
    var origins: RowOrigins?

    /// Adds the problem of a row of the manifest.
    mutating func add(_ text: @autoclosure () -> String, line: Int) {
        let (file, line) = origins?.origin(row: line) ?? ("", line)
        add(text(), line: line, file: file)
    }

    mutating func add(_ text: @autoclosure () -> String, line: Int, file: String) {
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
