import FeatureModel
import FileIO

/// What a file that no decoder reads is in truth, where its first bytes say so.
enum ForeignContent {
    static let searched = 512

    /// A decoder's failure, or a better one.
    static func failure(insteadOf failure: ClipFailure, _ content: FileContent) -> ClipFailure {
        switch failure {
        case .notDecodable, .invalidHeader, .lengthNotStated:
            guard let start = start(of: content) else { return failure }
            if isPointer(start) { return .foreign(.gitLFSPointer) }
            if start.starts(with: "NIST_1A\n".utf8) {
                return sphereCoding(start).map { .foreign(.compressedSphere(coding: $0)) } ?? failure
            }
            return text(start).map { .foreign(.text($0)) } ?? failure
        default: return failure
        }
    }

    /// Whether a file is a text, such as a page that a server has sent.
    static func isText(_ content: FileContent) -> Bool { start(of: content).flatMap(text) != nil }

    private static func start(of content: FileContent) -> [UInt8]? {
        guard let file = RegularFile(content) else { return nil }
        var bytes = Array(repeating: UInt8(0), count: searched)
        let count = bytes.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.flatMap { file.read(into: $0, at: 0, minimum: searched, maximum: searched) }
        }
        guard let count, count > 0 else { return nil }
        return Array(bytes[..<count])
    }

    /// Whether it is a pointer that Git LFS puts in a file's place: with a line that names the object.
    private static func isPointer(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "version ".utf8)
            && bytes.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "oid sha256:".utf8) }
    }

    /// How the samples of a SPHERE file are stored, by the lines of text that it starts with; nil: they are not compressed.
    static func sphereCoding(_ bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let coding = lines.first { $0.hasPrefix("sample_coding ") }?.split(separator: " ").last
        return coding.flatMap { $0.contains(",") ? String($0.prefix(60)) : nil }
    }

    /// The first line of a text, shortened; nil: the bytes are not text.
    private static func text(_ bytes: [UInt8]) -> String? {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : ofUTF16(bytes) ?? bytes
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        // The last character may be cut in two.
        let whole = bytes.count < searched ? bytes[...] : bytes.dropLast(4)
        guard isText, bytes.count > 3, String(validating: whole, as: UTF8.self) != nil || isLatin(bytes) else {
            return nil
        }
        let line = bytes.drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(60)
        return String(decoding: line, as: UTF8.self)
    }

    /// A text in UTF-16 as UTF-8; nil: the bytes are none.
    ///
    /// The mark of one order is also a header of MPEG audio, so all of the bytes have to be characters.
    private static func ofUTF16(_ bytes: [UInt8]) -> [UInt8]? {
        let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        // Without a mark, every other byte of a text of Latin letters is 0.
        guard isMarked || bytes.count > 7 && (0..<7).allSatisfy({ (bytes[$0] == 0) != (bytes[$0 + 1] == 0) }) else {
            return nil
        }
        let isBigEndian = isMarked ? bytes[0] == 0xFE : bytes[0] == 0
        let units = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { offset in
            let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        // The last character may be cut in two.
        let whole = units.last.map(UTF16.isLeadSurrogate) == true ? units.dropLast() : units[...]
        let isPrivate = whole.contains { (0xE000...0xF8FF).contains($0) || $0 >= 0xFFFE }
        return isPrivate ? nil : String(validating: whole, as: UTF16.self).map { Array($0.utf8) }
    }

    /// Whether the bytes start as a page does, in an encoding with bytes that UTF-8 does not allow.
    private static func isLatin(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0 <= 0x20 }.first == UInt8(ascii: "<")
    }
}
