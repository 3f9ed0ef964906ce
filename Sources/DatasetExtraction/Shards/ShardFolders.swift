import ClipSpool
import Essentials
import FeatureStorage
import FileIO
import Platform

/// The folder `FEATURES.h5.shards` next to an output, with a folder for each shard that is done and for each attempt at one.
///
/// Attempts have names of their own, so that two at once, on one machine or two, never write to the same file. The first that is
/// complete gets the shard's name, by renaming: there is no lock, and no process of another machine is trusted to be alive or dead.
struct ShardFolders: Sendable {
    /// The path of the folder.
    let path: String

    init(output: String) { path = output + ".shards" }

    /// A shard that is done, or an attempt at one.
    struct Found: Sendable {
        let shard: Shard
        /// The path of its folder.
        let folder: String
        /// Whether it is an attempt.
        let isAttempt: Bool
    }

    /// The path of a shard that is done.
    func folder(of shard: Shard) -> String { "\(path)/\(shard.folderName)" }

    /// A path for an attempt at a shard that no other has: with the host, the process, the time, and a random number, since two
    /// threads may ask in one microsecond, and containers may share the names of hosts and processes.
    func newAttempt(at shard: Shard) -> String { "\(folder(of: shard)).\(Self.attemptName())" }

    private static func attemptName() -> String {
        let host = ProcessInfo.processInfo.hostName.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        let time = UInt64(Date().timeIntervalSince1970 * 1e6)
        let random = UInt32.random(in: 0...UInt32.max)
        return "\(host.prefix(40))-\(getpid())-\(String(time, radix: 36))-\(String(random, radix: 36))"
    }

    /// What is in the folder, by number of the shard, those that are done first; nothing if there is no such folder.
    ///
    /// - Throws: `StorageError.system`.
    func contents() throws(StorageError) -> [Found] {
        let names: [String]
        do throws(SystemError) { names = try DirectoryListing.names(in: path) } catch {
            guard error.code != ENOENT else { return [] }
            throw .system(operation: "listing the folder of shards", path: path, code: error.code)
        }
        let found = names.compactMap { name -> Found? in
            let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let shard = Shard(folderName: parts[0]) else { return nil }
            return Found(shard: shard, folder: "\(path)/\(name)", isAttempt: parts.count > 1)
        }
        return found.sorted {
            ($0.shard.number, $0.isAttempt ? 1 : 0, $0.folder) < ($1.shard.number, $1.isAttempt ? 1 : 0, $1.folder)
        }
    }

    /// The folders that have clips of a run: of each shard that which is done, or the attempts at it.
    ///
    /// - Throws: `StorageError.system`.
    func usable() throws(StorageError) -> [String] {
        var folders: [String] = []
        var done = 0
        for entry in try contents() {
            if !entry.isAttempt { done = entry.shard.number }
            guard !entry.isAttempt || done != entry.shard.number,
                try SpoolNote.identity.text(in: entry.folder) != nil
            else { continue }
            folders.append(entry.folder)
        }
        return folders
    }

    /// Makes the folder, if there is none.
    ///
    /// - Throws: `StorageError.system`.
    func make() throws(StorageError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw .system(operation: "making the folder of shards", path: path, code: errno)
    }

    /// Gives a complete attempt the name of its shard.
    ///
    /// - Returns: Whether it has the name; false: another attempt was complete before, or somebody has deleted this one.
    /// - Throws: `StorageError.system`.
    func complete(_ attempt: String, of shard: Shard) throws(StorageError) -> Bool {
        let folder = folder(of: shard)
        // Whoever deletes an attempt deletes its identity first.
        guard let own = FileStatus(path: attempt)?.identity, try SpoolNote.identity.text(in: attempt) != nil else {
            return false
        }
        guard rename(attempt, folder) != 0 else {
            try StorageError.synchronize(folder: path)
            return true
        }
        let code = errno
        // A server may have done it and lost the answer: then the folder of that name is the same.
        if FileStatus(path: folder)?.identity == own { return true }
        guard [EEXIST, ENOTEMPTY, ENOENT].contains(code) else {
            throw .system(operation: "naming the folder of the shard", path: folder, code: code)
        }
        return false
    }

    /// A path that no other attempt has, for a file of a set until it is complete.
    func newFile() -> String { "\(path)/\(Self.filePrefix)\(Self.attemptName())" }

    /// Deletes folders of shards and attempts as far as their files are those of a run, files that were not completed, and then the
    /// folder itself if it is empty.
    ///
    /// - Parameter kept: Folders that are not deleted although they may not be needed.
    /// - Returns: Those, and the ones that could not be deleted.
    @discardableResult
    func remove(_ found: [Found], leaving kept: LeftShards = LeftShards()) -> LeftShards {
        var left = kept
        for entry in found {
            if let refusal = Spool.removeUnlocked(folder: entry.folder) { left.add(entry.folder, refusal) }
        }
        let names = (try? DirectoryListing.names(in: path)) ?? []
        for name in names where name.hasPrefix(Self.filePrefix) {
            let file = "\(path)/\(name)"
            if unlink(file) != 0, errno != ENOENT { left.add(file, .last) }
        }
        rmdir(path)
        return left
    }

    /// Whether an error says no more than that somebody has deleted, or is deleting, what an attempt reads or writes here: all is
    /// done, or another attempt has taken it up.
    func isDeletion(_ error: any Error, of attempt: String? = nil) -> Bool {
        switch error {
        case StorageError.system(_, let path, let code):
            SystemError(code: code).isAbsence && contains(path)
        // The lock is deleted before other files.
        case StorageError.foreignFolder(let path, _): path == attempt
        default: false
        }
    }

    func contains(_ path: String) -> Bool { path == self.path || path.hasPrefix(self.path + "/") }

    private static let filePrefix = "file-"
}
