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

    /// What quotation marks mean.
    package enum Quoting: String, CaseIterable, Sendable {
        /// They are part of the field.
        case literal
        /// RFC 4180: a field may be in quotation marks, and those inside are doubled.
        case csv
    }

    /// The format by a file's extension, in any case: `csv`, `tsv`, `tab`, `jsonl` or `ndjson`, also with `.gz` after it; nil for
    /// any other.
    package init?(path: String) {
        let name = path.lowercased().hasSuffix(".gz") ? path.dropLast(3) : path[...]
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonLines
        default: return nil
        }
    }

    /// The same with another quoting; nil where the format leaves no choice.
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

    package var quoting: Quoting { self == .tsv ? .literal : .csv }
}

/// The delimiter between the names of a header.
package struct HeaderDelimiter: Hashable, Sendable {
    let byte: UInt8
    /// The character in words.
    package let name: String
    /// The format of manifests that is written so; nil: none is.
    package let format: ManifestFormat?

    private static let all = [
        Self(byte: Byte.comma, name: "commas", format: .csv),
        Self(byte: Byte.semicolon, name: "semicolons", format: .csv),
        Self(byte: Byte.tab, name: "tabs", format: .tsv),
        Self(byte: UInt8(ascii: "|"), name: "'|'", format: nil),
    ]

    /// The delimiter that a header has most of: tabs, semicolons or commas.
    static func byte(of header: [UInt8]) -> UInt8 {
        if header.contains(Byte.tab) { return Byte.tab }
        func count(_ byte: UInt8) -> Int { header.count { $0 == byte } }
        return count(Byte.semicolon) > count(Byte.comma) ? Byte.semicolon : Byte.comma
    }

    /// The delimiter that splits a first line into several names, one of them that of the paths; nil where none does.
    static func found(in line: [UInt8]) -> HeaderDelimiter? {
        all.first { delimiter in
            let names = line.split(separator: delimiter.byte, omittingEmptySubsequences: false)
            return names.count > 1 && names.contains(where: isPath)
        }
    }

    /// Whether a name is that of a column of paths, or a common other one.
    static func isPath(_ name: some Collection<UInt8>) -> Bool {
        ColumnNames.mayBePath(String(decoding: name, as: UTF8.self).trimmingBlanks().trimmingQuotes())
    }
}

extension String {
    /// The text without one quotation mark at each end.
    func trimmingQuotes() -> String {
        count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
    }
}
