import FileIO
import Platform
import Synchronization

/// Writes rows of a `/features` in one piece to their offset in the file. Safe to use from any number of threads.
final class RowWriter: Sendable {
    private let file: StorageFile
    let offset: Int
    private let rowBytes: Int
    private let rows: Int
    /// The first error of `synchronizeSoFar`.
    private let failure = Mutex<StorageError?>(nil)

    init(path: String, offset: Int, rowBytes: Int, rows: Int) throws(StorageError) {
        file = try StorageFile(path: path, flags: O_RDWR, operation: "opening the file for rows")
        self.offset = offset
        self.rowBytes = rowBytes
        self.rows = rows
    }

    /// Writes whole rows, as they are to be stored, from row `start` on. What is never written reads as zeros.
    ///
    /// - Precondition: The rows lie within the dataset.
    /// - Throws: `StorageError.system`, such as for a full disk.
    func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(StorageError) {
        precondition(start >= 0 && start + bytes.count / rowBytes <= rows, "rows out of range")
        try file.write(bytes, at: offset + start * rowBytes)
    }

    /// Writes parts of rows, as they are to be stored.
    ///
    /// - Parameter start: The offset of the first byte in the dataset.
    /// - Precondition: The bytes lie within the dataset.
    /// - Throws: `StorageError.system`.
    func write(_ bytes: UnsafeRawBufferPointer, atByte start: Int) throws(StorageError) {
        precondition(start >= 0 && start + bytes.count <= rows * rowBytes, "bytes out of range")
        try file.write(bytes, at: offset + start)
    }

    /// Syncs what is written so far to the disk, while other threads continue to write, so that the end waits for less.
    /// `synchronize` throws its error.
    func synchronizeSoFar() {
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
