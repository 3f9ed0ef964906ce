import ClipSpool
import FeatureModel
import FileIO
import Platform
import Synchronization

/// Writes clips' rows to `/features`, from any number of threads: each takes a `worker`.
package final class TensorWriter: Sendable {
    let shape: TensorShape
    let path: String
    /// Offset in the file of the rows of a tensor in one piece.
    let offset: Int
    private let file: StorageFile
    /// The first error of `synchronizeSoFar`.
    private let failure = Mutex<StorageError?>(nil)
    /// Where the chunks of a compressed one go.
    let chunks: HDF5Chunks?

    /// - Parameters:
    ///   - path: The file.
    ///   - offset: The first byte of a tensor in one piece.
    ///   - chunks: The dataset of a compressed tensor; nil: it lies in one piece.
    init(path: String, shape: TensorShape, offset: Int, chunks: HDF5Chunks?) throws(StorageError) {
        self.path = path
        self.shape = shape
        self.chunks = chunks
        self.offset = offset
        file = try StorageFile(path: path, flags: O_RDWR, operation: "opening the file for rows")
    }

    /// Whether clips have to be written in their order.
    package var needsOrder: Bool { chunks != nil }

    /// A worker, for one thread.
    ///
    /// - Parameter order: Keeps the clips in their order if there are several workers and `needsOrder`; nil: there is one worker.
    /// - Throws: `StorageError.system` if memory runs out.
    package func worker(order: (any ChunkOrder)? = nil) throws(StorageError) -> TensorWorker {
        try TensorWorker(self, order: order)
    }

    /// Writes compressed chunks; one thread at a time.
    ///
    /// - Throws: `StorageError`, for example if the disk is full.
    package func write(_ pending: PendingChunks) throws(StorageError) {
        for entry in pending.entries {
            try pending.bytes[entry.range].withUnsafeBufferPointer { bytes throws(StorageError) in
                try chunks?.write(
                    UnsafeRawBufferPointer(bytes), filterMask: entry.filterMask,
                    at: shape.chunkOffset(row: entry.row))
            }
        }
    }

    /// Writes rows of a tensor in one piece, or parts of them, as they are to be stored. What is never written reads as zeros.
    ///
    /// - Parameter start: The offset of the first byte in the dataset.
    /// - Precondition: The bytes lie within the dataset.
    /// - Throws: `StorageError.system`, for example if the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(StorageError) {
        precondition(start >= 0 && start + bytes.count <= shape.rows * shape.rowBytes, "rows out of range")
        try file.write(bytes, at: offset + start)
    }

    /// Syncs what is written so far to the disk, while other threads continue to write, so that the end waits for less.
    /// `synchronize` throws its error.
    package func synchronizeSoFar() {
        failure.withLock { failure in
            guard failure == nil else { return }
            do throws(StorageError) { try file.synchronizeData() } catch { failure = error }
        }
    }

    /// Waits until everything written is on the disk.
    ///
    /// - Throws: `StorageError.system`.
    func synchronize() throws(StorageError) {
        // The system reports an error of a sync only once.
        if let failure = failure.withLock({ $0 }) { throw failure }
        try file.synchronize()
    }
}

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

/// Has the chunks of several workers written in the clips' order: `TensorWriter.worker(order:)`.
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
