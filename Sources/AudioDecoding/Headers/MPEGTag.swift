/// What encoders put into the first frame of an MP3 in place of sound: the number of frames that follow, and their bytes. `Info`
/// is its name where the bit rate is constant, otherwise `Xing`, or `VBRI` by another encoder.
struct MPEGTag: Equatable {
    /// A number in the tag.
    struct Field: Equatable {
        /// Its offset in the frame, in bytes. It has four bytes, the highest first.
        let offset: Int
        let value: Int
    }

    /// Samples that the encoder put before and after the sound, twelve bits each.
    struct Gaps: Equatable {
        /// Offset in the frame, in bytes.
        let offset: Int
        let delay: Int
        let padding: Int
    }

    /// Frames after this one; nil: not given.
    let frames: Field?
    /// Bytes from the start of this frame on; nil: not given.
    let bytes: Field?
    /// Whether mpg123 reads it: no `VBRI`, and nothing before the name.
    let isRead: Bool
    /// Nil: not given.
    let gaps: Gaps?
    /// Whether the tag has a checksum of itself, and it is right: then its numbers are those that the encoder wrote.
    let isIntact: Bool

    /// Bytes of a frame that are looked at: more than the longest tag has, up to its checksum.
    static let searchedBytes = 256
    /// Offset of the checksum after the name.
    private static let checksumOffset = 154
    /// ffmpeg sums as many bytes, whatever the offset of the tag: those of the frame, with zeros for the checksum and after the end.
    private static let bytesOfFFmpeg = 190

    /// Reads the tag; nil where the frame has sound.
    ///
    /// - Parameter frame: The first frame, or the first bytes of a longer one.
    init?(_ frame: ArraySlice<UInt8>, _ kind: MPEGFrameHeader.Kind) {
        let frame = Array(frame)
        func has(_ name: String, at offset: Int) -> Bool { frame.dropFirst(offset).starts(with: name.utf8) }
        func field(_ offset: Int) -> Field? {
            guard offset + 4 <= frame.count else { return nil }
            return Field(offset: offset, value: frame[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) })
        }
        let header = MPEGFrameHeader.byteCount
        // Always after 32 bytes; its version, delay and quality precede the bytes.
        if has("VBRI", at: header + 32) {
            (bytes, frames) = (field(header + 42), field(header + 46))
            (isRead, gaps, isIntact) = (false, nil, false)
            return
        }
        // After a checksum of the frame, where encoders count it.
        let start = [header + kind.sideBytes, header + 2 + kind.sideBytes].first { start in
            ["Xing", "Info"].contains { has($0, at: start) }
        }
        guard let start, start + 8 <= frame.count else { return nil }
        // mpg123 takes a frame with other bytes than zeros before the name, except for those of a checksum, for one of sound.
        isRead = frame[min(header + 2, start)..<start].allSatisfy { $0 == 0 }
        let flags = frame[start + 7]
        frames = flags & 1 == 0 ? nil : field(start + 8)
        bytes = flags & 2 == 0 ? nil : field(start + (flags & 1 == 0 ? 8 : 12))
        // What LAME has added, with all of the parts before it: a name, delay and padding of 12 bits each, the checksum.
        let (name, offset, sum) = (start + 120, start + 141, start + Self.checksumOffset)
        guard flags & 15 == 15, sum + 2 <= frame.count, frame[name..<name + 3].allSatisfy({ $0 > 0x20 }) else {
            (gaps, isIntact) = (nil, false)
            return
        }
        gaps = Gaps(
            offset: offset, delay: Int(frame[offset]) << 4 | Int(frame[offset + 1] >> 4),
            padding: Int(frame[offset + 1] & 15) << 8 | Int(frame[offset + 2]))
        let stored = UInt16(frame[sum]) << 8 | UInt16(frame[sum + 1])
        isIntact =
            Self.checksum(frame[..<sum]) == stored || Self.checksumOfFFmpeg(frame, field: sum) == stored
    }

    private static func checksumOfFFmpeg(_ frame: [UInt8], field: Int) -> UInt16 {
        var bytes = frame.prefix(bytesOfFFmpeg) + Array(repeating: 0, count: max(bytesOfFFmpeg - frame.count, 0))
        for offset in field..<field + 2 where offset < bytes.count { bytes[offset] = 0 }
        return checksum(bytes)
    }

    /// CRC-16 of x¹⁶ + x¹⁵ + x² + 1, lowest bit first.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    }

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
    }
}
