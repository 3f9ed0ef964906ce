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
        var (offset, ahead) = (0, 0)
        while true {
            guard offset <= bytes.size else { return index.problem = TarHeaders.cutOff(at: bytes.size) }
            let block = try bytes.bytes(at: offset, TarHeaders.block, ahead: ahead)
            let start = offset + TarHeaders.block
            var headers = headers
            let step = try headers.take(block, at: offset) { size throws(ArchiveError) in
                try bytes.bytes(at: start, size)
            }
            self.headers = headers
            switch step {
            case .padding: (offset, ahead) = (offset + block.count, 1 << 16)
            case .header(let header): (offset, ahead) = (try take(header, from: start), 0)
            case .end(let problem): return index.problem = problem
            }
        }
    }

    /// Lists what a header says; returns the offset of the next header.
    ///
    /// - Parameter start: The end of the header's own block.
    private mutating func take(_ header: TarHeaders.Header, from start: Int) throws(ArchiveError) -> Int {
        switch header {
        case .extension(let size): return start + TarHeaders.padded(size)
        case .member(let name, let kind, let size, let hasMap):
            var start = start
            // GNU's older sparse files have further blocks of their map.
            if hasMap {
                while let map = try Optional(bytes.bytes(at: start, TarHeaders.block)), map.count == TarHeaders.block {
                    start += TarHeaders.block
                    if TarHeaders.isLastOfMap(map) { break }
                }
            }
            try index.add(name, ArchiveMember(kind: kind, size: size, storage: .plain(offset: start)))
            return start + TarHeaders.padded(size)
        }
    }
}
