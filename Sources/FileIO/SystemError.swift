import Platform

/// An error of the operating system, by its `errno`.
package struct SystemError: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package static var last: SystemError { SystemError(code: errno) }

    /// Codes of faults of the system, not of a file: no descriptors, memory or threads, a full disk (or a file at its limit), a
    /// disk or a file server that is gone, fails or takes no writes.
    private static let faults: Set<Int32> = {
        var codes: Set<Int32> = [
            EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN, ENOSPC, EDQUOT, EFBIG, ENETUNREACH, ECONNABORTED, ECONNRESET, ECONNREFUSED, ESHUTDOWN, ENOLCK,
            EIO, EROFS,
        ]
        #if canImport(Glibc)
            codes.formUnion([EREMOTEIO, ENOMEDIUM])
        #endif
        return codes
    }()

    /// Whether the cause is the system, not the file: other files would fail, too.
    package var isFault: Bool { Self.faults.contains(code) }

    /// Whether the cause of an error in reading a recording's bytes is the system. Unlike elsewhere, `EIO` does not count: a bad
    /// sector belongs to that recording, and the others of a dataset can be read.
    package var isFaultBehindRecording: Bool { isFault && code != EIO }

    /// Whether there is no file of that name, such as one that somebody has deleted.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// The system's words.
    package var words: String { String(cString: strerror(code)) }

    /// What to do about it, in words; nil: that depends on what was done.
    private var advice: String? {
        switch code {
        case ENOSPC: "delete something on that disk, or write to another one"
        case EDQUOT: "delete files of yours on that disk, or write to another one"
        case EROFS: "write to another disk, or have this one mounted for writing"
        case EIO: "the disk, or the connection to it, is failing: the system's log, such as dmesg, says more"
        case EFBIG: "the limit is that of the file system, or of ulimit -f"
        case EMFILE: "ulimit -n raises the limit"
        default: nil
        }
    }
}

extension SystemError: CustomStringConvertible {
    /// The system's words, and what to do.
    package var description: String { words + (advice.map { " (\($0))" } ?? "") }
}
