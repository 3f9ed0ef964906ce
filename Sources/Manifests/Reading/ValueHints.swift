import FeatureModel

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

    func report(to account: inout Account, source: String) {
        guard let first else { return }
        account.add(
            .quotesKept, source: source, at: first.line, "\(quoted(first.text)) (line \(first.line))", count: count)
    }
}

/// Paths that another system or program would understand, but not this one.
struct PathHints {
    private var account = Account()

    mutating func take(_ path: UnsafeRawBufferPointer, line: Int) {
        guard let first = path.first else { return }
        if first == UInt8(ascii: "~"), path.count > 1, path[1] == Byte.slash {
            add(.pathsUnexpanded, path, line)
        } else if first == UInt8(ascii: "$") || first == UInt8(ascii: "{"), Self.isVariable(path) {
            add(.pathsUnexpanded, path, line)
        } else if RemotePath.isOne(path) {
            hasAddress = true
            add(.pathsRemote, path, line)
        }
    }

    /// Whether a path is an address of the network.
    private(set) var hasAddress = false

    /// Whether a path starts with a variable: `$data_root/`, `{data_root}/` or `${data_root}/`.
    private static func isVariable(_ path: UnsafeRawBufferPointer) -> Bool {
        let folder = path.prefix { $0 != Byte.slash }
        guard folder.count > 1, folder.count < path.count else { return false }
        return folder.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "{", "}": true
            default: false
            }
        }
    }

    private mutating func add(_ kind: Remark.Kind, _ path: UnsafeRawBufferPointer, _ line: Int) {
        account.add(kind, source: "", at: line, String(decoding: path, as: UTF8.self))
    }

    func report(to account: inout Account, source: String) { account.merge(self.account, as: source) }
}
