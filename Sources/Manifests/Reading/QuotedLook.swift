/// Fields of a literal TSV that look as if a program had quoted them as in CSV.
///
/// A sentence may stand in quotation marks of its own. What tells CSV's are doubled ones inside, or those around a path.
struct QuotedLook {
    private var count = 0
    private var first: (line: Int, text: String)?

    /// Looks at a row's fields.
    mutating func take(_ row: ManifestRow, fields: [Range<Int>], pathField: Int?) {
        for (position, field) in fields.enumerated() where field.count >= 2 && row.bytes[field.lowerBound] == Byte.quote
        {
            guard row.bytes[field.upperBound - 1] == Byte.quote,
                position == pathField || Self.hasOnlyDoubledQuotes(row.bytes[field].dropFirst().dropLast())
            else { continue }
            count += 1
            if first == nil { first = (row.line, String(decoding: row.bytes[field], as: UTF8.self)) }
        }
    }

    /// Whether there are quotation marks, and all are doubled.
    private static func hasOnlyDoubledQuotes(_ bytes: ArraySlice<UInt8>) -> Bool {
        var (run, isFound) = (0, false)
        for byte in bytes {
            if byte == Byte.quote {
                run += 1
                isFound = true
            } else {
                guard run % 2 == 0 else { return false }
                run = 0
            }
        }
        return isFound && run % 2 == 0
    }

    /// A sentence for standard error; nil where no field looks so.
    var warning: String? {
        guard let first else { return nil }
        let others = count > 1 ? " and \(count - 1) more" : ""
        return
            "line \(first.line): the field \(quoted(first.text))\(others) looks quoted as in CSV, and is kept with its quotation"
            + " marks, since the fields of a TSV are literal; give --quoting csv if they are not part of the text"
    }
}
