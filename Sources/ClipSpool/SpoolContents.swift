import FileIO
import Platform

/// What is in the folder of a `Spool`, found by reading alone: nothing is created, changed or kept locked.
package struct SpoolContents: Sendable {
    /// The folder.
    package let folder: String
    /// The run that the clips are of; nil: there are none.
    package let identity: String?
    /// The folder that has the clips instead of this one; nil: this one has them.
    package let pointer: String?
    /// Whether any clip, or part of one, has been written.
    package let hasClips: Bool
    /// The folders of shards whose clips are in it, too.
    package let shards: [String]
    let files: SpoolFiles
    /// The files of shards, then those of the folder itself: what the run itself has done counts where both have a clip.
    private let numbers: [Int]

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - isHeld: Whether the caller holds its lock.
    ///   - shards: Folders of other runs, each of a part of the manifest, which nobody needs to hold: their clips count as well.
    /// - Returns: nil where there is no such folder, and there are no shards.
    /// - Throws: `StorageError.busy` if a run is using it, or `.system`.
    package init?(folder: String, isHeld: Bool = false, shards: [String] = []) throws(StorageError) {
        var names: [String] = []
        do throws(StorageError) {
            names = try SpoolFolder.names(folder)
        } catch {
            guard case .system(_, _, ENOENT) = error else { throw error }
            guard !shards.isEmpty else { return nil }
        }
        try SpoolFolder.checkOwnership(folder)
        self.folder = folder
        self.shards = shards
        files = try SpoolFiles(folder: folder, shards: shards, maximum: SpoolPosition.shardFiles.count)
        if !isHeld { try Self.checkLock(folder) }
        identity = try SpoolNote.identity.text(in: folder)
        // Without an identity, the folder's own clips will be deleted.
        let own = shards.isEmpty || identity != nil ? names.compactMap(SpoolFolder.number).sorted() : []
        numbers = files.shardNumbers + own
        pointer = try SpoolNote.pointer.text(in: folder)
        hasClips = SpoolFolder.hasClips(folder, names) || !files.shardNumbers.isEmpty
    }

    /// What a scan says of the folder's files.
    package struct Extent: Sendable {
        /// Bytes of each file of clips that count, by its number: up to damage, or to the end of the last complete clip.
        var lengths: [Int: Int] = [:]
        /// Paths of the files that are damaged, and not only cut short by the end of a run.
        package private(set) var damaged: [String] = []

        package init() {}

        package mutating func add(_ file: FileExtent) {
            lengths[file.number] = file.length
            if let path = file.damagedPath { damaged.append(path) }
        }
    }

    /// What a scan says of one file: how many of its bytes count.
    package struct FileExtent: Sendable {
        let number: Int
        let length: Int
        /// Its path, if it is damaged.
        let damagedPath: String?
    }

    /// Hands over what the folder holds of each clip.
    ///
    /// - Throws: `StorageError.system`.
    /// - Complexity: Reads everything in the folder.
    @discardableResult
    package func scan(_ receive: (SpoolScan.Entry) -> Void) throws(StorageError) -> Extent {
        var extent = Extent()
        for file in 0..<fileCount { extent.add(try scan(file: file, receive)) }
        return extent
    }

    /// Number of files of clips: first those of shards, then the folder's own.
    package var fileCount: Int { numbers.count }
    /// Those among them that are of shards.
    package var shardFileCount: Int { numbers.prefix { !SpoolPosition.ownFiles.contains($0) }.count }

    /// Hands over what one of the files holds of each clip. Several threads may scan one file each.
    ///
    /// - Parameter file: Its index, less than `fileCount`.
    /// - Throws: `StorageError.system`.
    /// - Complexity: Reads the file.
    package func scan(file: Int, _ receive: (SpoolScan.Entry) -> Void) throws(StorageError) -> FileExtent {
        let number = numbers[file]
        var scan = try SpoolScan(files, number: number)
        let (length, isDamaged) = try scan.run(receive)
        return FileExtent(number: number, length: length, damagedPath: isDamaged ? files.path(number) : nil)
    }

    /// Whether the folder is on the file system of the one that it lies in, so that a file can be moved there by its name.
    package var isBesideOutput: Bool {
        guard let own = FileStatus(path: folder), let parent = FileStatus(path: Folder.containing(folder)) else {
            return true
        }
        return own.identity.device == parent.identity.device
    }

    /// Whether the folder has a file of `InPlaceRows`.
    package var hasRows: Bool { files.hasRows }

    /// A reader of everything that is written.
    package func reader() -> SpoolReader { SpoolReader(files: files) }

    /// Takes the lock for a moment, shared with other readers; a run holds it exclusively.
    private static func checkLock(_ folder: String) throws(StorageError) {
        let path = "\(folder)/\(SpoolFolder.lockName)"
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // Without the file, no run holds the lock.
        guard number >= 0 else { return }
        let isFree = flock(number, LOCK_SH | LOCK_NB) == 0
        // Closing the file releases the lock.
        close(number)
        guard !isFree else { return }
        let owner = (try SpoolFolder.text(folder, SpoolFolder.lockName) ?? "").filter { $0 != "\n" }
        throw .busy(path: folder, owner: Int(owner))
    }
}
