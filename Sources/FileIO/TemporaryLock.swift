import Platform

/// The lock on a file or folder with a temporary name. The process that writes it holds the lock until it has its final name: a
/// file without a lock was left by a process that has ended, and can be deleted.
///
/// Other machines may not see a lock, so the names say which machine made them, and each machine deletes its own.
struct TemporaryLock: ~Copyable {
    private let descriptor: Int32

    /// Locks what the caller has just made. Where the file system has no locks, nobody deletes it.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - descriptor: The file, open, which may be closed before the lock is released; nil: it is a folder.
    /// - Returns: nil if somebody has deleted it meanwhile.
    init?(holding path: String, _ descriptor: Int32? = nil) {
        let number =
            descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
            ?? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        // Without a descriptor there is no lock. The file or folder is still completed or deleted.
        let isHeld =
            number < 0
            ? FileStatus(path: path, followingLink: false) != nil
            : (flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
                && FileStatus(descriptor: number)?.identity == FileStatus(path: path, followingLink: false)?.identity
        guard isHeld else {
            if number >= 0 { close(number) }
            return nil
        }
        self.descriptor = number
    }

    /// Locks a file or folder that a process has left over; nil if a process is still writing it, or that cannot be determined.
    private init?(abandoned path: String, isFolder: Bool) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isFolder ? O_DIRECTORY : 0))
        guard number >= 0 else { return nil }
        // Before the lock was free, it may have been renamed to its final name, or deleted.
        guard flock(number, LOCK_EX | LOCK_NB) == 0, let held = FileStatus(descriptor: number),
            isFolder ? held.isFolder : held.isRegular,
            held.identity == FileStatus(path: path, followingLink: false)?.identity
        else {
            close(number)
            return nil
        }
        descriptor = number
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Deletes a file if a process has left it over.
    ///
    /// - Returns: Whether it was deleted.
    static func removeAbandoned(file path: String) -> Bool {
        guard let lock = TemporaryLock(abandoned: path, isFolder: false) else { return false }
        defer { withExtendedLifetime(lock) {} }
        return unlink(path) == 0
    }

    /// Deletes a folder of files if a process has left it over.
    static func removeAbandoned(folder path: String) {
        guard let lock = TemporaryLock(abandoned: path, isFolder: true) else { return }
        defer { withExtendedLifetime(lock) {} }
        AtomicFolder.remove(path)
    }

    /// What names of this machine have in common: 16 hexadecimal digits.
    static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte remains 0, even if the name is cut off.
        gethostname(&name, name.count - 1)
        return digits(of: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// A hash of some bytes (FNV-1a) as 16 hexadecimal digits.
    static func digits(of bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }.padded(to: 16, radix: 16)
    }

    /// Some random hexadecimal digits.
    static var randomDigits: String { UInt64.random(in: .min ... .max).padded(to: 16, radix: 16) }
}
