import FileIO
import Platform
import Synchronization

/// The files of a spool, each opened once for all readers: if every worker opened every worker's file, the number of descriptors
/// would be the square of the number of workers.
final class SpoolFiles: Sendable {
    private let folder: String
    private let opened = Mutex<[Int: SpoolFile]>([:])
    private let inPlaceRows = Mutex<SpoolFile?>(nil)

    init(folder: String) { self.folder = folder }

    /// The file of this number.
    ///
    /// - Throws: `StorageError.system`.
    func file(_ number: Int) throws(StorageError) -> SpoolFile {
        if let file = opened.withLock({ $0[number] }) { return file }
        let file = try SpoolFile(path: SpoolFolder.filePath(folder, number: number))
        return opened.withLock { opened in
            let kept = opened[number] ?? file
            opened[number] = kept
            return kept
        }
    }

    /// The file of rows in place.
    ///
    /// - Throws: `StorageError.system`, also if there is none.
    func rows() throws(StorageError) -> SpoolFile {
        if let file = inPlaceRows.withLock({ $0 }) { return file }
        let file = try SpoolFile(path: SpoolFolder.rowsPath(folder))
        return inPlaceRows.withLock { opened in
            let kept = opened ?? file
            opened = kept
            return kept
        }
    }

    /// Whether that file is there.
    var hasRows: Bool {
        FileStatus(path: SpoolFolder.rowsPath(folder)) != nil
    }

    /// Forgets a file of clips; it is closed when no reader uses it.
    func close(_ number: Int) { _ = opened.withLock { $0.removeValue(forKey: number) } }

    /// Forgets all open files: other files may take their names.
    func close() {
        opened.withLock { $0 = [:] }
        inPlaceRows.withLock { $0 = nil }
    }
}
