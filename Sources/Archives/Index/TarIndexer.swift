import FileIO

/// Lists the members of a tar.
struct TarIndexer {
    private var bytes: ArchiveBytes
    private(set) var index = MemberIndex()
    private var headers = TarHeaders()

    /// Reads all headers, or those before the first damage, which becomes the index's `problem`.
    ///
    /// - Throws: `ArchiveError` where the bytes are not a tar, or cannot be read.
    init(_ file: SharedFile, size: Int) throws(ArchiveError) {
        bytes = ArchiveBytes(file, size: size)
        try run()
    }

    private mutating func run() throws(ArchiveError) {
        var offset = 0
        while offset < bytes.size {
            let header = try bytes.bytes(at: offset, TarHeaders.block)
            guard header.count == TarHeaders.block else { return stop("it is cut off at byte \(bytes.size)") }
            // A block of zeros is the end.
            if header.allSatisfy({ $0 == 0 }) { return }
            guard let next = try take(header, at: offset) else {
                guard offset > 0 else { throw .notTar }
                return stop(TarHeaders.damage(at: offset))
            }
            offset = next
        }
        if offset > bytes.size { stop("it is cut off at byte \(bytes.size)") }
    }

    private mutating func stop(_ words: String) { index.problem = ArchiveError(words) }

    /// Takes a header; returns the offset of the next one, or nil where this one is damaged.
    private mutating func take(_ header: ArraySlice<UInt8>, at offset: Int) throws(ArchiveError) -> Int? {
        var start = offset + TarHeaders.block
        var headers = headers
        let found = try headers.take(header) { size throws(ArchiveError) in try bytes.bytes(at: start, size) }
        self.headers = headers
        switch found {
        case .extension(let size): return start + TarHeaders.padded(size)
        case .member(let name, let kind, let size, let hasMap):
            // GNU's older sparse files have further blocks of their map.
            if hasMap {
                while let map = try Optional(bytes.bytes(at: start, TarHeaders.block)), map.count == TarHeaders.block {
                    start += TarHeaders.block
                    if TarHeaders.isLastOfMap(map) { break }
                }
            }
            try index.add(name, ArchiveMember(kind: kind, size: size, storage: .plain(offset: start)))
            return start + TarHeaders.padded(size)
        case nil: return nil
        }
    }
}
