import FileIO
import Platform
import Synchronization

/// A folder that holds the clips which are done, until all are and the feature file can be put together.
///
/// The folder is locked for as long as the value lives, so that two runs cannot write to one output. What an interrupted
/// run left in it stays until `clear`, `begin` or `remove`.
package final class Spool: Sendable {
    /// The folder.
    package let folder: String
    private let lock: StorageFile
    private let files: SpoolFiles
    /// Bytes that count of the files of clips that `scan` has seen.
    private let lengths = Mutex<[Int: Int]>([:])
    /// The files of clips that have, or had, a writer.
    private let written = Mutex<[Int: GrowingFile]>([:])

    static let identityName = "run.json"
    static let pointerName = "elsewhere"
    private static let manifestName = "live-inputs.csv"
    private static let liveName = "live.json"
    private static let fileInProgressName = "features.h5"
    private static let rowsName = "rows"
    /// Version 0.1 wrote small files under this name first.
    private static let partName = "part"

    /// Makes the folder, where there is none, and locks it.
    ///
    /// - Throws: `StorageError.busy` where another process holds it, or `.system`.
    package init(folder: String) throws(StorageError) {
        self.folder = folder
        files = SpoolFiles(folder: folder)
        lock = try Self.lock(folder)
        var owner = ByteBuffer(capacity: 32)
        "\(getpid())\n".utf8.forEach { owner.append($0) }
        try lock.truncate(to: 0)
        try lock.write(owner.bytes, at: 0)
    }

    /// Where the feature file may be written until it is complete.
    package var fileInProgress: String { folder + "/" + Self.fileInProgressName }

    /// Where a manifest may be written of inputs that have none.
    package var manifest: String { folder + "/" + Self.manifestName }

    /// Of which run the clips are, as `begin` was told; nil: there are none.
    ///
    /// - Throws: `StorageError.system`.
    package func identity() throws(StorageError) -> String? { try Self.text(folder, Self.identityName) }

    /// Begins anew, for the run of this identity.
    ///
    /// - Throws: `StorageError.system`.
    package func begin(identity: String) throws(StorageError) {
        try clear()
        try write(identity, to: Self.identityName)
    }

    /// The folder in which the clips are instead of this one; nil: they are here.
    ///
    /// - Throws: `StorageError.system`.
    package func pointer() throws(StorageError) -> String? { try Self.text(folder, Self.pointerName) }

    /// Notes in which folder the clips are instead of this one.
    ///
    /// - Throws: `StorageError.system`.
    package func point(to folder: String) throws(StorageError) { try write(folder, to: Self.pointerName) }

    /// What a recording of live sound is whose rows are here, as `noteLive` was told; nil: there is none.
    ///
    /// - Throws: `StorageError.system`.
    package func live() throws(StorageError) -> String? { try Self.text(folder, Self.liveName) }

    /// Notes, before there are rows, of which recording of live sound they will be.
    ///
    /// - Throws: `StorageError.system`.
    package func noteLive(_ text: String) throws(StorageError) { try write(text, to: Self.liveName) }

    /// Whether a folder has rows of a recording of live sound that was interrupted, or is being made.
    package static func hasLive(folder: String) -> Bool {
        guard FileStatus(path: "\(folder)/\(liveName)") != nil, let names = try? names(in: folder) else { return false }
        return names.contains { number(of: $0) != nil && hasContent("\(folder)/\($0)") }
    }

    /// Whether any clip, or part of one, has been written. A folder that is there and cannot be looked into has some, for all
    /// that is known.
    package var hasClips: Bool {
        let names: [String]
        do throws(StorageError) {
            names = try self.names()
        } catch {
            if case .system(_, _, ENOENT) = error { return false }
            return true
        }
        return names.contains { Self.number(of: $0) != nil && Self.hasContent("\(folder)/\($0)") }
    }

    /// Whether there is neither a clip nor a word of where clips are.
    ///
    /// - Throws: `StorageError.system`.
    package var isEmpty: Bool {
        get throws(StorageError) {
            guard !hasClips else { return false }
            return try pointer() == nil
        }
    }

    /// Has each writer continue where the part of its file ends that counts.
    ///
    /// - Parameter extent: What a scan of this folder's contents found.
    package func resume(_ extent: SpoolContents.Extent) { lengths.withLock { $0 = extent.lengths } }

    /// Hands over what the folder holds of each clip, and has writers continue behind it.
    ///
    /// - Returns: Paths of the files that are damaged, and not only cut short by the end of a run.
    /// - Throws: `StorageError.system`.
    /// - Complexity: Reads everything in the folder.
    @discardableResult
    package func scan(_ receive: (SpoolScan.Entry) -> Void) throws(StorageError) -> [String] {
        guard let extent = try SpoolContents(folder: folder, isHeld: true)?.scan(receive) else { return [] }
        resume(extent)
        return extent.damaged
    }

    /// Makes the records of clips at these positions count no more: as before, but of another kind.
    ///
    /// - Throws: `StorageError`, `.damaged` where no record stands there.
    package func withdraw(_ positions: [SpoolPosition]) throws(StorageError) {
        var buffer = ByteBuffer(capacity: 4096)
        for (number, places) in Dictionary(grouping: positions, by: \.file) {
            let file = try StorageFile(
                path: Self.filePath(folder: folder, number: number), flags: O_WRONLY,
                operation: "opening the spool file")
            for position in places {
                _ = try files.file(number).read(at: position.offset, into: &buffer)
                let record = UnsafeMutableRawBufferPointer(mutating: buffer.bytes)
                SpoolRecord.withdraw(record)
                try file.write(
                    UnsafeRawBufferPointer(rebasing: record[..<SpoolRecord.headerSize]), at: position.offset)
            }
            // After a power cut they must not count again, either.
            try file.synchronizeData()
        }
    }

    /// Lets another run have the folder, before the value goes.
    package func unlock() { flock(lock.number, LOCK_UN) }

    /// A writer with a file of its own, which goes on where an interrupted run's of that number ended.
    ///
    /// - Parameters:
    ///   - number: Distinct for each writer, from 0.
    ///   - rows: Where rows go whose place is known; nil: to the writer's own file.
    /// - Throws: `StorageError.system`.
    package func writer(_ number: Int, rows: InPlaceRows? = nil) throws(StorageError) -> SpoolWriter {
        let path = Self.filePath(folder: folder, number: number)
        guard written.withLock({ $0[number] == nil }) else {
            throw .system(operation: "creating the spool file", path: path, code: EEXIST)
        }
        let length = lengths.withLock { $0[number] ?? 0 }
        let file = try GrowingFile(path: path, length: length)
        written.withLock { $0[number] = file }
        return SpoolWriter(file, number: number, length: length, rows: rows)
    }

    /// Makes the file of rows whose place in the feature file is known before there is one.
    ///
    /// - Throws: `StorageError.system`, also where there is one, of an interrupted run.
    package func placedRows(bins: Int) throws(StorageError) -> InPlaceRows {
        try InPlaceRows(folder: folder, bins: bins)
    }

    /// Whether there is such a file.
    package var hasRows: Bool { files.hasRows }

    /// Closes the writers' files, once all have ended.
    package func endWriting() { written.withLock { $0 = [:] } }

    /// Brings everything that was written to the disk, whichever threads are writing on.
    ///
    /// - Throws: `StorageError.system`, also for what an earlier call has met with; every writer of the file throws it, too.
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
        unlink("\(folder)/\(Self.identityName)")
        // Only files of a spool: the folder is ours, but a mistyped --scratch must not cost anyone a file.
        for name in try names() where Self.isOwn(name) { unlink("\(folder)/\(name)") }
        files.close()
        lengths.withLock { $0 = [:] }
        written.withLock { $0 = [:] }
    }

    /// The files of clips, by number, each of which may be deleted on a thread of its own; from now on their clips count no
    /// more.
    ///
    /// - Throws: `StorageError.system`.
    package func abandon() throws(StorageError) -> [Int] {
        unlink("\(folder)/\(Self.identityName)")
        return try names().compactMap { Self.number(of: $0) }
    }

    /// Deletes a file of clips. What the system keeps of it in memory is given back then, which takes a while.
    package func delete(_ number: Int) {
        unlink(Self.filePath(folder: folder, number: number))
        _ = written.withLock { $0.removeValue(forKey: number) }
        files.close(number)
    }

    /// Deletes the spool: its clips stand in the feature file now, or are not wanted.
    ///
    /// - Throws: `StorageError.system`.
    package func remove() throws(StorageError) {
        try clear()
        unlink(folder + "/lock")
        guard rmdir(folder) != 0 else { return }
        let code = errno
        // Now that the lock is gone, another run may have taken the folder, and may even have deleted it: it is that run's.
        // Only what belongs to no run is an error.
        let left = (try? names()) ?? []
        guard code != ENOENT, !left.isEmpty, !left.contains("lock") else { return }
        throw .system(operation: "deleting the folder of finished clips", path: folder, code: code)
    }

    /// Path of the rows that lie where they will lie in the feature file.
    static func rowsPath(folder: String) -> String { "\(folder)/\(rowsName)" }

    static func filePath(folder: String, number: Int) -> String { "\(folder)/clips-\(number).spool" }

    /// Whether a run gives files this name, apart from the lock.
    private static func isOwn(_ name: String) -> Bool {
        [identityName, pointerName, manifestName, liveName, fileInProgressName, rowsName, partName].contains(name)
            || number(of: name) != nil || AtomicFile.isLeftover(name)
            || (name.hasPrefix(manifestName + ".") && name.hasSuffix(".part"))
    }

    /// The number in the name of a file of clips; nil: it is no such file.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix("clips-"), name.hasSuffix(".spool") else { return nil }
        // A name that a run would not give is somebody else's, be it a number: `clips--1.spool`, `clips-007.spool`.
        guard let number = Int(name.dropFirst(6).dropLast(6)), SpoolPosition.files.contains(number),
            name == "clips-\(number).spool"
        else { return nil }
        return number
    }

    private func names() throws(StorageError) -> [String] { try Self.names(in: folder) }

    static func names(in folder: String) throws(StorageError) -> [String] {
        do throws(SystemError) { return try DirectoryListing.names(in: folder) } catch {
            throw .system(operation: "listing the folder of finished clips", path: folder, code: error.code)
        }
    }

    /// Whether there is a file of more than 0 bytes.
    static func hasContent(_ path: String) -> Bool { FileStatus(path: path).map { $0.byteCount > 0 } ?? false }

    private static func lock(_ folder: String) throws(StorageError) -> StorageFile {
        while true {
            if mkdir(folder, 0o777) == 0 {
                Folder.synchronize(Folder.containing(folder))
            } else if errno != EEXIST {
                throw .system(operation: "making the folder for finished clips", path: folder, code: errno)
            }
            let path = folder + "/lock"
            try checkOwnership(folder)
            let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            if number < 0 {
                let code = errno
                // The run that held it has deleted the folder between the two calls.
                if code == ENOENT, FileStatus(path: folder) == nil { continue }
                throw .system(operation: "making the lock of the output", path: path, code: code)
            }
            let lock = StorageFile(number: number, path: path)
            guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path: folder, owner: owner(lock)) }
            // A lock on a file that its owner has deleted meanwhile locks nothing.
            if let held = FileStatus(descriptor: number), held.identity == FileStatus(path: path)?.identity {
                return lock
            }
        }
    }

    /// A folder of files called as ours are, but without a lock, is someone else's: ours has one for as long as it has others.
    static func checkOwnership(_ folder: String) throws(StorageError) {
        let lock = folder + "/lock"
        func isLocked() -> Bool {
            FileStatus(path: lock, followingLink: false) != nil || errno != ENOENT
        }
        guard !isLocked(), let names = try? names(in: folder), let found = names.first(where: isOwn) else { return }
        // Or has another run made the lock and the file meanwhile?
        guard !isLocked() else { return }
        throw .foreignFolder(path: folder, found: found)
    }

    private static func owner(_ lock: borrowing StorageFile) -> Int? {
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes { pread(lock.number, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int(String(decoding: text[..<count].filter { $0 != 10 }, as: UTF8.self))
    }

    /// The text of a small file in a folder; nil where there is none.
    static func text(_ folder: String, _ name: String) throws(StorageError) -> String? {
        let path = "\(folder)/\(name)"
        guard FileStatus(path: path) != nil || errno != ENOENT else { return nil }
        let file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        var buffer = ByteBuffer(capacity: 4096)
        try buffer.fill(count: file.regularSize ?? 0) { bytes throws(StorageError) in
            try file.read(into: bytes, at: 0)
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Writes a small file in the folder, whole or not at all, and brings it to the disk.
    private func write(_ text: String, to name: String) throws(StorageError) {
        let path = "\(folder)/\(name)"
        do throws(AtomicFileError) {
            try AtomicFile.write(Array(text.utf8), to: path, durably: true)
        } catch {
            throw StorageError(error, path: path)
        }
    }
}
