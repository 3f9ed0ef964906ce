import Archives
import FeatureModel
import FileIO
import Platform

/// What a file that no decoder reads is in truth.
enum ForeignFile {
    private static let searched = 512

    /// The kind of problem that a failure is, after a look at the file; and what was found, where the failure does not tell.
    static func kind(of failure: ClipFailure, path: String) -> (kind: ProblemKind, found: String?) {
        switch failure {
        case .cannotOpen(let error) where error.code == ENOENT || error.code == ENOTDIR: return (.missing, nil)
        case .cannotOpenMember where !RecordingPath.exists(path): return (.missing, nil)
        case .notDecodable, .invalidHeader, .lengthNotStated:
            guard let start = start(of: path) else { break }
            if start.starts(with: "version ".utf8), start.split(separator: UInt8(ascii: "\n")).contains(where: isObject)
            {
                return (.gitLFSPointer, "expected a recording, found a Git LFS pointer: the recording was not fetched")
            }
            if let text = text(start) { return (.textPage, "expected a recording, found text: \(text)") }
        default: break
        }
        return (ProblemKind(failure), nil)
    }

    /// Whether a line of a pointer names the object that it stands for.
    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: "oid sha256:".utf8) }

    private static func start(of path: String) -> [UInt8]? {
        guard let file = try? SharedFile(path: path) else { return nil }
        var bytes = Array(repeating: UInt8(0), count: searched)
        let count = bytes.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// The first line of a text, shortened; nil: the bytes are no text.
    private static func text(_ bytes: [UInt8]) -> String? {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        // The last character may be cut in two.
        let whole = bytes.count < searched ? bytes[...] : bytes.dropLast(4)
        guard isText, bytes.count > 3, String(validating: whole, as: UTF8.self) != nil || isLatin(bytes) else {
            return nil
        }
        let line = bytes.drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(60)
        return "'" + String(decoding: line, as: UTF8.self) + "'"
    }

    /// Whether the bytes start as a page does, in an encoding with bytes that UTF-8 does not allow.
    private static func isLatin(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0 <= 0x20 }.first == UInt8(ascii: "<")
    }
}
