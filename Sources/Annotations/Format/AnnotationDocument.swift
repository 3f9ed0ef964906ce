import FileIO
import Manifests

/// The content of an annotation file, in memory.
package struct AnnotationDocument: Sendable {
    package let path: String
    /// The file as it is stored.
    let bytes: [UInt8]
    /// Its text without byte order marks at its start, of which some programs write two; nil: it is in none of the encodings that are read.
    let text: String?
    /// Whether the text is that of Windows-1252, of which Latin-1's letters are a part: no byte contradicts it, and none says so.
    let isAssumed: Bool

    /// The format of annotations that it has, if that has no reader; nil: another.
    package let foreign: ForeignAnnotations?

    /// Whether its encoding is known.
    package var isText: Bool { text != nil }

    /// Maximum length of a file in bytes.
    package static let maximumBytes = 1 << 28

    /// Reads a file.
    ///
    /// - Throws: `AnnotationError.unreadable`.
    package init(path: String) throws(AnnotationError) {
        func refused(_ error: SystemError) -> AnnotationError {
            .unreadable(path: path, reason: "it cannot be read: \(error)", isSystemFault: error.isFault)
        }
        guard let status = FileStatus(path: path) else {
            let error = SystemError.last
            guard error.isFault else {
                throw .unreadable(path: path, reason: "there is no such file; check the path")
            }
            throw refused(error)
        }
        guard !status.isFolder else { throw .unreadable(path: path, reason: "it is a folder; expected a table") }
        let bytes: [UInt8]
        do throws(PatientReader.Failure) {
            bytes = try PatientReader.contents(of: path, maximum: Self.maximumBytes + 1)
        } catch .system(let error) {
            throw refused(error)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        guard bytes.count <= Self.maximumBytes else {
            throw .unreadable(path: path, reason: "it is longer than \(Self.maximumBytes) bytes; is it a table?")
        }
        self.init(path: path, bytes: bytes)
    }

    /// The first part of a file, for its format; nil: it cannot be read.
    package init?(startOf path: String) {
        guard let bytes = try? SharedFile.contents(of: path, maximum: ForeignAnnotations.startLength) else {
            return nil
        }
        self.init(path: path, bytes: bytes)
        guard isAssumed || text == nil else { return }
        // The last character may be cut.
        for cut in 1...3 {
            let shorter = AnnotationDocument(path: path, bytes: Array(bytes.dropLast(cut)))
            guard shorter.text == nil || shorter.isAssumed else {
                self = shorter
                return
            }
        }
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        let decoded = Self.decoded(bytes)
        text = decoded.map { String($0.unicodeScalars.drop { $0 == "\u{FEFF}" }) } ?? Windows1252.text(bytes)
        isAssumed = decoded == nil && text != nil
        let format = ForeignAnnotations(fileName: path.lastName, start: bytes)
        foreign = format?.isRead == true ? nil : format
    }

    /// The name of the file without its folders.
    var name: String { path.lastName }

    /// The extension in lower case, without the dot.
    var pathExtension: String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// The lines, which end in LF, CR LF or CR, with their numbers from 1. A label may contain other line ends of Unicode, such
    /// as U+2028. Where files were put together, a byte order mark may start any of them.
    var lines: Lines { Lines(text ?? "") }

    /// The first lines that are not blank.
    func head(_ count: Int = 1) -> [Line] {
        var found: [Line] = []
        for line in lines where !line.isBlank {
            found.append(line)
            if found.count == count { break }
        }
        return found
    }

    struct Line {
        /// From 1.
        let number: Int
        let text: Substring

        var isBlank: Bool { text.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
    }

    struct Lines: Sequence, IteratorProtocol {
        private var rest: Substring.UTF8View
        private var number = 0
        private var isAtEnd = false
        private static let mark = "\u{FEFF}".utf8

        init(_ text: String) { rest = text[...].utf8 }

        mutating func next() -> Line? {
            guard !isAtEnd else { return nil }
            number += 1
            while rest.starts(with: Self.mark) { rest = rest.dropFirst(Self.mark.count) }
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            let line = Line(number: number, text: Substring(rest[..<end]))
            guard end < rest.endIndex else {
                isAtEnd = true
                return line
            }
            let isReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[rest.index(after: end)...]
            if isReturn, rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
            return line
        }
    }

    // MARK: - Encodings

    private static func decoded(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(validating: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBigEndian: false) }
        // Without a byte order mark, every other byte of Latin letters is 0.
        let nulls = bytes.prefix(8).map { $0 == 0 }
        if nulls.count == 8, (1..<8).allSatisfy({ nulls[$0] != nulls[$0 - 1] }) {
            return utf16(bytes[...], isBigEndian: nulls[0])
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self)
    }
}

extension StringProtocol {
    /// The text without tabs and Unicode's spaces at its ends.
    package func trimmingSpaces() -> String {
        let isPlain: (Unicode.Scalar) -> Bool = { $0.isASCII && $0 > " " }
        if let first = unicodeScalars.first, let last = unicodeScalars.last, isPlain(first), isPlain(last) {
            return String(self)
        }
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == "\t" || $0.properties.generalCategory == .spaceSeparator }
        let rest = unicodeScalars.drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(String.UnicodeScalarView(rest[...last]))
    }
}
