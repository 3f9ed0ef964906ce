#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that holds the clips which are done, until all are and the feature file can be put together.
///
/// The folder is locked for as long as the value lives, so that two runs cannot write to one output.
package final class Spool: Sendable {
    /// The folder.
    package let folder: String
    private let lock: FileDescriptor
    private let files: SpoolFiles

    /// Makes the folder, locks it, and empties it of what an interrupted run left.
    ///
    /// - Throws: `StorageError.busy` where another process holds it, or `.system`.
    package init(folder: String) throws(StorageError) {
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw .system(operation: "making the folder for finished clips", path: folder, code: errno)
        }
        self.folder = folder
        files = SpoolFiles(folder: folder)
        lock = try FileDescriptor(
            path: folder + "/lock", flags: O_RDWR | O_CREAT, operation: "making the lock of the output")
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            throw .busy(path: folder, owner: Self.owner(lock))
        }
        var owner = ByteBuffer(capacity: 32)
        "\(getpid())\n".utf8.forEach { owner.append($0) }
        ftruncate(lock.number, 0)
        try lock.write(owner.bytes, at: 0)
        try removeFiles()
    }

    /// A writer with a file of its own.
    ///
    /// - Parameter number: Distinct for each writer, from 0.
    /// - Throws: `StorageError.system`.
    package func writer(_ number: Int) throws(StorageError) -> SpoolWriter {
        try SpoolWriter(folder: folder, number: number)
    }

    /// A reader of everything that is flushed.
    package func reader() -> SpoolReader { SpoolReader(files: files) }

    /// Deletes the spool: its clips stand in the feature file now.
    ///
    /// - Throws: `StorageError.system`.
    package func remove() throws(StorageError) {
        try removeFiles()
        unlink(folder + "/lock")
        guard rmdir(folder) == 0 else {
            throw .system(operation: "deleting the folder of finished clips", path: folder, code: errno)
        }
    }

    static func filePath(folder: String, number: Int) -> String { "\(folder)/clips-\(number).spool" }

    private func removeFiles() throws(StorageError) {
        guard let listing = opendir(folder) else {
            throw .system(operation: "listing the folder of finished clips", path: folder, code: errno)
        }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Only files of a spool: the folder is ours, but a mistyped --scratch must not cost anyone a file.
            if name.hasPrefix("clips-"), name.hasSuffix(".spool"), Int(name.dropFirst(6).dropLast(6)) != nil {
                unlink("\(folder)/\(name)")
            }
        }
    }

    private static func owner(_ lock: borrowing FileDescriptor) -> Int? {
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes { pread(lock.number, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int(String(decoding: text[..<count].filter { $0 != 10 }, as: UTF8.self))
    }
}
