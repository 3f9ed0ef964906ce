/// How the rows of a manifest are written.
package enum ManifestFormat: String, CaseIterable, Sendable {
    /// Comma-separated values, RFC 4180, with a header row.
    case csv
    /// The same with tabs.
    case tsv
    /// A JSON object on every line.
    case jsonLines = "jsonl"

    /// The format that a file's extension tells, in any case; nil for an extension that is none of
    /// `csv`, `tsv`, `tab`, `jsonl`, `ndjson`.
    package init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonLines
        default: return nil
        }
    }

    /// The byte between two fields; nil where there are no fields.
    var delimiter: UInt8? {
        switch self {
        case .csv: Byte.comma
        case .tsv: Byte.tab
        case .jsonLines: nil
        }
    }
}
