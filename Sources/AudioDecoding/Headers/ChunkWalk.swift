/// The chunks of a RIFF-like file, as far as they can be read: each has a name, a size, and its bytes.
package struct ChunkWalk<Source: HeaderSource>: Sequence, IteratorProtocol {
    package struct Chunk {
        /// Offset of its name in bytes.
        package let offset: Int
        package let size: UInt64
        /// Offset of its bytes.
        package let start: Int
        /// Offset of the next chunk; nil: far past the end of any file.
        package let end: Int?
    }

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
    package mutating func next() -> Chunk? {
        guard let offset, left > 0,
            let size = source.number(at: offset + nameWidth, sizeWidth, isBigEndian: isBigEndian)
        else { return nil }
        left -= 1
        let head = nameWidth + sizeWidth
        let whole = nameWidth == 16 ? size : size.addingReportingOverflow(UInt64(head)).partialValue
        let isSane = whole >= head && whole < 1 << 48
        let end = isSane ? (offset + Int(whole) + alignment - 1) / alignment * alignment : nil
        self.offset = end
        return Chunk(offset: offset, size: size, start: offset + head, end: end)
    }

    /// Whether a chunk's name starts with four letters.
    package func has(_ name: String, _ chunk: Chunk) -> Bool { source.has(name, at: chunk.offset) }

    /// The first chunk whose name starts with four letters.
    func find(_ name: String) -> Chunk? { first { has(name, $0) } }
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

/// What the chunk 'fmt ' of a WAV says.
package struct WaveFormat {
    /// The kind of samples: 1 for integers, 3 for floating point.
    package let tag: Int
    package let channels: Int
    /// In Hz.
    package let sampleRate: Int
    package let frameBytes: Int
    /// Of a sample.
    package let bits: Int

    /// Reads a chunk; nil where it is too short, or not there to its end.
    package init?<Source: HeaderSource>(_ source: Source, _ chunk: ChunkWalk<Source>.Chunk) {
        func number(_ offset: Int, _ width: Int) -> Int? {
            source.number(at: chunk.start + offset, width, isBigEndian: false).map(Int.init)
        }
        guard chunk.size >= 16, let tag = number(0, 2), let channels = number(2, 2), let rate = number(4, 4),
            let frameBytes = number(12, 2), let bits = number(14, 2)
        else { return nil }
        // In the extended form, the kind of samples comes first in a further field.
        self.tag = tag == 0xFFFE && chunk.size >= 26 ? number(24, 2) ?? tag : tag
        (self.channels, sampleRate, self.frameBytes, self.bits) = (channels, rate, frameBytes, bits)
    }

    /// The format of a WAV in a pipe, whose sizes are not known, and the bytes before its first sample; nil: more bytes
    /// are needed, or it is none.
    static func streamed(_ bytes: UnsafeRawBufferPointer) -> (format: WaveFormat, size: Int)? {
        guard bytes.has("RIFF", at: 0), bytes.has("WAVE", at: 8) else { return nil }
        var format: WaveFormat?
        let walk = ChunkWalk(bytes)
        for chunk in walk {
            if walk.has("data", chunk) { return format.map { ($0, chunk.start) } }
            guard let end = chunk.end, end <= bytes.count else { return nil }
            if walk.has("fmt ", chunk) { format = WaveFormat(bytes, chunk) ?? format }
        }
        return nil
    }
}
