import FileIO
import Platform
import Synchronization

/// A file of a spool that threads write to while another thread syncs it to the disk.
final class GrowingFile: Sendable {
    private struct State {
        /// When the last wait for the disk ended.
        var synchronized = ContinuousClock.now
        /// Why written bytes may not be on the disk. The system reports it once only.
        var failure: StorageError?
    }

    /// For reading the file, and for reserving disk space.
    let file: StorageFile
    /// Held for a moment only.
    private let state = Mutex(State())
    /// Held by the thread that waits for the disk; whether the file's name is on the disk, too.
    private let isNamed = Mutex(false)
    /// Whether something was written since the last time.
    private let isChanged = Atomic(false)

    /// Opens the file, creates it if there is none, and truncates it to `length` bytes.
    ///
    /// - Parameter isNew: Whether it must not be there yet.
    /// - Throws: `StorageError.system`.
    init(path: String, length: Int, isNew: Bool = false) throws(StorageError) {
        file = try StorageFile(
            path: path, flags: O_RDWR | O_CREAT | (isNew ? O_EXCL : 0), operation: "creating the spool file")
        try file.truncate(to: length)
    }

    /// Writes all bytes at `offset`.
    ///
    /// - Throws: `StorageError.system`, for example if the disk is full, or a file larger than a `SpoolPosition` can say.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
        guard offset <= SpoolPosition.maximumOffset - bytes.count else {
            throw .system(operation: "writing the spool file", path: file.path, code: EFBIG)
        }
        try file.write(bytes, at: offset)
        isChanged.store(true, ordering: .releasing)
    }

    /// Truncates the file, or extends it with zeros.
    ///
    /// - Throws: `StorageError.system`.
    func truncate(to byteCount: Int) throws(StorageError) {
        try file.truncate(to: byteCount)
        isChanged.store(true, ordering: .releasing)
    }

    /// Brings written bytes to the disk, unless the last time is less than `age` ago. A call that does not need to wait for the
    /// disk does not wait for other threads either.
    ///
    /// - Throws: `StorageError.system`, also the error of an earlier call on any thread.
    func synchronize(ifOlderThan age: Duration = .zero) throws(StorageError) {
        guard try isOlder(than: age) else { return }
        let failure = isNamed.withLock { isNamed -> StorageError? in
            do throws(StorageError) {
                // Another thread may have done it meanwhile.
                guard try isOlder(than: age) else { return nil }
                try synchronize(&isNamed)
                return nil
            } catch {
                state.withLock { $0.failure = error }
                return error
            }
        }
        if let failure { throw failure }
    }

    private func isOlder(than age: Duration) throws(StorageError) -> Bool {
        let (failure, isOlder) = state.withLock {
            ($0.failure, $0.synchronized.duration(to: .now) >= age)
        }
        if let failure { throw failure }
        return isOlder
    }

    private func synchronize(_ isNamed: inout Bool) throws(StorageError) {
        if isChanged.exchange(false, ordering: .acquiring) {
            // Writing to a deleted file succeeds, and the bytes are lost.
            guard file.hasName else {
                throw .system(operation: "writing to a file that is not there any more", path: file.path, code: ENOENT)
            }
            try file.synchronizeData()
            if !isNamed {
                try StorageError.synchronize(folder: Folder.containing(file.path))
                isNamed = true
            }
        }
        state.withLock { $0.synchronized = .now }
    }
}
