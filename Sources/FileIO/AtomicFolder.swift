import CPlatform
import Platform

/// A folder of files that takes its name when it is complete, so that an incomplete folder never has that name.
///
/// Until `commit` its name ends in `.partial-` and digits. Without `commit`, `deinit` deletes it. If the process ends before
/// that, the folder is left over until this machine next writes a folder of this name. It holds files, no folders.
package final class AtomicFolder {
    package let path: String
    /// The name until `commit`.
    package let temporaryPath: String
    private var isCommitted = false
    /// Held until the folder has its name.
    private let lock: TemporaryLock

    /// Creates the folder under its temporary name.
    ///
    /// - Parameter path: The final name.
    package init(path: String) throws(AtomicFileError) {
        let start = path + Self.mark + TemporaryLock.machine + "-"
        Self.removeAbandoned(start, of: path)
        while true {
            let temporary = start + TemporaryLock.randomDigits
            guard mkdir(temporary, 0o777) == 0 else { throw .creating(.last) }
            // Another process may have mistaken it for a leftover, and deleted it.
            guard let lock = TemporaryLock(holding: temporary) else { continue }
            (self.path, temporaryPath) = (path, temporary)
            self.lock = lock
            return
        }
    }

    private static let mark = ".partial-"
    private static let oldSuffix = "-old"

    /// Deletes the folders of processes that ended before `commit`.
    ///
    /// - Parameter start: What their paths start with.
    private static func removeAbandoned(_ start: String, of path: String) {
        let folder = Folder.containing(path)
        let slash = start.utf8.lastIndex(of: UInt8(ascii: "/"))
        let prefix = slash.map { String(start[start.utf8.index(after: $0)...]) } ?? start
        let names = (try? DirectoryListing.names(in: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            var digits = name.dropFirst(prefix.count)
            if digits.hasSuffix(oldSuffix) {
                // Where names cannot be exchanged, the folder that was to be replaced may be the only one left.
                guard FileStatus(path: path, followingLink: false) != nil else { continue }
                digits.removeLast(oldSuffix.count)
            }
            guard digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit) else { continue }
            TemporaryLock.removeAbandoned(folder: folder + "/" + name)
        }
    }

    deinit { if !isCommitted { Self.remove(temporaryPath) } }

    /// Gives the folder its name, after everything in it is on the disk.
    ///
    /// - Parameter replacing: Whether a folder of that name is deleted. An empty one always is.
    /// - Throws: `AtomicFileError`; what has the final name is untouched then, except after `.displaced`.
    package func commit(replacing: Bool) throws(AtomicFileError) {
        try Self.synchronize(temporaryPath)
        if let status = FileStatus(path: path), !status.isFolder { throw .notRegular }
        let own = FileStatus(path: temporaryPath)?.identity
        if rename(temporaryPath, path) == 0 {
            // If the disk did not confirm the new name, it is taken back, so that the same command can be given again.
            try synchronizeName(of: own) { rename(path, temporaryPath) == 0 }
        } else {
            let error = SystemError.last
            guard error.code == ENOTEMPTY || error.code == EEXIST else { throw .naming(error) }
            guard replacing else { throw .exists }
            try replace(by: own)
        }
        isCommitted = true
    }

    /// Waits until the new name is on the disk.
    ///
    /// - Parameters:
    ///   - own: The folder. Its name is not taken back if another folder has that name by now.
    ///   - undo: Takes the name back if that fails; returns whether it could.
    private func synchronizeName(of own: FileIdentity?, undo: () -> Bool) throws(AtomicFileError) {
        do throws(AtomicFileError) { try Self.synchronize(Folder.containing(path)) } catch {
            let isOwn = own != nil && FileStatus(path: path, followingLink: false)?.identity == own
            isCommitted = !isOwn || !undo()
            throw error
        }
    }

    private static func synchronize(_ folder: String) throws(AtomicFileError) {
        do throws(SystemError) { try Folder.synchronize(folder) } catch { throw .synchronizing(error) }
    }

    /// Exchanges the names of the two folders, and deletes the old one.
    private func replace(by own: FileIdentity?) throws(AtomicFileError) {
        // Held until the old folder is deleted.
        let oldLock = TemporaryLock(holding: path)
        defer { withExtendedLifetime(oldLock) {} }
        if veery_exchange(temporaryPath, path) == 0 {
            try synchronizeName(of: own) { veery_exchange(temporaryPath, path) == 0 }
            return Self.remove(temporaryPath)
        }
        // Some file systems cannot exchange names.
        let old = temporaryPath + Self.oldSuffix
        guard rename(path, old) == 0 else { throw .naming(.last) }
        guard rename(temporaryPath, path) == 0 else {
            let error = SystemError.last
            guard rename(old, path) == 0 else { throw .displaced(error, kept: old) }
            throw .naming(error)
        }
        try synchronizeName(of: own) { rename(path, temporaryPath) == 0 && rename(old, path) == 0 }
        Self.remove(old)
    }

    /// Deletes a folder and the files in it. Errors are ignored.
    static func remove(_ folder: String) {
        let names = (try? DirectoryListing.names(in: folder)) ?? []
        for name in names { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
