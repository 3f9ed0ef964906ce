import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of a spool that one thread writes to, while another may bring it to the disk.
final class GrowingFile: Sendable {
    private struct State {
        var synchronized = ContinuousClock.now
        /// Whether the disk knows the file's name, too.
        var isNamed = false
        /// Why what was written may not be on the disk. The system says so once, and then never again.
        var failure: StorageError?
    }

    private let file: FileDescriptor
    private let state = Mutex(State())
    /// Whether something was written since the last time.
    private let isChanged = Atomic(false)

    /// Opens the file, makes it where there is none, and cuts off what stands behind its first `length` bytes.
    ///
    /// - Throws: `StorageError.system`.
    init(path: String, length: Int) throws(StorageError) {
        file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT, operation: "creating the spool file")
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

    /// Brings what was written to the disk, if the last time is longer ago than `age`.
    ///
    /// - Throws: `StorageError.system`, also for what an earlier call, on whatever thread, has met with.
    func synchronize(ifOlderThan age: Duration = .zero) throws(StorageError) {
        let failure = state.withLock { state -> StorageError? in
            if let failure = state.failure { return failure }
            let now = ContinuousClock.now
            guard state.synchronized.duration(to: now) >= age else { return nil }
            guard isChanged.exchange(false, ordering: .acquiring) else {
                state.synchronized = now
                return nil
            }
            do throws(StorageError) {
                // Writing to a file that someone has deleted succeeds, for nothing.
                guard file.hasName else {
                    throw .system(
                        operation: "writing to a file that is not there any more", path: file.path, code: ENOENT)
                }
                try file.synchronizeData()
            } catch {
                state.failure = error
                return error
            }
            if !state.isNamed {
                FileDescriptor.synchronizeFolder(FileDescriptor.folder(of: file.path))
                state.isNamed = true
            }
            state.synchronized = now
            return nil
        }
        if let failure { throw failure }
    }
}
