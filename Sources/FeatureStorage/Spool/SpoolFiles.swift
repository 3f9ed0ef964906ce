import Synchronization

/// The files of a spool, each opened once, for all readers: a reader of its own for every worker would need as many
/// descriptors as the square of the number of workers.
final class SpoolFiles: Sendable {
    private let folder: String
    private let opened = Mutex<[Int: SpoolFile]>([:])

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
}
