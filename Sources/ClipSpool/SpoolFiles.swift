import FileIO
import Platform
import Synchronization

/// The files of a spool, each opened once, for all readers: a reader of its own for every worker would need as many
/// descriptors as the square of the number of workers.
final class SpoolFiles: Sendable {
    private let folder: String
    private let opened = Mutex<[Int: SpoolFile]>([:])
    private let placedRows = Mutex<SpoolFile?>(nil)

    init(folder: String) { self.folder = folder }

    /// The file of this number.
    ///
    /// - Throws: `StorageError.system`.
    func file(_ number: Int) throws(StorageError) -> SpoolFile {
        if let file = opened.withLock({ $0[number] }) { return file }
        let file = try SpoolFile(path: Spool.filePath(folder: folder, number: number))
        return opened.withLock { opened in
            let kept = opened[number] ?? file
            opened[number] = kept
            return kept
        }
    }

    /// The file of rows that lie where they will lie in the feature file.
    ///
    /// - Throws: `StorageError.system`, also where there is none.
    func rows() throws(StorageError) -> SpoolFile {
        if let file = placedRows.withLock({ $0 }) { return file }
        let file = try SpoolFile(path: Spool.rowsPath(folder: folder))
        return placedRows.withLock { placed in
            let kept = placed ?? file
            placed = kept
            return kept
        }
    }

    /// Whether that file is there.
    var hasRows: Bool {
        FileStatus(path: Spool.rowsPath(folder: folder)) != nil
    }

    /// Closes a file of clips, if nobody reads it.
    func close(_ number: Int) { _ = opened.withLock { $0.removeValue(forKey: number) } }

    /// Forgets what was opened: other files may come to stand there.
    func close() {
        opened.withLock { $0 = [:] }
        placedRows.withLock { $0 = nil }
    }
}
