import CSpawn
import Platform

/// A folder of files that takes its name when it is complete, so that an incomplete folder never has that name.
///
/// Until `commit` its name ends in `.partial-` and random digits. A folder without `commit` is deleted; only the end of the
/// process can leave it behind. It holds files, no folders.
package final class AtomicFolder {
    package let path: String
    /// The name until then.
    package let temporaryPath: String
    private var isCommitted = false

    /// Creates the folder under its temporary name.
    ///
    /// - Parameter path: The final name.
    package init(path: String) throws(AtomicFileError) {
        self.path = path
        temporaryPath = path + ".partial-" + String(UInt64.random(in: .min ... .max), radix: 16)
        guard mkdir(temporaryPath, 0o777) == 0 else {
            isCommitted = true
            throw .creating(.last)
        }
    }

    deinit { if !isCommitted { Self.remove(temporaryPath) } }

    /// Gives the folder its name, after everything in it is on the disk.
    ///
    /// - Parameter replacing: Whether a folder of that name is deleted. An empty one always is.
    /// - Throws: `AtomicFileError`; what has the final name is untouched then, except after `.displaced`, and where the disk does
    ///   not take the new name (`.synchronizing`).
    package func commit(replacing: Bool) throws(AtomicFileError) {
        try Self.synchronize(temporaryPath)
        if let status = FileStatus(path: path), !status.isFolder { throw .notRegular }
        if rename(temporaryPath, path) != 0 {
            let error = SystemError.last
            guard error.code == ENOTEMPTY || error.code == EEXIST else { throw .naming(error) }
            guard replacing else { throw .exists }
            try replace()
        }
        isCommitted = true
        try Self.synchronize(Folder.containing(path))
    }

    private static func synchronize(_ folder: String) throws(AtomicFileError) {
        do throws(SystemError) { try Folder.synchronize(folder) } catch { throw .synchronizing(error) }
    }

    /// Exchanges the names of the two folders, and deletes the old one.
    private func replace() throws(AtomicFileError) {
        if veery_exchange(temporaryPath, path) == 0 { return Self.remove(temporaryPath) }
        // Some file systems cannot exchange names.
        let old = temporaryPath + "-old"
        guard rename(path, old) == 0 else { throw .naming(.last) }
        guard rename(temporaryPath, path) == 0 else {
            let error = SystemError.last
            guard rename(old, path) == 0 else { throw .displaced(error, kept: old) }
            throw .naming(error)
        }
        Self.remove(old)
    }

    /// Deletes a folder and the files in it. Errors are ignored.
    private static func remove(_ folder: String) {
        let names = (try? DirectoryListing.names(in: folder)) ?? []
        for name in names { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
