import ClipSpool

/// The chunks of `/features` in a file that is being written.
struct ChunkFile: Sendable {
    private let dataset: HDF5Chunks
    private let shape: TensorShape

    /// Keeps the open dataset and how the tensor lies in it.
    init(_ dataset: HDF5Chunks, shape: TensorShape) {
        self.dataset = dataset
        self.shape = shape
    }

    /// Closes the dataset; has to come before the file is closed.
    func close() { dataset.close() }

    /// Writes chunks to their offsets.
    ///
    /// - Throws: `StorageError.hdf5`, such as for a full disk.
    func write(_ chunks: PendingChunks) throws(StorageError) {
        for entry in chunks.entries {
            let offset = shape.chunkOffset(row: entry.row)
            var failure: StorageError?
            chunks.bytes.withUnsafeBytes { bytes in
                do throws(StorageError) {
                    let chunk = UnsafeRawBufferPointer(rebasing: bytes[entry.range])
                    try dataset.write(chunk, filterMask: entry.filterMask, at: offset)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }
}
