/// Compressed chunks of one clip, in order, that wait to be written.
package struct PendingChunks: Sendable {
    /// A chunk among the bytes.
    struct Entry: Sendable {
        /// Its first row.
        let row: Int
        /// Its bytes.
        let range: Range<Int>
        /// The filters that were left out.
        let filterMask: UInt32
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []

    /// No chunks.
    package init() {}

    /// Bytes of all chunks.
    package var byteCount: Int { bytes.count }

    /// Appends the chunk that starts with `row`.
    mutating func append(_ chunk: ChunkCompressor.Chunk, row: Int) {
        let start = bytes.count
        bytes.append(contentsOf: chunk.bytes)
        entries.append(Entry(row: row, range: start..<bytes.count, filterMask: chunk.filterMask))
    }

    /// Removes all, and keeps the capacity.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
