import FileIO
import Platform
import Synchronization

/// A folder that holds clips that are done, until all are and the feature file can be assembled.
///
/// The folder is locked for as long as the value lives, so that two runs cannot write to one output. What an interrupted run
/// left in it is kept until `clear`, `start` or `remove`. `SpoolContents` reads it.
package final class Spool: Sendable {
    /// The folder.
    package let folder: String
    private let lock: StorageFile
    private let shared: Mutex<SpoolFiles>
    private var files: SpoolFiles { shared.withLock { $0 } }
    /// The number of bytes of each file of clips that count, as given to `resume`.
    private let lengths = Mutex<[Int: Int]>([:])
    /// The files of clips that have or had a writer.
    private let written = Mutex<[Int: GrowingFile]>([:])

    /// Makes the folder, if there is none, and locks it.
    ///
    /// - Throws: `StorageError.busy` if another process holds it, or `.system`.
    package init(folder: String) throws(StorageError) {
        self.folder = folder
        shared = Mutex(SpoolFiles(folder: folder))
        lock = try Self.lock(folder)
        var owner = ByteBuffer(capacity: 32)
        "\(getpid())\n".utf8.forEach { owner.append($0) }
        try lock.truncate(to: 0)
        try lock.write(owner.bytes, at: 0)
    }

    /// Path of the feature file until it is complete.
    package var fileInProgress: String { "\(folder)/\(SpoolFolder.fileInProgressName)" }

    /// Deletes everything, for the run of this identity.
    ///
    /// - Parameter machines: What computes its clips; nil: that is not noted.
    /// - Throws: `StorageError.system`.
    package func start(identity: String, machines: String? = nil) throws(StorageError) {
        try clear()
        // Written first, so that a folder with an identity has this too.
        if let machines { try write(machines, to: .machines) }
        try write(identity, to: .identity)
    }

    /// Writes a small file of the folder atomically, and syncs it to the disk before it returns.
    ///
    /// - Throws: `StorageError.system`.
    package func write(_ text: String, to note: SpoolNote) throws(StorageError) {
        let path = "\(folder)/\(note.rawValue)"
        do throws(AtomicFileError) {
            try AtomicFile.write(Array(text.utf8), to: path, durably: true)
        } catch {
            throw StorageError(error, path: path)
        }
    }

    /// Whether a folder has rows of a live recording that was interrupted, or is in progress.
    package static func hasLive(folder: String) -> Bool {
        guard FileStatus(path: "\(folder)/\(SpoolNote.live.rawValue)") != nil,
            let names = try? SpoolFolder.names(folder)
        else { return false }
        return SpoolFolder.hasClips(folder, names)
    }

    /// What is in the folder now.
    ///
    /// - Throws: `StorageError.system`.
    package func contents() throws(StorageError) -> SpoolContents? { try SpoolContents(folder: folder, isHeld: true) }

    /// Whether the folder has a clip, or part of one. True if it exists and cannot be read.
    package var hasClips: Bool {
        do throws(StorageError) {
            return try contents()?.hasClips ?? false
        } catch {
            return true
        }
    }

    /// Makes each writer continue after the part of its file that counts, and readers read the files of shards, too.
    ///
    /// - Parameters:
    ///   - contents: What is in this folder, and in those of shards.
    ///   - extent: What a scan of it found.
    package func resume(_ contents: SpoolContents, _ extent: SpoolContents.Extent) {
        lengths.withLock { $0 = extent.lengths }
        shared.withLock { $0 = contents.files }
    }

    /// Changes the kind of the records at these positions, so that they do not count any more.
    ///
    /// - Throws: `StorageError`, `.damaged` if there is no record.
    package func withdraw(_ positions: [SpoolPosition]) throws(StorageError) {
        var buffer = ByteBuffer(capacity: 4096)
        // A shard may be another run's: what this one writes counts before it.
        let own = positions.filter { SpoolPosition.ownFiles.contains($0.file) }
        for (number, positions) in Dictionary(grouping: own, by: \.file) {
            let file = try StorageFile(
                path: SpoolFolder.filePath(folder, number: number), flags: O_WRONLY,
                operation: "opening the spool file")
            for position in positions {
                _ = try files.file(number).read(at: position.offset, into: &buffer)
                let record = UnsafeMutableRawBufferPointer(mutating: buffer.bytes)
                SpoolRecord.withdraw(record)
                try file.write(UnsafeRawBufferPointer(rebasing: record[..<SpoolRecord.headerSize]), at: position.offset)
            }
            // After a power cut they must not count again, either.
            try file.synchronizeData()
        }
    }

    /// Releases the folder to other runs before the value goes.
    package func unlock() { flock(lock.number, LOCK_UN) }

    /// A writer with a file of its own, which continues the file of that number of an interrupted run.
    ///
    /// - Parameters:
    ///   - number: Distinct for each writer, from 0.
    ///   - rows: Takes rows that are reserved; nil: none are.
    /// - Throws: `StorageError.system`.
    package func writer(_ number: Int, rows: InPlaceRows? = nil) throws(StorageError) -> SpoolWriter {
        let path = SpoolFolder.filePath(folder, number: number)
        guard written.withLock({ $0[number] == nil }) else {
            throw .system(operation: "creating the spool file", path: path, code: EEXIST)
        }
        let length = lengths.withLock { $0[number] ?? 0 }
        let file = try GrowingFile(path: path, length: length)
        written.withLock { $0[number] = file }
        return SpoolWriter(file, number: number, length: length, rows: rows)
    }

    /// Creates the file of `InPlaceRows`.
    ///
    /// - Throws: `StorageError.system`, also if there is one, of an interrupted run.
    package func inPlaceRows(bins: Int) throws(StorageError) -> InPlaceRows {
        try InPlaceRows(folder: folder, bins: bins)
    }

    /// Closes the writers' files, once all have ended.
    package func endWriting() { written.withLock { $0 = [:] } }

    /// Brings everything that was written to the disk, while other threads write.
    ///
    /// - Throws: `StorageError.system`, also that of an earlier call; every writer of the file throws it, too.
    package func synchronize(ifOlderThan age: Duration = .zero) throws(StorageError) {
        var failure: StorageError?
        for file in written.withLock({ Array($0.values) }) {
            do throws(StorageError) { try file.synchronize(ifOlderThan: age) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// A reader of everything that is written.
    package func reader() -> SpoolReader { SpoolReader(files: files) }

    /// Deletes what an interrupted run left.
    ///
    /// - Throws: `StorageError.system`.
    package func clear() throws(StorageError) {
        // The identity goes first: clips without one never count.
        try delete(SpoolNote.identity.rawValue)
        // Only files of a spool: a mistyped --scratch must not delete anything else.
        for name in try SpoolFolder.names(folder) where SpoolFolder.isOwn(name) { try delete(name) }
        files.close()
        lengths.withLock { $0 = [:] }
        written.withLock { $0 = [:] }
    }

    /// Numbers of the files of clips, whose clips do not count from now on; each file may be deleted by another thread.
    ///
    /// - Throws: `StorageError.system`.
    package func abandon() throws(StorageError) -> [Int] {
        try delete(SpoolNote.identity.rawValue)
        return try SpoolFolder.names(folder).compactMap(SpoolFolder.number)
    }

    /// Deletes a file, if it is there. A file of an earlier run that stayed would count as one of this.
    private func delete(_ name: String) throws(StorageError) {
        let path = "\(folder)/\(name)"
        guard unlink(path) != 0 else { return }
        let code = errno
        // A folder is not of an earlier run, and nothing reads it.
        if code != ENOENT, FileStatus(path: path, followingLink: false)?.isFolder != true {
            throw .system(operation: "deleting a file of an earlier run", path: path, code: code)
        }
    }

    /// Deletes a file of clips. It takes a while, since the system frees its cache then.
    package func delete(_ number: Int) {
        unlink(SpoolFolder.filePath(folder, number: number))
        _ = written.withLock { $0.removeValue(forKey: number) }
        files.close(number)
    }

    /// Deletes the spool: its clips are in the feature file now, or not wanted.
    ///
    /// - Throws: `StorageError.system`.
    package func remove() throws(StorageError) {
        try clear()
        unlink("\(folder)/\(SpoolFolder.lockName)")
        guard rmdir(folder) != 0 else { return }
        let code = errno
        // Now that the lock is gone, another run may have taken the folder, or even deleted it. Only files of no run are an error.
        let left = (try? SpoolFolder.names(folder)) ?? []
        guard code != ENOENT, !left.isEmpty, !left.contains(SpoolFolder.lockName) else { return }
        throw .system(operation: "deleting the folder of finished clips", path: folder, code: code)
    }

    /// Deletes the files of a run in a folder that nobody has to hold, and the folder if it is empty then: that of a shard. An
    /// attempt that is still at work there, on any machine, loses its files and fails.
    ///
    /// - Returns: Why the folder is still there; nil: it is gone.
    @discardableResult
    package static func removeUnlocked(folder: String) -> SystemError? {
        var refusal: SystemError?
        func note(_ status: Int32) {
            if status != 0, errno != ENOENT, refusal == nil { refusal = .last }
        }
        note(unlink("\(folder)/\(SpoolNote.identity.rawValue)"))
        var names: [String] = []
        do throws(StorageError) { names = try SpoolFolder.names(folder) } catch {
            refusal = refusal ?? error.systemCode.map(SystemError.init(code:))
        }
        for name in names where SpoolFolder.isOwn(name) || name == SpoolFolder.lockName {
            note(unlink("\(folder)/\(name)"))
        }
        note(rmdir(folder))
        return FileStatus(path: folder, followingLink: false) == nil ? nil : refusal
    }

    private static func lock(_ folder: String) throws(StorageError) -> StorageFile {
        while true {
            if mkdir(folder, 0o777) == 0 {
                try StorageError.synchronize(folder: Folder.containing(folder))
            } else if errno != EEXIST {
                throw .system(operation: "making the folder for finished clips", path: folder, code: errno)
            }
            let path = "\(folder)/\(SpoolFolder.lockName)"
            try SpoolFolder.checkOwnership(folder)
            let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            if number < 0 {
                let code = errno
                // The run that held the folder has deleted it between the two calls.
                if code == ENOENT, FileStatus(path: folder, followingLink: false) == nil { continue }
                throw .system(operation: "making the lock of the output", path: path, code: code)
            }
            let lock = StorageFile(number: number, path: path)
            guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path: folder, owner: owner(lock)) }
            // A lock on a file that its owner has deleted meanwhile does not count.
            if let held = FileStatus(descriptor: number), held.identity == FileStatus(path: path)?.identity {
                return lock
            }
        }
    }

    private static func owner(_ lock: borrowing StorageFile) -> Int? {
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes { pread(lock.number, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int(String(decoding: text[..<count].filter { $0 != 10 }, as: UTF8.self))
    }
}
