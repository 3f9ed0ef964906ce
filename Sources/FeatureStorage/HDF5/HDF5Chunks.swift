import CHDF5
import FileIO
import Synchronization

/// A chunked dataset of a file that is being written, for chunks that are compressed already.
final class HDF5Chunks: Sendable {
    private let name: String
    private let path: String
    /// The open dataset; 0: closed.
    private let dataset: Atomic<hid_t>
    /// The digest of what was written.
    private let digest = Mutex(ChunkDigest())

    /// Opens the dataset.
    ///
    /// - Throws: `StorageError.hdf5`.
    init(of name: String, file: hid_t, path: String) throws(StorageError) {
        self.name = name
        self.path = path
        dataset = Atomic(try HDF5Library.call("opening \(name)", path) { H5Dopen2(file, name, veery_h5_default()) })
    }

    deinit {
        let id = dataset.load(ordering: .acquiring)
        if id != 0 { HDF5Library.quietly { H5Dclose(id) } }
    }

    /// Closes the dataset; has to come before the file is closed.
    ///
    /// - Returns: The digest of all chunks.
    /// - Throws: `StorageError.hdf5`.
    @discardableResult
    func close() throws(StorageError) -> Checksum128 {
        let id = dataset.exchange(0, ordering: .acquiringAndReleasing)
        if id != 0 { try HDF5Library.call("writing \(name)", path) { H5Dclose(id) } }
        return digest.withLock { $0.checksum }
    }

    /// Writes a chunk.
    ///
    /// - Parameters:
    ///   - bytes: As they will be in the file.
    ///   - filterMask: A bit for each filter that was not applied.
    ///   - offset: The index of the chunk's first value in each dimension of the dataset.
    /// - Throws: `StorageError.hdf5`, for example if the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer, filterMask: UInt32, at offset: [Int]) throws(StorageError) {
        let id = dataset.load(ordering: .acquiring)
        let offset = offset.map { hsize_t($0) }
        try HDF5Library.call("writing \(name)", path) {
            H5Dwrite_chunk(id, veery_h5_default(), filterMask, offset, bytes.count, bytes.baseAddress)
        }
        let checksum = XXH3Hash128.checksum(of: bytes)
        digest.withLock { $0.add(checksum, byteCount: bytes.count, filterMask: filterMask) }
    }
}

/// XXH3-128 of the chunks of a dataset in their order: of each the checksum and the number of its bytes in the file, and its filter
/// mask.
struct ChunkDigest: ~Copyable {
    private var hash = XXH3Hash128()

    mutating func add(_ checksum: Checksum128, byteCount: Int, filterMask: UInt32) {
        withUnsafeBytes(of: (checksum.high, checksum.low, UInt64(byteCount), UInt64(filterMask))) { hash.update($0) }
    }

    var checksum: Checksum128 { hash.finish() }
}
