/// The NPY format of NumPy, versions 1.0 to 3.0.
enum NPYArray {
    /// The first bytes of a file.
    static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)
    /// The longest header that is read; NumPy refuses longer ones, too, unless it is told to trust the file.
    private static let maximumHeader = 10_000

    /// Reads the array that bytes hold.
    ///
    /// - Parameter name: That of the array in an archive, for messages; nil: the file is the array.
    static func read(_ bytes: ArrayBytes, name: String? = nil) throws(ArrayFileError) -> NumericArray {
        let header = try Self.header(bytes, name: name)
        return try bytes.array(header.type, header.shape, at: header.offset, isFortran: header.isFortran, name: name)
    }

    /// How a file stores its array, and from which byte on.
    struct Header {
        let type: ElementType
        let shape: [Int]
        let offset: Int
        let isFortran: Bool
    }

    /// Reads the header of the array that bytes hold; `name` as for `read`.
    static func header(_ bytes: ArrayBytes, name: String? = nil) throws(ArrayFileError) -> Header {
        func damaged(_ expected: String, _ found: String) -> ArrayFileError {
            .content(path: bytes.path, name: name, expected: expected, found: found)
        }
        let start = try bytes.bytes(at: 0, 8)
        guard start.count == 8, Array(start.prefix(6)) == signature else {
            throw damaged("an array in NPY format", start.isEmpty ? "no bytes" : "other bytes at its start")
        }
        guard (1...3).contains(start[6]) else { throw damaged("version 1 to 3 of the NPY format", "\(start[6])") }
        let width = start[6] == 1 ? 2 : 4
        let length = try bytes.number(at: 8, width) ?? 0
        guard length > 0, length <= maximumHeader else {
            throw damaged("a header of at most \(maximumHeader) bytes", "\(length)")
        }
        let text = try bytes.bytes(at: 8 + width, length)
        guard text.count == length else { throw damaged("a header of \(length) bytes", "\(text.count)") }
        let header = NPYHeader(text)
        guard let descr = header.descr, let shape = header.shape, let isFortran = header.isFortran else {
            throw damaged(
                "a header with descr, fortran_order and shape", "'\(String(decoding: text, as: UTF8.self).excerpt)'")
        }
        guard let type = ElementType(descr: descr) else {
            throw damaged(
                "real numbers, such as '<f4'",
                descr.hasSuffix("O") ? "Python objects (an array of arrays of several lengths?)" : "'\(descr.excerpt)'")
        }
        return Header(type: type, shape: shape, offset: 8 + width + length, isFortran: isFortran)
    }
}

/// The dictionary of an NPY file: `{'descr': '<f4', 'fortran_order': False, 'shape': (98, 80), }`.
private struct NPYHeader {
    private(set) var descr: String?
    private(set) var isFortran: Bool?
    private(set) var shape: [Int]?

    init(_ bytes: [UInt8]) {
        let tokens = Self.tokens(bytes)
        func value(_ key: String) -> Int? {
            tokens.indices.first {
                tokens[$0] == .text(key) && $0 + 2 < tokens.count && tokens[$0 + 1] == .sign(":")
            }.map { $0 + 2 }
        }
        if let index = value("descr"), case .text(let text) = tokens[index] { descr = text }
        if let index = value("fortran_order"), case .word(let word) = tokens[index] {
            isFortran = ["True": true, "False": false][word]
        }
        if let index = value("shape"), tokens[index] == .sign("(") { shape = Self.extents(tokens[(index + 1)...]) }
    }

    private enum Token: Equatable {
        case text(String)
        case word(String)
        case sign(Character)
    }

    /// The numbers up to a closing parenthesis; nil: there is something else among them.
    private static func extents(_ tokens: ArraySlice<Token>) -> [Int]? {
        var extents: [Int] = []
        for token in tokens {
            switch token {
            case .sign(")"): return extents.count <= 32 ? extents : nil
            case .sign(","): break
            case .word(let word):
                // Python 2 wrote 98L.
                guard let extent = Int(word.hasSuffix("L") ? String(word.dropLast()) : word) else { return nil }
                extents.append(extent)
            case .sign, .text: return nil
            }
        }
        return nil
    }

    private static func tokens(_ bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let first = rest.first {
            if first == "'" || first == "\"" {
                let text = rest.dropFirst().prefix { $0 != first }
                tokens.append(.text(String(text)))
                rest = rest[text.endIndex...].dropFirst()
            } else if first.isLetter || first.isNumber {
                let word = rest.prefix { $0.isLetter || $0.isNumber }
                tokens.append(.word(String(word)))
                rest = rest[word.endIndex...]
            } else {
                if !first.isWhitespace { tokens.append(.sign(first)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }
}

extension ElementType {
    /// The type of a description such as `<f4`; nil: not of real numbers.
    fileprivate init?(descr: String) {
        var text = descr[...]
        let order = text.first.flatMap { "<>|=".contains($0) ? $0 : nil }
        if order != nil { text = text.dropFirst() }
        guard let letter = text.first, let size = Int(text.dropFirst()), [1, 2, 4, 8].contains(size) else { return nil }
        switch letter {
        case "f" where size > 1: kind = .float
        case "i": kind = .signed
        case "u", "b": kind = .unsigned
        default: return nil
        }
        self.size = size
        isBigEndian = order == ">"
    }
}
