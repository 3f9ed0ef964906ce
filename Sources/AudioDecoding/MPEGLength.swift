import FileIO

/// The length of an MP3 by its first frame. Without a header there (`Xing`, `Info` or `VBRI`), libsndfile's length is the
/// size of the file divided by that of a frame, tags included: an estimate.
struct MPEGLength {
    /// Whether the number of frames is given.
    let isStated: Bool
    /// Whether more bytes are given than present.
    let isCutOff: Bool

    /// - Parameter content: What libsndfile reads as MPEG audio.
    init(_ content: FileContent) {
        guard let file = HeaderBytes(content), let (header, frame) = Self.lengthHeader(file) else {
            (isStated, isCutOff) = (false, false)
            return
        }
        isStated = true
        // Both count from the frame of the header.
        let bytes: UInt64?
        if file.has("VBRI", at: header) {
            bytes = file.number(at: header + 10, 4, isBigEndian: true)
        } else {
            let flags = file.number(at: header + 4, 4, isBigEndian: true) ?? 0
            bytes = flags & 2 == 0 ? nil : file.number(at: header + (flags & 1 == 0 ? 8 : 12), 4, isBigEndian: true)
        }
        isCutOff = bytes.map { $0 > 0 && frame + Int($0) > file.fileSize } ?? false
    }

    /// Offsets of the header and of its frame.
    private static func lengthHeader(_ file: HeaderBytes) -> (header: Int, frame: Int)? {
        // ID3v2 tags precede the first frame: a header of ten bytes, the last four of which are the length that follows, seven
        // bits each; and a footer of ten bytes by a flag.
        var offset = 0
        while let tag = file.bytes(at: offset, 10).map(Array.init), tag.starts(with: "ID3".utf8) {
            offset += 10 + tag[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + (tag[5] & 0x10 != 0 ? 10 : 0)
        }
        // After the frame's header and side information, up to 36 bytes, and any stray bytes before the frame.
        guard let bytes = file.bytes(at: offset, min(4096, max(file.fileSize - offset, 0))).map(Array.init),
            let start = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] & 0xE0 == 0xE0 })
        else { return nil }
        let head = bytes[start...].prefix(64)
        let header = head.indices.first { index in
            ["Xing", "Info", "VBRI"].contains { head[index...].starts(with: $0.utf8) }
        }
        return header.map { (offset + $0, offset + start) }
    }
}
