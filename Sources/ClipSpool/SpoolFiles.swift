import FileIO
import Platform
import Synchronization

/// The files of a spool, each opened once for all readers: if every worker opened every worker's file, the number of descriptors
/// would be the square of the number of workers. Of many shards, those that were opened last stay open.
final class SpoolFiles: Sendable {
    private let folder: String
    private let shards: [ShardFile]
    private let opened = Mutex<[Int: SpoolFile]>([:])
    private static let maximumOpened = 256
    private let inPlaceRows = Mutex<SpoolFile?>(nil)

    /// - Parameters:
    ///   - folder: The run's own folder.
    ///   - shards: Folders of shards. The numbers of their files follow `SpoolPosition.ownFiles`; as many numbers follow for their
    ///     summaries.
    ///   - maximum: Maximum number of files of shards.
    /// - Throws: `StorageError.system`, also where the folder of a shard is not there; `.tooManyFiles`.
    init(folder: String, shards folders: [String], maximum: Int) throws(StorageError) {
        self.folder = folder
        var shards: [ShardFile] = []
        for folder in folders {
            let numbers = try SpoolFolder.names(folder).compactMap(SpoolFolder.number).sorted()
            shards += numbers.map { ShardFile(folder: folder, number: $0) }
        }
        guard shards.count <= maximum else {
            throw .tooManyFiles(folder: folder, count: shards.count, maximum: maximum)
        }
        self.shards = shards
    }

    /// Those of a run's own folder.
    init(folder: String) { (self.folder, shards) = (folder, []) }

    /// The numbers of the files of shards.
    var shardNumbers: Range<Int> {
        SpoolPosition.shardFiles.lowerBound..<SpoolPosition.shardFiles.lowerBound + shards.count
    }

    /// A file of clips in the folder of a shard.
    private struct ShardFile: Sendable {
        let folder: String
        /// Its number there.
        let number: Int
    }

    /// The path of the file of this number.
    func path(_ number: Int) -> String {
        let shard = number - SpoolPosition.ownFiles.upperBound
        switch shard {
        case 0..<shards.count: return SpoolFolder.filePath(shards[shard].folder, number: shards[shard].number)
        case shards.count..<2 * shards.count:
            let file = shards[shard - shards.count]
            return SpoolFolder.summaryPath(file.folder, number: file.number)
        default: return SpoolFolder.filePath(folder, number: number)
        }
    }

    /// The number of the file with the rows of the clips whose records are in the file of this number. It is that file itself;
    /// for a summary, it is the file that the summary describes.
    func fileOfRows(_ number: Int) -> Int {
        let isSummary = number >= SpoolPosition.ownFiles.upperBound + shards.count
        return isSummary ? number - shards.count : number
    }

    /// The number of the summary of a shard's file.
    func summary(ofFile number: Int) -> Int { number + shards.count }

    /// The file of this number.
    ///
    /// - Throws: `StorageError.system`.
    func file(_ number: Int) throws(StorageError) -> SpoolFile {
        if let file = opened.withLock({ $0[number] }) { return file }
        let file = try SpoolFile(path: path(number))
        return opened.withLock { opened in
            let kept = opened[number] ?? file
            // A reader that uses a file keeps it open.
            if opened.count >= Self.maximumOpened { opened = opened.filter { SpoolPosition.ownFiles.contains($0.key) } }
            opened[number] = kept
            return kept
        }
    }

    /// The file of `InPlaceRows`.
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
    var hasRows: Bool { FileStatus(path: SpoolFolder.rowsPath(folder)) != nil }

    /// Forgets a file of clips; it is closed when no reader uses it.
    func close(_ number: Int) { _ = opened.withLock { $0.removeValue(forKey: number) } }

    /// Forgets all open files: other files may take their names.
    func close() {
        opened.withLock { $0 = [:] }
        inPlaceRows.withLock { $0 = nil }
    }
}

/// One file of a spool, opened for reading. Safe to use from any number of threads.
final class SpoolFile: Sendable {
    /// To read bytes that are not a record.
    let file: StorageFile
    /// Bytes that few records without rows exceed.
    private static let guess = 4096
    var path: String { file.path }

    init(path: String) throws(StorageError) {
        file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the spool file")
    }

    /// Length in bytes at this moment.
    var byteCount: Int { file.regularSize ?? 0 }

    /// Reads a whole record, header and payload, and checks it.
    ///
    /// - Throws: `StorageError.damaged` if there is no intact record at `offset`.
    func read(at offset: Int, into buffer: inout ByteBuffer) throws(StorageError) -> SpoolRecord.Header {
        // Most records are read by one call.
        try buffer.fill(upTo: Self.guess) { bytes throws(StorageError) in try file.readSome(into: bytes, at: offset) }
        guard let header = SpoolRecord.header(buffer.bytes) else {
            throw .damaged(path: path, found: "no record at byte \(offset)")
        }
        let size = SpoolRecord.headerSize + header.byteCount
        if size <= buffer.count {
            buffer.truncate(to: size)
        } else {
            // A damaged length may claim more than the memory.
            guard size <= byteCount - offset else {
                throw .damaged(path: path, found: "the record at byte \(offset) ends past the end of the file")
            }
            try fill(&buffer, count: size, at: offset)
        }
        guard SpoolRecord.checksum(of: buffer.bytes) == header.checksum else {
            throw .damaged(path: path, found: "the record at byte \(offset) does not match its checksum")
        }
        return header
    }

    /// Whether the file ends within the record at `offset`.
    ///
    /// - Throws: `StorageError.system`.
    func isCutShort(at offset: Int, into buffer: inout ByteBuffer) throws(StorageError) -> Bool {
        guard byteCount - offset >= SpoolRecord.headerSize else { return true }
        try fill(&buffer, count: SpoolRecord.headerSize, at: offset)
        guard let header = SpoolRecord.header(buffer.bytes) else { return false }
        return header.byteCount > byteCount - offset - SpoolRecord.headerSize
    }

    private func fill(_ buffer: inout ByteBuffer, count: Int, at offset: Int) throws(StorageError) {
        try buffer.fill(count: count) { bytes throws(StorageError) in try file.read(into: bytes, at: offset) }
    }
}
