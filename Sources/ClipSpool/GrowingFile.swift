import FileIO
import Platform
import Synchronization

/// A file of a spool that threads write to, while another brings it to the disk.
final class GrowingFile: Sendable {
    private struct State {
        /// When the last wait for the disk was over.
        var synchronized = ContinuousClock.now
        /// Why what was written may not be on the disk. The system says so once, and then never again.
        var failure: StorageError?
    }

    private let file: StorageFile
    /// Held for a moment only.
    private let state = Mutex(State())
    /// Held by the one who waits for the disk; whether the disk knows the file's name, too.
    private let isNamed = Mutex(false)
    /// Whether something was written since the last time.
    private let isChanged = Atomic(false)

    /// Opens the file, makes it where there is none, and cuts off what stands behind its first `length` bytes.
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
    /// - Throws: `StorageError.system`, such as for a full disk.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
        try file.write(bytes, at: offset)
        isChanged.store(true, ordering: .releasing)
    }

    /// Fills all of `bytes` from `offset` on.
    ///
    /// - Throws: `StorageError`.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        try file.read(into: bytes, at: offset)
    }

    /// Cuts the file off, or fills it up with zeros.
    ///
    /// - Throws: `StorageError.system`.
    func truncate(to byteCount: Int) throws(StorageError) {
        try file.truncate(to: byteCount)
        isChanged.store(true, ordering: .releasing)
    }

    /// Brings what was written to the disk, unless it was there so short a time ago. Who does not wait for the disk does not
    /// wait for others who do.
    ///
    /// - Throws: `StorageError.system`, also for what an earlier call, on whatever thread, has met with.
    func synchronize(ifOlderThan age: Duration = .zero) throws(StorageError) {
        guard try isOlder(than: age) else { return }
        let failure = isNamed.withLock { isNamed -> StorageError? in
            do throws(StorageError) {
                // Meanwhile, another has.
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
        let (failure, isOlder) = state.withLock { state in
            (state.failure, state.synchronized.duration(to: .now) >= age)
        }
        if let failure { throw failure }
        return isOlder
    }

    private func synchronize(_ isNamed: inout Bool) throws(StorageError) {
        if isChanged.exchange(false, ordering: .acquiring) {
            // Writing to a file that someone has deleted succeeds, for nothing.
            guard file.hasName else {
                throw .system(
                    operation: "writing to a file that is not there any more", path: file.path, code: ENOENT)
            }
            try file.synchronizeData()
            if !isNamed {
                Folder.synchronize(Folder.containing(file.path))
                isNamed = true
            }
        }
        state.withLock { $0.synchronized = .now }
    }
}
