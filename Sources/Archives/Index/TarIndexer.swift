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

    /// Zeros after the end of a tar before which another one is looked for: records of tapes are shorter.
    private static let maximumGap = 1 << 24

    private mutating func run() throws(ArchiveError) {
        var (offset, gap, hasMembers) = (0, 0, false)
        while offset < bytes.size, gap <= Self.maximumGap {
            let header = try bytes.bytes(at: offset, TarHeaders.block, ahead: gap > 0 ? 1 << 16 : 0)
            // Blocks of zeros are the end. Another tar may follow, as `cat` makes it.
            if header.allSatisfy({ $0 == 0 }) {
                gap += header.count
                offset += header.count
                continue
            }
            guard header.count == TarHeaders.block else {
                guard hasMembers else { throw .notTar }
                return stop("it is cut off at byte \(bytes.size)")
            }
            guard let next = try take(header, at: offset) else {
                guard hasMembers else { throw .notTar }
                return stop(TarHeaders.damage(at: offset))
            }
            (offset, gap, hasMembers) = (next, 0, true)
        }
        if gap == 0 { stop("it is cut off at byte \(bytes.size)") }
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
