/// How the rows of a manifest are written.
package enum ManifestFormat: String, CaseIterable, Sendable {
    /// Comma-separated values, RFC 4180, with a header row.
    case csv
    /// Fields between tabs, with a header row. Fields are literal: a quotation mark is a character like any other, and no
    /// field holds a tab or a line end. Common Voice is written so.
    case tsv
    /// Fields between tabs, quoted as in CSV.
    case quotedTSV = "quoted-tsv"
    /// A JSON object on every line.
    case jsonLines = "jsonl"

    /// How quotation marks are understood.
    package enum Quoting: String, CaseIterable, Sendable {
        /// They are part of the field.
        case literal
        /// RFC 4180: a field may stand in quotation marks, and those inside are doubled.
        case csv
    }

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

    /// The same with quotation marks understood as asked; nil where the format leaves no choice.
    package func quoted(by quoting: Quoting) -> ManifestFormat? {
        switch (self, quoting) {
        case (.tsv, .literal), (.quotedTSV, .literal): .tsv
        case (.tsv, .csv), (.quotedTSV, .csv): .quotedTSV
        case (.csv, .csv): .csv
        case (.csv, .literal), (.jsonLines, _): nil
        }
    }

    /// The byte between two fields; nil where there are no fields.
    var delimiter: UInt8? {
        switch self {
        case .csv: Byte.comma
        case .tsv, .quotedTSV: Byte.tab
        case .jsonLines: nil
        }
    }

    /// How quotation marks in fields are understood.
    package var quoting: Quoting { self == .tsv ? .literal : .csv }
}
