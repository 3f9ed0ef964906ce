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
    private let file: StorageFile
    /// Bytes that few records without rows exceed.
    private static let guess = 4096
    var path: String { file.path }

    init(path: String) throws(StorageError) {
        file = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the spool file")
    }

    /// Length in bytes at this moment.
    var byteCount: Int { file.regularSize ?? 0 }

    /// Fills all of `bytes` from `offset` on.
    ///
    /// - Throws: `StorageError`, `.damaged` if the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        try file.read(into: bytes, at: offset)
    }

    /// Reads from `offset` on by a single call; returns the number of bytes.
    ///
    /// - Throws: `StorageError.system`.
    func readSome(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int {
        try file.readSome(into: bytes, at: offset)
    }

    /// Reads a whole record of a kind, header and payload, and checks it.
    ///
    /// - Throws: `StorageError.damaged` if there is no intact record of this kind at `offset`.
    func read(
        _ kind: SpoolRecord.Kind, at offset: Int, into buffer: inout ByteBuffer
    ) throws(StorageError) -> SpoolRecord.Header {
        let header = try read(at: offset, into: &buffer)
        guard header.kind == kind else {
            throw .damaged(path: path, found: "no record of the expected kind at byte \(offset)")
        }
        return header
    }

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
