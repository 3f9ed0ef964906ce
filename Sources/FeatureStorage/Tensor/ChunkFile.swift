import CHDF5
import ClipSpool
import Synchronization

/// The dataset `/features` of a file that is being written, for chunks that are compressed already.
final class ChunkFile: Sendable {
    private let path: String
    private let shape: TensorShape
    /// The open dataset; 0: closed.
    private let dataset: Atomic<hid_t>

    /// Opens the dataset of a file.
    ///
    /// - Throws: `StorageError.hdf5`.
    init(file: hid_t, path: String, shape: TensorShape) throws(StorageError) {
        self.path = path
        self.shape = shape
        dataset = Atomic(
            try HDF5Library.call("opening /features", path) { H5Dopen2(file, "/features", veery_h5_default()) })
    }

    deinit { close() }

    /// Closes the dataset; has to come before the file is closed.
    func close() {
        let id = dataset.exchange(0, ordering: .acquiringAndReleasing)
        if id != 0 { HDF5Library.quietly { H5Dclose(id) } }
    }

    /// Writes chunks to their places.
    ///
    /// - Throws: `StorageError.hdf5`, such as for a full disk.
    func write(_ chunks: PendingChunks) throws(StorageError) {
        let id = dataset.load(ordering: .acquiring)
        for entry in chunks.entries {
            let offset = shape.chunkOffset(row: entry.row).map { hsize_t($0) }
            let bytes = chunks.bytes
            try HDF5Library.call("writing /features", path) {
                bytes.withUnsafeBytes {
                    H5Dwrite_chunk(
                        id, veery_h5_default(), entry.filterMask, offset, entry.range.count,
                        $0.baseAddress.map { $0 + entry.range.lowerBound })
                }
            }
        }
    }
}
