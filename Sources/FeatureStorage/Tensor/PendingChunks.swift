import ClipSpool
import FileIO

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

/// Who sees to it that the chunks of several workers are written in the clips' order: `TensorWriter.worker(order:)`.
package protocol ChunkOrder: AnyObject, Sendable {
    /// Writes chunks of a clip whose turn it is, and waits for that if `mayWait`.
    ///
    /// - Returns: Whether they were written; false where it is not the clip's turn, or nothing is written any more.
    func write(_ chunks: PendingChunks, of clip: Int, mayWait: Bool) throws(StorageError) -> Bool

    /// Takes the last chunks of a clip, and lets the next one have its turn.
    func finish(_ chunks: PendingChunks, of clip: Int) throws(StorageError)

    /// Whether nothing is written any more.
    var isStopped: Bool { get }
}
