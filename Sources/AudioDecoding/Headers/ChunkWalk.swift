/// The chunks of a RIFF-like file: each has a name, a size, and its bytes.
struct ChunkWalk {
    struct Chunk {
        /// Offset of its name in bytes.
        let offset: Int
        let size: UInt64
    }

    let file: HeaderBytes
    /// Offset of the first chunk.
    let start: Int
    /// The byte order of sizes.
    let isBigEndian: Bool
    /// Bytes of a name. With 16, as in Wave64, sizes include name and size.
    var nameWidth = 4
    var sizeWidth = 4
    /// Chunks start at multiples of this, counted from the start of the file.
    var alignment = 2

    /// No recorder writes more chunks than this.
    private static let maximumChunks = 10_000

    /// The first chunk whose name starts with four letters.
    func find(_ name: String) -> Chunk? {
        var offset = start
        for _ in 0..<Self.maximumChunks {
            guard let size = file.number(at: offset + nameWidth, sizeWidth, isBigEndian: isBigEndian) else {
                return nil
            }
            if file.has(name, at: offset) { return Chunk(offset: offset, size: size) }
            guard let next = end(of: Chunk(offset: offset, size: size)) else { return nil }
            offset = next
        }
        return nil
    }

    /// Whether the file ends at an offset or chunks fill the rest of it: true of a file without samples, not of samples.
    func isWellFormed(from offset: Int) -> Bool {
        var offset = offset
        for _ in 0..<Self.maximumChunks {
            // The pad byte of the last chunk may be missing.
            if offset >= file.fileSize { return offset < file.fileSize + alignment }
            guard let name = file.bytes(at: offset, 4), name.allSatisfy({ (0x20...0x7E).contains($0) }),
                let size = file.number(at: offset + nameWidth, sizeWidth, isBigEndian: isBigEndian),
                let next = end(of: Chunk(offset: offset, size: size))
            else { return false }
            offset = next
        }
        return false
    }

    /// Offset of the next chunk; nil: far past the end of the file.
    private func end(of chunk: Chunk) -> Int? {
        let head = nameWidth + sizeWidth
        let size = nameWidth == 16 ? chunk.size : chunk.size.addingReportingOverflow(UInt64(head)).partialValue
        guard size >= head, size < 1 << 48 else { return nil }
        return (chunk.offset + Int(size) + alignment - 1) / alignment * alignment
    }
}
