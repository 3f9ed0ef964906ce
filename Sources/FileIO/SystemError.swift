import Platform

/// An error of the operating system, by its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package let code: Int32

    /// Keeps the number.
    package init(code: Int32) { self.code = code }

    /// That of the call before.
    package static var last: SystemError { SystemError(code: errno) }

    /// Codes that say nothing of a file, and that any other would meet too: no descriptors, memory or threads, a full
    /// disk (or a file at its limit), a disk or a file server gone. `EIO` is not among them: a bad sector is that of one
    /// file, unless not even the file's name can be looked up.
    private static let faults: Set<Int32> = {
        var codes: Set<Int32> = [
            EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN, ENOSPC, EDQUOT, EFBIG,
            ENETUNREACH, ECONNABORTED, ECONNRESET, ECONNREFUSED, ESHUTDOWN, ENOLCK,
        ]
        #if canImport(Glibc)
            codes.formUnion([EREMOTEIO, ENOMEDIUM])
        #endif
        return codes
    }()

    /// Whether the error says nothing of the file, and other files would meet it too.
    package var isFault: Bool { Self.faults.contains(code) }

    /// Whether a library, which passes on the system's words but not its number, means such an error.
    package static func isFault(named words: String) -> Bool {
        faults.contains { words.contains(SystemError(code: $0).description) }
    }

    /// The system's own text.
    package var description: String { String(cString: strerror(code)) }
}
