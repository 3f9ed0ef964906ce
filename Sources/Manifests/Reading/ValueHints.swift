/// Fields of a literal TSV that look quoted as in CSV.
///
/// A sentence may have quotation marks of its own. Doubled ones inside, or those around a path, are CSV's.
struct QuotingHint {
    private var count = 0
    private var first: (line: Int, text: String)?

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

    /// Whether there are quotation marks, all doubled.
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

    /// A sentence for standard error; nil where no field looks quoted.
    var warning: String? {
        guard let first else { return nil }
        let others = count > 1 ? " and \(count - 1) more" : ""
        return
            "line \(first.line): the field \(quoted(first.text))\(others) looks quoted as in CSV, and is kept with its quotation"
            + " marks, since the fields of a TSV are literal; give --quoting csv if they are not part of the text"
    }
}

/// Paths that another system or program would understand, but not this one.
struct PathHints {
    private var (homes, addresses) = (0, 0)

    mutating func take(_ path: UnsafeRawBufferPointer) {
        guard let first = path.first else { return }
        if first == UInt8(ascii: "~"), path.count > 1, path[1] == Byte.slash {
            homes += 1
        } else if path.starts(with: "http://".utf8) || path.starts(with: "https://".utf8)
            || path.starts(with: "s3://".utf8)
        {
            addresses += 1
        }
    }

    /// Sentences for standard error.
    var warnings: [String] {
        let hints = [
            (homes, "'~', which a shell expands and a manifest does not: write the folder out, or give --root"),
            (addresses, "an address of the network: recordings are read from files; fetch them first"),
        ]
        return hints.filter { $0.0 > 0 }.map { count, text in "\(count) \(count == 1 ? "path" : "paths") with \(text)" }
    }
}
