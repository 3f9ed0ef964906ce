import FileIO
import Platform

/// What is in the folder of a `Spool`, by reading alone: nothing is made, changed or kept locked.
package struct SpoolContents: Sendable {
    /// The folder.
    package let folder: String
    /// Of which run the clips are; nil: there are none.
    package let identity: String?
    /// The folder in which the clips are instead of this one; nil: they are here.
    package let pointer: String?
    /// Whether any clip, or part of one, has been written.
    package let hasClips: Bool
    private let files: SpoolFiles
    private let numbers: [Int]

    /// Looks at a folder.
    ///
    /// - Parameter isHeld: Whether the caller holds its lock.
    /// - Returns: nil where there is no such folder.
    /// - Throws: `StorageError.busy` where a run is at work on it, or `.system`.
    package init?(folder: String, isHeld: Bool = false) throws(StorageError) {
        let numbers: [Int]
        do throws(StorageError) {
            numbers = try Spool.names(in: folder).compactMap(Spool.number)
        } catch {
            if case .system(_, _, ENOENT) = error { return nil }
            throw error
        }
        try Spool.checkOwnership(folder)
        self.folder = folder
        self.numbers = numbers.sorted()
        files = SpoolFiles(folder: folder)
        if !isHeld { try Self.checkLock(folder) }
        identity = try Spool.text(folder, Spool.identityName)
        pointer = try Spool.text(folder, Spool.pointerName)
        hasClips = numbers.contains { Spool.hasContent(Spool.filePath(folder: folder, number: $0)) }
    }

    /// What a scan says of the folder's files.
    package struct Extent: Sendable {
        /// Bytes that count of each file of clips, by its number: behind damage, and behind the last clip that is complete, a
        /// file counts for nothing.
        var lengths: [Int: Int] = [:]
        /// Paths of the files that are damaged, and not only cut short by the end of a run.
        package private(set) var damaged: [String] = []

        fileprivate mutating func add(_ number: Int, length: Int, damagedPath: String?) {
            lengths[number] = length
            if let damagedPath { damaged.append(damagedPath) }
        }
    }

    /// Hands over what the folder holds of each clip.
    ///
    /// - Throws: `StorageError.system`.
    /// - Complexity: Reads everything in the folder.
    @discardableResult
    package func scan(_ receive: (SpoolScan.Entry) -> Void) throws(StorageError) -> Extent {
        var extent = Extent()
        for number in numbers {
            var scan = try SpoolScan(files, number: number)
            let (length, isDamaged) = try scan.run(receive)
            extent.add(
                number, length: length,
                damagedPath: isDamaged ? Spool.filePath(folder: folder, number: number) : nil)
        }
        return extent
    }

    /// Whether the folder is on the file system of the one that it lies in, so that a file can be moved there by its name.
    package var isBesideOutput: Bool {
        guard let own = FileStatus(path: folder), let parent = FileStatus(path: Folder.containing(folder)) else {
            return true
        }
        return own.identity.device == parent.identity.device
    }

    /// Whether the rows are there that do not lie among the clips' records.
    package var hasRows: Bool { files.hasRows }

    /// A reader of everything that is written.
    package func reader() -> SpoolReader { SpoolReader(files: files) }

    /// Takes the lock for a moment, as one that others may have at the same time: a run holds it for itself alone.
    private static func checkLock(_ folder: String) throws(StorageError) {
        let path = folder + "/lock"
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        // Without a lock, nobody holds it.
        guard number >= 0 else { return }
        let isFree = flock(number, LOCK_SH | LOCK_NB) == 0
        // Closing it gives the lock back.
        close(number)
        guard !isFree else { return }
        let owner = (try Spool.text(folder, "lock") ?? "").filter { $0 != "\n" }
        throw .busy(path: folder, owner: Int(owner))
    }
}
