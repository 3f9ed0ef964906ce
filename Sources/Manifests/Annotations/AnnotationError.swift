/// Why annotations cannot be read.
package enum AnnotationError: Error, Hashable, Sendable {
    /// The file cannot be read; the reason is a sentence about "it".
    case unreadable(path: String, reason: String)
    /// The file is none of those that are known.
    case unknownTable(path: String, line: Int, found: String)
    /// A column is missing; the others are named.
    case missingColumn(path: String, name: String, columns: [String])
    /// A line is wrong.
    case badLine(path: String, line: Int, text: String)
    /// The file marks other recordings; the first of them are named.
    case otherRecordings(path: String, recording: String, found: [String], total: Int)
}

extension AnnotationError: CustomStringConvertible {
    /// The file, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path): \(reason)"
        case .unknownTable(let path, let line, let found):
            "\(path), line \(line): expected annotations (a Raven selection table, Audacity labels, or a manifest with a"
                + " column 'path'), found \(quoted(found))"
        case .missingColumn(let path, let name, let columns):
            "\(path): the Raven selection table has no column \(quoted(name)); the columns are: "
                + columns.map(quoted).joined(separator: ", ")
        case .badLine(let path, let line, let text):
            "\(path), line \(line): \(text)"
        case .otherRecordings(let path, let recording, let found, let total):
            "\(path): no row names \(quoted(recording)); rows name \(found.map(quoted).joined(separator: ", "))"
                + (total > found.count ? " and \(total - found.count) more" : "")
        }
    }
}
