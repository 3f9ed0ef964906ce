/// What an MP3 says of its length. Where its first frame holds no such note (`Xing`, `Info` or `VBRI`), what libsndfile
/// calls its length is the file's size divided by that of a frame, tags included: an estimate.
struct MPEGLength {
    /// Whether it says how many frames it has.
    let isStated: Bool
    /// Whether it says that it has more bytes than are there.
    let isCutOff: Bool

    /// - Parameter path: A file that libsndfile takes for MPEG audio.
    init(path: String) {
        guard let file = HeaderBytes(path: path), let (note, frame) = Self.note(file) else {
            (isStated, isCutOff) = (false, false)
            return
        }
        isStated = true
        // Both count from the frame that holds the note.
        let bytes: UInt64?
        if file.has("VBRI", at: note) {
            bytes = file.number(at: note + 10, 4, isBigEndian: true)
        } else {
            let flags = file.number(at: note + 4, 4, isBigEndian: true) ?? 0
            bytes = flags & 2 == 0 ? nil : file.number(at: note + (flags & 1 == 0 ? 8 : 12), 4, isBigEndian: true)
        }
        isCutOff = bytes.map { $0 > 0 && frame + Int($0) > file.fileSize } ?? false
    }

    /// Where the note stands, and the frame that holds it.
    private static func note(_ file: HeaderBytes) -> (note: Int, frame: Int)? {
        // Tags of ID3v2 stand before the first frame: a header of ten bytes, the last four of which are the length behind it
        // in seven bits each; a footer of ten more where a flag says so.
        var offset = 0
        while let tag = file.bytes(at: offset, 10).map(Array.init), tag.starts(with: "ID3".utf8) {
            offset += 10 + tag[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + (tag[5] & 0x10 != 0 ? 10 : 0)
        }
        // After the frame's header and side information, 36 bytes or fewer, and any bytes that a careless encoder put before it.
        guard let bytes = file.bytes(at: offset, min(4096, max(file.fileSize - offset, 0))).map(Array.init),
            let start = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] & 0xE0 == 0xE0 })
        else { return nil }
        let beginning = bytes[start...].prefix(64)
        let note = beginning.indices.first { index in
            ["Xing", "Info", "VBRI"].contains { beginning[index...].starts(with: $0.utf8) }
        }
        return note.map { (offset + $0, offset + start) }
    }
}
