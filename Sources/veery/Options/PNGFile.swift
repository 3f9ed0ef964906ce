import Foundation

/// The file that a picture is to become.
enum PNGFile {
    private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// Whether nothing of worth stands under this name: nothing at all, an empty file, or a picture like the new one.
    ///
    /// A mistyped name must not cost anyone a recording.
    static func isReplaceable(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return true }
        defer { try? file.close() }
        guard let begin = try? file.read(upToCount: signature.count) else { return true }
        return begin.isEmpty || begin == signature
    }
}
