import FeatureModel
import FileIO
import Foundation

/// A file that marks parts of recordings: Raven's selection tables, Audacity's labels, or a manifest.
package struct AnnotationTable: Sendable {
    package enum Kind: String, Sendable {
        /// Raven: a table with the columns `Begin Time (s)` and `End Time (s)`.
        case raven = "Raven selection table"
        /// Audacity: lines of start, end and label.
        case audacity = "Audacity labels"
        /// A manifest: rows with `path`, and `start` and `end` or `duration`.
        case manifest
    }

    struct Row: Hashable, Sendable {
        /// The recording's name in the file; nil: none.
        let recording: String?
        let annotation: Annotation
    }

    package let path: String
    package let kind: Kind
    /// Number of a manifest's rows without times, which mark nothing.
    package let rowsWithoutTimes: Int
    private let rows: [Row]

    /// Maximum length of a table in bytes.
    package static let maximumBytes = 1 << 28

    /// Reads a file; its content determines its kind.
    ///
    /// - Parameter quoting: The meaning of quotation marks in fields between tabs; a CSV is always quoted.
    /// - Throws: `AnnotationError`, or `ManifestError` of a manifest.
    package init(path: String, quoting: ManifestFormat.Quoting = .literal) throws {
        self.path = path
        if let format = ManifestFormat(path: path), format == .jsonLines || Self.firstLine(path).hasPathColumn(format) {
            let format = format.quoted(by: quoting) ?? format
            kind = .manifest
            (rows, rowsWithoutTimes) = try ManifestAnnotations.read(path: path, format: format)
            return
        }
        rowsWithoutTimes = 0
        let lines = try Self.lines(path, quoting)
        if let header = lines.first(where: { !$0.text.isEmpty }), RavenTable.isHeader(header.fields) {
            kind = .raven
            rows = try RavenTable.read(lines, path: path)
        } else {
            kind = .audacity
            rows = try AudacityLabels.read(lines, path: path)
        }
    }

    /// Number of rows with times, of all recordings.
    package var count: Int { rows.count }

    /// The annotations of a recording, in the file's order.
    ///
    /// A row belongs to it if it names no recording, or one of the same path, relative to the table's folder or as given; if
    /// there are none, rows with a recording of the same file name do.
    ///
    /// - Throws: `AnnotationError.otherRecordings` where all rows name other recordings.
    package func annotations(of recording: String) throws(AnnotationError) -> [Annotation] {
        guard rows.contains(where: { $0.recording != nil }) else { return rows.map(\.annotation) }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let wanted = Self.location(recording, in: nil)
        let exact = rows.filter { row in
            guard let name = row.recording else { return true }
            return name.utf8.elementsEqual(recording.utf8) || Self.location(name, in: folder) == wanted
                || Self.location(name, in: nil) == wanted
        }
        if !exact.isEmpty { return exact.map(\.annotation) }
        let name = URL(filePath: recording).lastPathComponent
        let alike = rows.filter { row in
            row.recording.map { URL(filePath: Self.slashed($0)).lastPathComponent == name } ?? true
        }
        guard alike.isEmpty else { return alike.map(\.annotation) }
        let others = Set(rows.compactMap(\.recording)).sorted()
        throw .otherRecordings(path: path, recording: name, found: Array(others.prefix(3)), total: others.count)
    }

    /// An absolute path, without following links.
    private static func location(_ path: String, in folder: URL?) -> String {
        URL(filePath: slashed(path), relativeTo: folder).absoluteURL.standardizedFileURL.path
    }

    /// Raven under Windows writes backslashes.
    private static func slashed(_ path: String) -> String { path.replacing("\\", with: "/") }

    private static func lines(
        _ path: String, _ quoting: ManifestFormat.Quoting
    ) throws(AnnotationError) -> [AnnotationLine] {
        let bytes = try content(path, upTo: maximumBytes + 1)
        guard bytes.count <= maximumBytes else {
            throw .unreadable(path: path, reason: "it is longer than \(maximumBytes) bytes; is it a table?")
        }
        guard var text = String(data: bytes, encoding: .utf8) else {
            throw .unreadable(path: path, reason: "it is not valid UTF-8; save it as UTF-8")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        // A label may contain other line ends of Unicode, such as U+2028.
        let isLineEnd: (Character) -> Bool = { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        var lines: [AnnotationLine] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd).enumerated() {
            guard let line = AnnotationLine(number: index + 1, text: String(line), quoting: quoting) else {
                throw .badLine(
                    path: path, line: index + 1,
                    text: "expected fields between tabs, quoted as in CSV and each on one line, found"
                        + " \(quoted(String(line.prefix(60))))")
            }
            lines.append(line)
        }
        return lines
    }

    private static func firstLine(_ path: String) -> String {
        let bytes = (try? content(path, upTo: 1 << 16)) ?? Data()
        return String(decoding: bytes.prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn }, as: UTF8.self)
    }

    private static func content(_ path: String, upTo limit: Int) throws(AnnotationError) -> Data {
        guard let status = FileStatus(path: path) else {
            throw .unreadable(path: path, reason: "there is no such file; check the path")
        }
        guard !status.isFolder else { throw .unreadable(path: path, reason: "it is a folder; expected a table") }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            return try file.read(upToCount: limit) ?? Data()
        } catch {
            let system = SystemError.last
            throw .unreadable(path: path, reason: "it cannot be read: \(system)", isSystemFault: system.isFault)
        }
    }
}

struct AnnotationLine: Hashable, Sendable {
    /// Its number, from 1.
    let number: Int
    /// Its text without the line end.
    let text: String

    let fields: [String]

    /// Splits a line; nil where quotation is invalid.
    init?(number: Int, text: String, quoting: ManifestFormat.Quoting) {
        self.number = number
        self.text = text
        if quoting == .literal || !text.utf8.contains(Byte.quote) {
            fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        } else {
            guard let fields = Self.quotedFields(text) else { return nil }
            self.fields = fields
        }
    }

    private static func quotedFields(_ text: String) -> [String]? {
        var fields: [String] = []
        var rest = Array(text.utf8)[...]
        while true {
            var field: [UInt8] = []
            if rest.first == Byte.quote {
                rest.removeFirst()
                while true {
                    guard let quote = rest.firstIndex(of: Byte.quote) else { return nil }
                    field += rest[..<quote]
                    rest = rest[(quote + 1)...]
                    guard rest.first == Byte.quote else { break }
                    field.append(Byte.quote)
                    rest.removeFirst()
                }
            } else {
                field += rest.prefix { $0 != Byte.tab }
                guard !field.contains(Byte.quote) else { return nil }
                rest = rest.dropFirst(field.count)
            }
            fields.append(String(decoding: field, as: UTF8.self))
            guard let byte = rest.popFirst() else { return fields }
            guard byte == Byte.tab else { return nil }
        }
    }
}

extension String {
    /// Whether this first line of a table names a column `path`.
    fileprivate func hasPathColumn(_ format: ManifestFormat) -> Bool {
        let delimiter: Character = format == .csv ? "," : "\t"
        return split(separator: delimiter).contains { $0.trimmingCharacters(in: ["\u{FEFF}", "\"", " "]) == "path" }
    }
}

package enum AnnotationError: Error, Hashable, Sendable {
    /// The file cannot be read, for a reason such as "it is a folder".
    case unreadable(path: String, reason: String, isSystemFault: Bool = false)
    case unknownTable(path: String, line: Int, found: String)
    case missingColumn(path: String, name: String, columns: [String])
    case badLine(path: String, line: Int, text: String)
    /// All rows name other recordings; the first few are listed.
    case otherRecordings(path: String, recording: String, found: [String], total: Int)
}

extension AnnotationError: CustomStringConvertible {
    /// The file, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason, _): "\(path): \(reason)"
        case .unknownTable(let path, let line, let found):
            "\(path), line \(line): expected annotations (a Raven selection table, Audacity labels, or a manifest with a"
                + " column 'path'), found \(quoted(found))"
        case .missingColumn(let path, let name, let columns):
            "\(path): the Raven selection table has no column \(quoted(name)); the columns are: "
                + columns.map(quoted).joined(separator: ", ")
        case .badLine(let path, let line, let text): "\(path), line \(line): \(text)"
        case .otherRecordings(let path, let recording, let found, let total):
            "\(path): no row names \(quoted(recording)); rows name \(found.map(quoted).joined(separator: ", "))"
                + (total > found.count ? " and \(total - found.count) more" : "")
        }
    }
}

extension AnnotationError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .unreadable(_, _, let isFault) = self else { return false }
        return isFault
    }
}
