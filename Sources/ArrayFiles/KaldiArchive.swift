/// An archive of Kaldi with all its matrices: as text (`ark,t`), or as binary of single or double precision.
///
/// A text is `ID [`, a row on each line, and `]` after the last. Compressed matrices are not read.
struct KaldiArchive: Sendable {
    private(set) var entries: [(name: String, array: NumericArray)] = []

    /// The longest id, in bytes.
    private static let longestID = 4096

    /// Whether the first bytes may be those of an archive: an id, and a bracket or the mark of a binary matrix.
    static func mayStart(_ start: [UInt8]) -> Bool {
        guard let space = start.firstIndex(where: { $0 == 0x20 || $0 == 0x09 }), space > 0 else { return false }
        let rest = start[space...].drop { $0 == 0x20 || $0 == 0x09 }
        return rest.first == UInt8(ascii: "[") || rest.starts(with: [0, UInt8(ascii: "B")])
    }

    init(_ bytes: ArrayBytes) throws(ArrayFileError) {
        var scanner = KaldiScanner(text: try bytes.bytes(at: 0, bytes.count), path: bytes.path)
        while let name = scanner.id(limit: Self.longestID) {
            let array: NumericArray
            if let offset = try scanner.binary(name) {
                array = try bytes.array(offset.type, offset.shape, at: offset.start, name: name)
                scanner.position = offset.start + array.values.count * offset.type.size
            } else {
                array = try scanner.matrix(name)
            }
            entries.append((name, array))
        }
        guard !entries.isEmpty else {
            throw .content(
                path: bytes.path, name: nil, expected: "an archive of Kaldi: 'ID [', rows, ']'", found: "no matrix")
        }
    }
}

/// Reads the tokens of an archive.
private struct KaldiScanner {
    let text: [UInt8]
    let path: String
    var position = 0

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Skips blanks, and returns whether a line ended among them.
    @discardableResult
    private mutating func skipBlanks() -> Bool {
        var endsLine = false
        while position < text.count, Self.isBlank(text[position]) {
            endsLine = endsLine || text[position] == 0x0A
            position += 1
        }
        return endsLine
    }

    private mutating func word(limit: Int) -> String {
        let rest = text[position...].prefix(limit)
        let word = rest.prefix { !Self.isBlank($0) }
        position = word.endIndex
        return String(decoding: word, as: UTF8.self)
    }

    /// The next id; nil at the end.
    mutating func id(limit: Int) -> String? {
        skipBlanks()
        return position < text.count ? word(limit: limit) : nil
    }

    /// A binary matrix or vector after an id: its type, its shape, and where its numbers start; nil: it is text.
    mutating func binary(_ name: String) throws(ArrayFileError) -> (type: ElementType, shape: [Int], start: Int)? {
        let rest = text[position...].dropFirst()
        guard rest.starts(with: [0, UInt8(ascii: "B")]) else { return nil }
        let mark = rest.dropFirst(2).prefix(3)
        let types: [String: (Int, Int)] = ["FM ": (4, 2), "DM ": (8, 2), "FV ": (4, 1), "DV ": (8, 1)]
        guard let (size, axes) = types[String(decoding: mark, as: UTF8.self)] else {
            throw .content(
                path: path, name: name, expected: "a matrix of single or double precision (FM, DM)",
                found: "'\(String(decoding: mark, as: UTF8.self))'; copy-feats --compress=false writes one")
        }
        var shape: [Int] = []
        var fields = rest.dropFirst(5)
        for _ in 0..<axes {
            guard fields.count >= 5, fields.first == 4 else { break }
            let bits = fields.dropFirst().prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            shape.append(Int(Int32(bitPattern: bits)))
            fields = fields.dropFirst(5)
        }
        guard shape.count == axes, shape.allSatisfy({ $0 >= 0 }) else {
            throw .content(path: path, name: name, expected: "the numbers of rows and columns", found: "\(shape)")
        }
        return (ElementType(kind: .float, size: size), shape, fields.startIndex)
    }

    /// A matrix as text; a vector, whose numbers are on the line of the bracket, is a row.
    mutating func matrix(_ name: String) throws(ArrayFileError) -> NumericArray {
        func damaged(_ expected: String, _ found: String) -> ArrayFileError {
            .content(path: path, name: name, expected: expected, found: found)
        }
        skipBlanks()
        let bracket = word(limit: 64)
        guard bracket == "[" else { throw damaged("'[' after the id", "'\(bracket.excerpt)'") }
        var values: [Float] = []
        var columns: Int?
        var rowStart = 0
        while true {
            let endsLine = skipBlanks()
            let token = word(limit: 64)
            if endsLine || token == "]", values.count > rowStart {
                let width = values.count - rowStart
                guard width == columns ?? width else {
                    throw damaged("\(columns ?? 0) numbers in each row", "\(width)")
                }
                (columns, rowStart) = (width, values.count)
            }
            if token == "]" { break }
            guard let number = Float(token) else {
                throw damaged(
                    "numbers, and ']' after them", token.isEmpty ? "the end of the file" : "'\(token.excerpt)'")
            }
            values.append(number)
        }
        let width = columns ?? 0
        return NumericArray(shape: [width == 0 ? 0 : values.count / width, width], values: values)
    }
}
