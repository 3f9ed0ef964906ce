import CHDF5
import FileIO
import Synchronization

/// Everything that calls libhdf5 does so here: one call at a time, its status checked.
///
/// libhdf5 is not safe to use from two threads unless built so, and even then works on one thing at a time; hence the lock.
enum HDF5Library {
    private static let lock = Mutex<Void>(())
    /// Keeps the library from closing at exit what is open, which crashes if a full disk kept a file from being closed. That is
    /// not needed, since every handle is closed by its owner.
    private static let withoutExitHandler = H5dont_atexit()

    /// Runs one call that returns a handle or a status, negative for failure.
    ///
    /// - Throws: `StorageError.hdf5` with the library's own words.
    @discardableResult
    static func call<Status: SignedInteger>(
        _ operation: String, _ path: String, _ body: () -> Status
    ) throws(StorageError) -> Status {
        var status: Status = -1
        var detail = ""
        quietly {
            status = body()
            if status < 0 { detail = message() }
        }
        guard status >= 0 else {
            throw .hdf5(operation: operation, path: path, detail: detail, code: systemCode(in: detail))
        }
        return status
    }

    /// Runs calls whose failure does not matter, such as the closing of a handle.
    static func quietly(_ body: () -> Void) {
        lock.withLock { _ in
            _ = withoutExitHandler
            veery_h5_silence()
            CrashGuard.enter()
            body()
            CrashGuard.leave()
        }
    }

    /// The version of libhdf5, such as `1.10.8`.
    static var version: String {
        var (major, minor, release): (UInt32, UInt32, UInt32) = (0, 0, 0)
        quietly { H5get_libversion(&major, &minor, &release) }
        return "\(major).\(minor).\(release)"
    }

    /// The `errno` that the library gives in its message where the operating system refused: after the name of the file, which
    /// may hold anything.
    static func systemCode(in message: String) -> Int32? {
        message.ranges(of: ", errno = ").last.flatMap { Int32(message[$0.upperBound...].prefix { $0.isNumber }) }
    }

    private static func message() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress else { return "" }
            veery_h5_message(start)
            return String(cString: start)
        }
    }
}

/// The version of libhdf5, such as `1.10.8`.
public func storageLibraryVersion() -> String { HDF5Library.version }
