/// The first bytes of a tag that programs put before, between and after the parts of any recording: ID3 or APE.
struct SoundTag {
    /// Bytes of the whole tag.
    let size: Int

    /// Bytes that its kind and size are read from; at the end of a file fewer are enough for ID3.
    static let headBytes = 32

    /// Reads them; nil where they are not a tag's.
    ///
    /// - Parameter bytes: The first `headBytes`, or all that there are.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 10 else { return nil }
        if bytes.starts(with: "ID3".utf8) {
            // Seven bits each; and a footer of ten bytes by a flag.
            guard bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return nil }
            size = 10 + bytes[6...9].reduce(0) { $0 << 7 | Int($1) } + (bytes[5] & 0x10 != 0 ? 10 : 0)
        } else if bytes.starts(with: "APETAGEX".utf8), bytes.count >= Self.headBytes {
            // At the start of the tag, the size is that of what follows.
            let rest = bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
            size = Self.headBytes + (bytes[23] & 0x20 != 0 ? Int(UInt32(littleEndian: rest)) : 0)
        } else if bytes.starts(with: "TAG".utf8) {
            // ID3 of the first version.
            size = SourceLayout.trailerBytes
        } else {
            return nil
        }
    }
}
