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

    /// Extensions, in lower case, of recordings that libsndfile reads, unless they are compressed: then ffmpeg does.
    package static let compressible: Set<String> = ["sph", "nist"]

    private static let longest = 6
    private static let codes = Set(extensions.map { code(Array($0.utf8)[...]) })
    private static let allCodes = codes.union(compressible.map { code(Array($0.utf8)[...]) })

    /// Whether a path has one of the extensions.
    package static func isNamed(_ path: String) -> Bool { has(path, codes) }

    /// Whether ffmpeg may be needed for a recording with this path.
    package static func mayBeRead(_ path: UnsafeRawBufferPointer) -> Bool { has(path, allCodes) }

    /// Whether ffmpeg may be needed for a recording with this path.
    package static func mayBeRead(_ path: String) -> Bool { has(path, allCodes) }

    private static func has(_ path: String, _ codes: Set<UInt64>) -> Bool {
        var path = path
        return path.withUTF8 { has(UnsafeRawBufferPointer($0), codes) }
    }

    private static func has(_ path: UnsafeRawBufferPointer, _ codes: Set<UInt64>) -> Bool {
        let end = path.count
        for length in 3...longest where end > length && path[end - length - 1] == UInt8(ascii: ".") {
            return codes.contains(code(path[(end - length)...]))
        }
        return false
    }

    /// The bytes of an extension as a number, capital letters as small ones.
    private static func code(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
    }
}
