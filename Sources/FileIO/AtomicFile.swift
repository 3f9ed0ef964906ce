import Platform

/// Why an `AtomicFile` was not created, written or named.
package enum AtomicFileError: Error, Hashable, Sendable {
    /// A file of that name exists, and is not to be replaced.
    case exists
    /// Something other than a regular file has the name.
    case notRegular
    case creating(SystemError)
    /// The system refused the bytes from this offset on, such as on a full disk.
    case writing(SystemError, offset: Int)
    /// The system refused to write the file to the disk.
    case synchronizing(SystemError)
    /// The system refused to close the file, and may have lost some of it.
    case closing(SystemError)
    /// The system refused to give the file its name.
    case naming(SystemError)
    /// The system refused to give a folder its name, and to give the older folder its name back: that one is named `kept` now.
    case displaced(SystemError, kept: String)
}

extension AtomicFileError {
    /// The system's error; nil: the name is taken.
    package var system: SystemError? {
        switch self {
        case .exists, .notRegular: nil
        case .creating(let error), .writing(let error, _), .synchronizing(let error), .closing(let error),
            .naming(let error), .displaced(let error, _):
            error
        }
    }
}

/// A file that takes its name when it is complete, so that an incomplete file never has that name.
///
/// Until `commit` it has another name in the same folder. Without `commit`, `deinit` deletes it. If the
/// process ends before that, the file is left over until this machine next writes a file of this name.
package final class AtomicFile {
    /// What may have the final name.
    package enum Replacing: Sendable {
        /// No file, neither when this one is created nor on `commit`.
        case nothing
        /// A regular file, or none. The file is replaced; if the name is that of a link, the link is, not its target.
        case regularFile
    }

    package let path: String
    /// The name until `commit`.
    package let temporaryPath: String
    /// The open file; −1 when it has been closed.
    package private(set) var descriptor: Int32
    private let replacing: Replacing
    private var offset = 0
    private var isCommitted = false
    /// Held until the file has its name.
    private let lock: TemporaryLock
    private let identity: FileIdentity?

    /// Creates the file under its temporary name.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - replacing: What may have the final name.
    package init(path: String, replacing: Replacing) throws(AtomicFileError) {
        try Self.check(path, replacing)
        // First a name that is always the same, so that a file left over by an ended process is found and deleted; if another
        // process is writing a file of that name, random ones.
        var temporary = Self.temporaryPath(path, TemporaryLock.machine + TemporaryLock.digits(of: Self.name(path)))
        while true {
            let number = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if number >= 0 {
                // Another process may have mistaken it for a leftover, and deleted it.
                if let lock = TemporaryLock(holding: temporary, number) {
                    (self.path, self.replacing, temporaryPath, descriptor) = (path, replacing, temporary, number)
                    self.lock = lock
                    identity = FileStatus(descriptor: number)?.identity
                    return
                }
                close(number)
            } else {
                guard errno == EEXIST else { throw .creating(.last) }
                if TemporaryLock.removeAbandoned(file: temporary) { continue }
            }
            temporary = Self.temporaryPath(path, TemporaryLock.randomDigits)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isCommitted, isInPlace { unlink(temporaryPath) }
    }

    /// Appends bytes.
    ///
    /// - Throws: `AtomicFileError.writing`.
    package func write(_ bytes: [UInt8]) throws(AtomicFileError) {
        try Self.write(bytes, to: descriptor, offset: offset)
        offset += bytes.count
    }

    /// Writes all bytes to an open file or pipe, such as standard output.
    ///
    /// - Parameter offset: Bytes written before, for the error.
    /// - Throws: `AtomicFileError.writing`.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, offset: Int = 0) throws(AtomicFileError) {
        let written: Result<Void, AtomicFileError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(AtomicFileError) in try write(bytes, to: descriptor, offset: offset) }
        }
        try written.get()
    }

    /// Writes all bytes to an open file or pipe, such as standard output.
    ///
    /// - Parameter offset: Bytes written before, for the error.
    /// - Throws: `AtomicFileError.writing`.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, offset: Int = 0
    ) throws(AtomicFileError) {
        var done = 0
        while done < bytes.count {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .writing(.last, offset: offset + done) }
            done += count
        }
    }

    /// Waits until everything written is on the disk.
    ///
    /// - Throws: `AtomicFileError.synchronizing`.
    package func synchronize() throws(AtomicFileError) {
        guard fsync(descriptor) == 0 else { throw .synchronizing(.last) }
    }

    /// Whether the temporary name is still this file's. Where a file system has no locks that other processes see, one of them may
    /// have taken the file for an abandoned one, and have given the name to its own.
    private var isInPlace: Bool {
        identity != nil && FileStatus(path: temporaryPath, followingLink: false)?.identity == identity
    }

    /// Gives the file its name.
    ///
    /// - Throws: `AtomicFileError`; the final name is untouched then.
    package func commit() throws(AtomicFileError) {
        let number = descriptor
        descriptor = -1
        guard close(number) == 0 else { throw .closing(.last) }
        try Self.check(path, replacing)
        guard isInPlace else { throw .naming(SystemError(code: ENOENT)) }
        // A hard link, unlike a rename, fails if the file exists by now. Some file systems have no hard links.
        if replacing == .nothing, link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
        } else if replacing == .nothing, errno == EEXIST {
            throw .exists
        } else {
            do throws(SystemError) { try Self.rename(temporaryPath, to: path) } catch { throw .naming(error) }
        }
        isCommitted = true
    }

    /// Writes a file of these bytes atomically, and replaces a regular file of that name. Waits until the file is on the disk:
    /// the system may report an error of the disk only then.
    ///
    /// - Parameter durably: Whether it waits until the name is on the disk, too.
    package static func write(_ bytes: [UInt8], to path: String, durably: Bool = false) throws(AtomicFileError) {
        let file = try AtomicFile(path: path, replacing: .regularFile)
        try file.write(bytes)
        try file.synchronize()
        try file.commit()
        guard durably else { return }
        do throws(SystemError) { try Folder.synchronize(Folder.containing(path)) } catch { throw .synchronizing(error) }
    }

    /// Whether a name is that of a file left behind by a process that ended before `commit`.
    package static func isLeftover(_ name: String) -> Bool { name.hasPrefix(".veery-") && name.hasSuffix(".partial") }

    /// Renames a file on the same file system, and replaces one that has the name.
    ///
    /// - Parameter durably: Whether it waits until the name is on the disk, too.
    package static func rename(_ old: String, to new: String, durably: Bool = false) throws(SystemError) {
        guard systemRename(old, new) == 0 else { throw .last }
        if durably { try Folder.synchronize(Folder.containing(new)) }
    }

    /// The last part of a path.
    private static func name(_ path: String) -> Substring.UTF8View {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...].utf8 } ?? path[...].utf8
    }

    /// A name in the same folder, hidden from listings.
    private static func temporaryPath(_ path: String, _ digits: String) -> String {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
        return folder + ".veery-\(digits).partial"
    }

    private static func check(_ path: String, _ replacing: Replacing) throws(AtomicFileError) {
        guard FileStatus(path: path, followingLink: false) != nil else { return }
        guard FileStatus(path: path)?.isRegular == true else { throw .notRegular }
        guard replacing == .regularFile else { throw .exists }
    }
}

// The system's functions, which the type's own names would hide.

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
