/// What separates the names of a header.
package enum HeaderDelimiter: CaseIterable, Sendable {
    case comma, semicolon, tab, bar

    /// The byte.
    var byte: UInt8 {
        switch self {
        case .comma: Byte.comma
        case .semicolon: UInt8(ascii: ";")
        case .tab: Byte.tab
        case .bar: UInt8(ascii: "|")
        }
    }

    /// The delimiter that makes several names of a first line, one of them that of the paths; nil where none does.
    static func found(in line: [UInt8]) -> HeaderDelimiter? {
        allCases.first { delimiter in
            let names = line.split(separator: delimiter.byte, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self).trimmingBlanks().trimmingQuotes().lowercased()
            }
            return names.count > 1
                && names.contains { $0 == ManifestColumn.path.name || ManifestColumn.pathAliases.contains($0) }
        }
    }

    /// The character in words.
    var name: String {
        switch self {
        case .comma: "commas"
        case .semicolon: "semicolons"
        case .tab: "tabs"
        case .bar: "'|'"
        }
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .comma: "give --format csv, or name the file .csv"
        case .semicolon:
            "export it with commas, or as TSV (spreadsheets write semicolons where the decimal point is a comma: write"
                + " numbers with a point, too)"
        case .tab: "give --format tsv, or name the file .tsv"
        case .bar: "export it with commas, or as TSV"
        }
    }
}

extension String {
    /// The text without one quotation mark at each end.
    fileprivate func trimmingQuotes() -> String {
        count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
    }
}
