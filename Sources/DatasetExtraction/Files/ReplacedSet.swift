import FeatureStorage
import FileIO
import Platform

/// A set whose index is replaced by a newer one. The older index is kept under another name until its files are deleted, so that
/// after SIGKILL the next run deletes the rest.
struct ReplacedSet {
    private let paths: FeatureSetPaths
    /// The path of a copy of the older index.
    private var note: String { paths.index + ".replaced" }

    init(_ paths: FeatureSetPaths) { self.paths = paths }

    /// Gives an index its name, and deletes the files of the set that it replaces.
    ///
    /// - Parameters:
    ///   - older: The existing index; nil: there is none.
    ///   - temporary: A name until a file is complete, on the same file system; an existing file is overwritten.
    /// - Throws: `StorageError.system`.
    func replace(
        _ older: FeatureSetIndex?, by index: FeatureSetIndex, temporary: String
    ) throws(StorageError) {
        removeFiles()
        // If the user has deleted the index, the old files are no longer ours to delete, even if an earlier run noted them.
        if let older { try older.write(to: note, temporary: temporary) } else { unlink(note) }
        try index.write(to: paths.index, temporary: temporary)
        removeFiles()
    }

    /// Deletes the files of a replaced set, as far as their names are those of a set and the newer one does not have them; nothing
    /// where there is none, or where it has not been replaced yet.
    func removeFiles() {
        guard let older = try? FeatureSetIndex(path: note), let newer = try? FeatureSetIndex(path: paths.index),
            newer != older
        else { return }
        let kept = Set(newer.files.map(\.name))
        var isDone = true
        for (number, file) in older.files.enumerated() where !kept.contains(file.name) {
            let path = paths.file(number + 1, of: older.files.count)
            guard path.hasSuffix("/" + file.name) || path == file.name, HDF5Signature.begins(path) else { continue }
            if unlink(path) != 0, errno != ENOENT { isDone = false }
        }
        // The next run tries again.
        if isDone { unlink(note) }
    }
}
