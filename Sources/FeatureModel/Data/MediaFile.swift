/// Recordings that libsndfile cannot read and ffmpeg can, by the extensions of their names.
///
/// The name alone decides whether a run asks for ffmpeg's version, so that its description is complete before any recording is
/// opened; the content decides whether ffmpeg reads a recording.
package enum MediaFile {
    /// The extensions, in lower case.
    package static let extensions: Set<String> = [
        "m4a", "m4b", "mp4", "m4v", "mov", "3gp", "3g2", "aac", "wma", "wmv", "asf", "amr", "awb", "amr-nb", "amr-wb",
        "mkv", "mka", "webm", "avi", "flv",
    ]

    private static let longest = 6
    private static let codes = Set(extensions.map { code(Array($0.utf8)[...]) })

    /// Whether a path has one of the extensions.
    package static func isNamed(_ path: UnsafeRawBufferPointer) -> Bool {
        let end = path.count
        for length in 3...longest where end > length && path[end - length - 1] == UInt8(ascii: ".") {
            return codes.contains(code(path[(end - length)...]))
        }
        return false
    }

    /// Whether a path has one of the extensions.
    package static func isNamed(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { isNamed(UnsafeRawBufferPointer($0)) }
    }

    /// The bytes of an extension as a number, capital letters as small ones.
    private static func code(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
    }
}
