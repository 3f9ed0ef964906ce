#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether an MP3 says how long it is. Where its first frame holds no such note (`Xing`, `Info` or `VBRI`), what libsndfile
/// calls its length is the file's size divided by that of a frame, tags included: an estimate.
enum MPEGLength {
    /// - Parameter path: A file that libsndfile takes for MPEG audio.
    static func isStated(path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        func bytes(at place: Int, _ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(place)) }
            return Array(bytes.prefix(max(read, 0)))
        }
        // Tags of ID3v2 stand before the first frame: a header of ten bytes, the last four of which are the length behind it
        // in seven bits each; a footer of ten more where a flag says so.
        var place = 0
        while true {
            let tag = bytes(at: place, 10)
            guard tag.count == 10, tag.starts(with: "ID3".utf8) else { break }
            place += 10 + tag[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + (tag[5] & 0x10 != 0 ? 10 : 0)
        }
        // Behind the frame's header and side information, 36 bytes at most, and whatever a sloppy writer has put before it.
        let frame = bytes(at: place, 4096)
        guard let start = frame.indices.dropLast().first(where: { frame[$0] == 0xFF && frame[$0 + 1] & 0xE0 == 0xE0 })
        else { return false }
        let beginning = frame[start...].prefix(64)
        return ["Xing", "Info", "VBRI"].contains { note in
            beginning.indices.contains { beginning[$0...].starts(with: note.utf8) }
        }
    }
}
