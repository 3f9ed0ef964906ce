/// Reads JSON (RFC 8259) from the bytes of a line, which have to be valid UTF-8.
///
/// Unlike Foundation's, it keeps the order of names and the digits of numbers, builds no objects, and is fast enough for ten
/// million lines.
package struct JSONScanner {
    package typealias Failure = JSONValue.Failure

    /// What a value is.
    package enum Kind {
        case string, number, boolean, null, nested
    }

    /// How deeply arrays and objects may be nested.
    static let depthLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Reads from the start of `bytes`, which have to outlive the scanner.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Why `read` fails on bytes from their start, in words; nil: it succeeds.
    package static func problem(
        in bytes: [UInt8], _ read: (inout JSONScanner) throws(Failure) -> Void
    ) -> String? {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            do throws(Failure) {
                try read(&scanner)
                return nil
            } catch {
                return error.text
            }
        }
    }

    /// The next byte that is not a blank; nil at the end.
    package mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): position += 1
            default: return bytes[position]
            }
        }
        return nil
    }

    /// Takes `byte` if it comes next.
    package mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Takes `byte`, which has to come next.
    package mutating func expect(_ byte: Unicode.Scalar, _ context: String) throws(Failure) {
        guard take(byte) else { throw unexpected("'\(byte)' \(context)") }
    }

    /// Takes any value and appends its text: a string's characters, a number's digits as they were written, `true` or `false`,
    /// nothing for null, and arrays and objects as JSON without blanks, names sorted.
    package mutating func takeValue(into text: inout [UInt8]) throws(Failure) -> Kind {
        switch peek() {
        case UInt8(ascii: "\""):
            try takeString(into: &text)
            return .string
        case UInt8(ascii: "n"):
            try takeWord("null")
            return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            try takeCompact(into: &text, depth: 0)
            return .boolean
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try takeCompact(into: &text, depth: 0)
            return .nested
        default:
            try takeNumber(into: &text)
            return .number
        }
    }

    /// Takes an object.
    ///
    /// - Parameter take: Takes the value of a name.
    package mutating func takeObject(
        _ start: String = "before an object", end: String = "after an object",
        _ take: (inout JSONScanner, _ name: String) throws(Failure) -> Void
    ) throws(Failure) {
        try expect("{", start)
        if !self.take("}") {
            repeat {
                var name: [UInt8] = []
                try takeString(into: &name)
                try expect(":", "after a name")
                try take(&self, String(decoding: name, as: UTF8.self))
            } while self.take(",")
            try expect("}", end)
        }
    }

    /// Passes over a value without reading it, to what follows it in its array or object; false where the bytes end before.
    package mutating func skipValue() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0 else { return true }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return true
            default: break
            }
            position += 1
        }
        return false
    }

    /// Takes a string and appends its characters.
    package mutating func takeString(into text: inout [UInt8]) throws(Failure) {
        try expect("\"", "before a string")
        while true {
            let start = position
            while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
            text.append(contentsOf: bytes[start..<position])
            guard position < bytes.count else { throw Failure(text: "a string is not closed") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                position += 1
                try takeEscape(into: &text)
            default:
                throw Failure(text: "a string holds a control character at byte \(position + 1); write it as an escape")
            }
        }
    }

    // MARK: - Parts

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func takeEscape(into text: inout [UInt8]) throws(Failure) {
        guard position < bytes.count else { throw Failure(text: "a string is not closed") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "u"): try takeCodePoint(into: &text)
        default: throw Failure(text: "unknown escape in a string at byte \(position)")
        }
    }

    private mutating func takeCodePoint(into text: inout [UInt8]) throws(Failure) {
        var code = try takeFourDigits()
        if (0xD800..<0xDC00).contains(code), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = try takeFourDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw Failure(text: "a string holds half a surrogate pair") }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw Failure(text: "a string holds half a surrogate pair") }
        guard code != 0 else { throw Failure(text: "a string holds a NUL character (\\u0000)") }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func takeFourDigits() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw Failure(text: "expected four hexadecimal digits after \\u at byte \(position + 1)")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    @discardableResult
    private mutating func takeWord(_ word: String) throws(Failure) -> String {
        let end = position + word.utf8.count
        guard end <= bytes.count, bytes[position..<end].elementsEqual(word.utf8) else { throw unexpected("a value") }
        position = end
        return word
    }

    private mutating func takeNumber(into text: inout [UInt8]) throws(Failure) {
        let start = position
        _ = takeExact("-")
        if !takeExact("0") { try takeDigits() }
        if takeExact(".") { try takeDigits() }
        if takeExact("e") || takeExact("E") {
            _ = takeExact("+") || takeExact("-")
            try takeDigits()
        }
        text.append(contentsOf: bytes[start..<position])
    }

    /// Takes `byte` if it comes next, without blanks before it.
    private mutating func takeExact(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func takeDigits() throws(Failure) {
        let start = position
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        while position < bytes.count, digits.contains(bytes[position]) { position += 1 }
        guard position > start else { throw unexpected("a value") }
    }

    /// Takes any value and appends it as JSON without blanks, names sorted by their bytes.
    private mutating func takeCompact(into text: inout [UInt8], depth: Int) throws(Failure) {
        guard depth < Self.depthLimit else { throw Failure(text: "is nested more than \(Self.depthLimit) deep") }
        switch peek() {
        case UInt8(ascii: "\""):
            var characters: [UInt8] = []
            try takeString(into: &characters)
            JSONText.append(characters, to: &text)
        case UInt8(ascii: "n"): text.append(contentsOf: try takeWord("null").utf8)
        case UInt8(ascii: "t"): text.append(contentsOf: try takeWord("true").utf8)
        case UInt8(ascii: "f"): text.append(contentsOf: try takeWord("false").utf8)
        case UInt8(ascii: "["): try takeCompactArray(into: &text, depth: depth)
        case UInt8(ascii: "{"): try takeCompactObject(into: &text, depth: depth)
        default: try takeNumber(into: &text)
        }
    }

    private mutating func takeCompactArray(into text: inout [UInt8], depth: Int) throws(Failure) {
        try expect("[", "before an array")
        text.append(UInt8(ascii: "["))
        if !take("]") {
            try takeCompact(into: &text, depth: depth + 1)
            while take(",") {
                text.append(UInt8(ascii: ","))
                try takeCompact(into: &text, depth: depth + 1)
            }
            try expect("]", "after an array")
        }
        text.append(UInt8(ascii: "]"))
    }

    private mutating func takeCompactObject(into text: inout [UInt8], depth: Int) throws(Failure) {
        try expect("{", "before an object")
        var members: [(name: [UInt8], text: [UInt8])] = []
        if !take("}") {
            repeat {
                var name: [UInt8] = []
                try takeString(into: &name)
                try expect(":", "after a name")
                var value: [UInt8] = []
                JSONText.append(name, to: &value)
                value.append(UInt8(ascii: ":"))
                try takeCompact(into: &value, depth: depth + 1)
                members.append((name, value))
            } while take(",")
            try expect("}", "after an object")
        }
        members.sort { $0.name.lexicographicallyPrecedes($1.name) }
        text.append(UInt8(ascii: "{"))
        text.append(contentsOf: members.map(\.text).joined(separator: [UInt8(ascii: ",")]))
        text.append(UInt8(ascii: "}"))
    }

    private mutating func unexpected(_ expected: String) -> Failure {
        guard let byte = peek() else { return Failure(text: "ends where \(expected) was expected") }
        let scalar = Unicode.Scalar(byte)
        let isControl = byte < 0x20 || byte == 0x7F
        let found =
            byte < 0x80 ? "'\(isControl ? scalar.escaped(asASCII: true) : String(scalar))'" : "another character"
        return Failure(text: "holds \(found) at byte \(position + 1) where \(expected) was expected")
    }
}
