/// The chunks of a file of RIFF's kind: each a name, a size, and so many bytes.
struct ChunkWalk {
    /// A chunk.
    struct Chunk {
        /// Where its name stands.
        let place: Int
        /// Its size as written.
        let size: UInt64
    }

    private let file: HeaderBytes
    private let start: Int
    private let isBigEndian: Bool
    private let nameWidth: Int
    private let sizeWidth: Int
    private let alignment: Int

    /// A file of more chunks than this is none that a recorder has written.
    private static let mostChunks = 10_000

    /// - Parameters:
    ///   - file: The file.
    ///   - start: Where the first chunk begins.
    ///   - isBigEndian: The byte order of sizes.
    ///   - nameWidth: Bytes of a name. With 16, as in Wave64, sizes include name and size.
    ///   - sizeWidth: Bytes of a size.
    ///   - alignment: Chunks begin at multiples of this, counted from the beginning of the file.
    init(
        _ file: HeaderBytes, from start: Int, isBigEndian: Bool, nameWidth: Int = 4, sizeWidth: Int = 4,
        alignment: Int = 2
    ) {
        self.file = file
        self.start = start
        self.isBigEndian = isBigEndian
        self.nameWidth = nameWidth
        self.sizeWidth = sizeWidth
        self.alignment = alignment
    }

    /// The first chunk whose name begins with four letters.
    func find(_ name: String) -> Chunk? {
        var place = start
        for _ in 0..<Self.mostChunks {
            guard let size = file.number(at: place + nameWidth, sizeWidth, isBigEndian: isBigEndian) else { return nil }
            if file.has(name, at: place) { return Chunk(place: place, size: size) }
            guard let next = end(of: Chunk(place: place, size: size)) else { return nil }
            place = next
        }
        return nil
    }

    /// Whether there is nothing from a place on, or chunks that fill the rest of the file: what a file without samples
    /// looks like, and samples do not.
    func isWellFormed(from place: Int) -> Bool {
        var place = place
        for _ in 0..<Self.mostChunks {
            // The pad byte of the last chunk may be missing.
            if place >= file.fileSize { return place < file.fileSize + alignment }
            guard let name = file.bytes(at: place, 4), name.allSatisfy({ (0x20...0x7E).contains($0) }),
                let size = file.number(at: place + nameWidth, sizeWidth, isBigEndian: isBigEndian),
                let next = end(of: Chunk(place: place, size: size))
            else { return false }
            place = next
        }
        return false
    }

    /// Where the chunk behind one begins; nil: far behind the end of the file.
    private func end(of chunk: Chunk) -> Int? {
        let head = nameWidth + sizeWidth
        let size = nameWidth == 16 ? chunk.size : chunk.size.addingReportingOverflow(UInt64(head)).partialValue
        guard size >= head, size < 1 << 48 else { return nil }
        return (chunk.place + Int(size) + alignment - 1) / alignment * alignment
    }
}
