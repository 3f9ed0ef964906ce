/// A chunk of a RIFF-like file.
package struct HeaderChunk: Equatable {
    /// Offset of its name in bytes.
    package let offset: Int
    package let size: UInt64
    /// Offset of its bytes.
    package let start: Int
    /// Offset of the next chunk; nil: far past the end of any file.
    package let end: Int?
}

/// The chunks of a RIFF-like file, as far as they can be read: each has a name, a size, and its bytes.
package struct ChunkWalk<Source: HeaderSource>: Sequence, IteratorProtocol {
    package let source: Source
    /// Offset of the next chunk.
    private var offset: Int?
    /// The byte order of sizes.
    private let isBigEndian: Bool
    /// Bytes of a name. With 16, as in Wave64, sizes include name and size.
    private let nameWidth: Int
    private let sizeWidth: Int
    /// Chunks start at multiples of this, counted from the start of the file.
    let alignment: Int
    private var left: Int

    /// - Parameters:
    ///   - start: Offset of the first chunk.
    ///   - maximum: How many chunks are read. No recorder writes as many as 10,000.
    package init(
        _ source: Source, start: Int = 12, isBigEndian: Bool = false, nameWidth: Int = 4, sizeWidth: Int = 4,
        alignment: Int = 2, maximum: Int = 10_000
    ) {
        (self.source, offset, self.isBigEndian, left) = (source, start, isBigEndian, maximum)
        (self.nameWidth, self.sizeWidth, self.alignment) = (nameWidth, sizeWidth, alignment)
    }

    /// The next chunk whose size can be read; nil: there is none.
    package mutating func next() -> HeaderChunk? {
        guard let offset, left > 0,
            let size = source.number(at: offset + nameWidth, sizeWidth, isBigEndian: isBigEndian)
        else { return nil }
        left -= 1
        let head = nameWidth + sizeWidth
        let whole = nameWidth == 16 ? size : size.addingReportingOverflow(UInt64(head)).partialValue
        let isSane = whole >= head && whole < 1 << 48
        let end = isSane ? (offset + Int(whole) + alignment - 1) / alignment * alignment : nil
        self.offset = end
        return HeaderChunk(offset: offset, size: size, start: offset + head, end: end)
    }

    /// Whether a chunk's name starts with four letters.
    package func has(_ name: String, _ chunk: HeaderChunk) -> Bool { source.has(name, at: chunk.offset) }

    /// The first chunk whose name starts with four letters.
    func find(_ name: String) -> HeaderChunk? { first { has(name, $0) } }
}

extension ChunkWalk<HeaderBytes> {
    /// Whether the file ends at an offset or chunks fill the rest of it: true of a file without samples, not of samples.
    func isWellFormed(from offset: Int) -> Bool {
        var (walk, end) = (self, offset)
        walk.offset = offset
        while end < source.fileSize {
            guard let name = source.bytes(at: end, 4), name.allSatisfy({ (0x20...0x7E).contains($0) }),
                let next = walk.next()?.end
            else { return false }
            end = next
        }
        // The pad byte of the last chunk may be missing.
        return end < source.fileSize + alignment
    }
}
