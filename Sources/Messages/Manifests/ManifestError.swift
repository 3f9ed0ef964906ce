import FeatureModel
import FileIO
import Manifests

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
        case .unknownFormat(let path, let isFile):
            "\(path): cannot tell the format by \(isFile ? "the extension (csv, tsv, jsonl) or " : "")the first line: expected names "
                + "of columns between commas, semicolons or tabs, one of them 'path', or a JSON object; if it is one of these, give "
                + "--format csv, tsv or jsonl"
        case .fixedQuoting(let path, let quoting, let format):
            "\(path): --quoting \(quoting.rawValue) is for TSV; this manifest is \(format == .jsonLines ? "JSON Lines" : "CSV")"
        case .noClips(let path): "\(path): holds no clips"
        case .noRecordings(let path, let account):
            "\(path): expected recordings (\(RecordingName.extensions.sorted().joined(separator: ", "))), found "
                + account.inWords.filesWithoutRecording
        case .notInFormat(let path, let format, let expected): "\(path): is not \(format): expected \(expected)"
        case .missingColumn(let path, let name, let format, let columns):
            "\(path): there is no column \(quoted(name)), which \(format) has; the columns are: "
                + columns.map(quoted).joined(separator: ", ")
        case .noSuchColumn(let path, let name, let columns):
            "\(path): there is no column \(quoted(name)); "
                + (columns.isEmpty
                    ? "it has no columns other than those with a meaning"
                    : "the columns are: " + columns.map(quoted).joined(separator: ", "))
                + Self.waysTo(column: name)
        case .missingMappedColumn(let path, let name, let to, let columns, let tables):
            "\(path): there is no column \(quoted(name)) to read as '\(to)'" + Self.list(columns: columns, tables)
        case .unusedOption(let path, let reason, let columns, let tables):
            "\(path): \(reason)" + Self.list(columns: columns, tables)
        case .noRows(let path):
            "\(path): has a header and no rows; expected a row for every clip"
        case .otherContent(let path, let found, let text):
            "\(path): is \(found.name); expected a manifest (CSV, TSV or JSON Lines) in UTF-8: \(found.advice(text))"
        case .foreignAnnotations(let path, let format) where format.isRead:
            "\(path): expected a manifest (CSV, TSV or JSON Lines), found \(format.name), which is annotations: "
                + "make clips of it by veery clips RECORDINGS --annotations \(ShellText.word(path)) -o clips.csv, or label frames with "
                + "--frame-labels \(ShellText.word(path))"
        case .foreignAnnotations(let path, let format):
            "\(path): expected a manifest (CSV, TSV or JSON Lines), found \(format.sentence(path: path))"
        case .unreadTable(let path, let table): "\(path): \(table.text)"
        case .otherDelimiter(let path, let found, let format):
            "\(path): its columns are separated by \(found.name); expected "
                + (format == .tsv ? "tabs in a TSV" : "commas in a CSV") + ": "
                + (found.format.map { "give --format \($0.rawValue), or name the file .\($0.rawValue)" }
                    ?? "export it with commas, or as TSV")
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

    /// How a table comes to have a column that groups its clips.
    private static func waysTo(column name: String) -> String {
        let isWord = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 < 128 && ($0 | 32) >= 97 && ($0 | 32) <= 122 }
        return "; add it to the table, read it from the paths (veery crawl FOLDER -o m.csv --label-from "
            + "'^(?<\(isWord && !name.isEmpty ? name : "site")>[^/]+)/(?<label>[^/]+)/'), or group by recording, folder or another column"
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
        if columns.contains("\"path\"") { return text + "; they are in quotation marks: give --quoting csv" }
        if let suggestion {
            return text
                + "; rename \(quoted(suggestion)) to 'path', or give \(Note.Setting.column(as: "path").option(suggestion))"
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

extension RowProblem: CustomStringConvertible {
    /// The problem with its origin.
    package var description: String {
        let line = line > 0 ? "line \(line)" : ""
        return [file, line].filter { !$0.isEmpty }.joined(separator: ", ") + ": " + "\(text)"
    }
}

extension MissingRecordings {
    /// What it is, and what to do.
    package var advice: String {
        switch self {
        case .withoutExtension(let name, let ending): "\(quoted(name)) exists: give --extension \(ending)"
        case .inShards(let command):
            "the column shard_id says that they are in tar archives, as NeMo writes them: name them as ARCHIVE::member"
                + (command.map { ", \($0)" } ?? "")
        case .archiveAsRoot(let root):
            "\(quoted(root)) is an archive, not a folder: name recordings in the table as '\(root)::MEMBER' "
                + "(veery crawl \(ShellText.word(root)) -o members.csv lists them)"
        case .remote(let column?):
            "the column \(quoted(column)) names recordings: give \(Note.Setting.column(as: "path").option(column))"
        case .remote(nil): "it is an address of the network: fetch the recordings, and name their files in the table"
        case .absolute:
            "it is an absolute path, which starts from no folder: correct the paths in the table, or mount the disk that they are on"
        }
    }
}
