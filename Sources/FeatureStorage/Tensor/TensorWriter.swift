import FeatureModel
import FileIO

/// Writes clips' rows to `/features`, from any number of threads: each takes a `worker`.
package final class TensorWriter: Sendable {
    let shape: TensorShape
    let path: String
    /// Where the rows of a tensor in one piece go.
    let rows: RowWriter
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
        rows = try RowWriter(path: path, offset: offset, rowBytes: shape.rowBytes, rows: shape.rows)
    }

    /// Whether clips have to be written in their order.
    package var needsOrder: Bool { chunks != nil }

    /// A worker, for one thread.
    ///
    /// - Parameter order: Who sees to the order of clips where there are several workers and `needsOrder`; nil: there is one.
    /// - Throws: `StorageError.system` where memory is not to be had.
    package func worker(order: (any ChunkOrder)? = nil) throws(StorageError) -> TensorWorker {
        try TensorWorker(self, order: order)
    }

    /// Writes compressed chunks; one thread at a time.
    ///
    /// - Throws: `StorageError`, such as for a full disk.
    package func write(_ pending: PendingChunks) throws(StorageError) {
        for entry in pending.entries {
            var failure: StorageError?
            pending.bytes.withUnsafeBytes { bytes in
                do throws(StorageError) {
                    try chunks?.write(
                        UnsafeRawBufferPointer(rebasing: bytes[entry.range]), filterMask: entry.filterMask,
                        at: shape.chunkOffset(row: entry.row))
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    /// Brings to the disk what is written so far, while others write on.
    package func synchronizeSoFar() { rows.synchronizeSoFar() }

    /// Waits until everything is on the disk.
    func synchronize() throws(StorageError) { try rows.synchronize() }
}
