import Platform

/// An error of the operating system, by its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package static var last: SystemError { SystemError(code: errno) }

    /// Codes of faults of the system, not of a file: no descriptors, memory or threads, a full disk (or a file at its limit), a
    /// disk or a file server gone. `EIO` is not among them: a bad sector belongs to one file, unless the lookup of the file's
    /// name fails so.
    private static let faults: Set<Int32> = {
        var codes: Set<Int32> = [
            EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN, ENOSPC, EDQUOT, EFBIG, ENETUNREACH, ECONNABORTED, ECONNRESET, ECONNREFUSED, ESHUTDOWN, ENOLCK,
        ]
        #if canImport(Glibc)
            codes.formUnion([EREMOTEIO, ENOMEDIUM])
        #endif
        return codes
    }()

    /// Whether the cause is the system, not the file: other files would fail, too.
    package var isFault: Bool { Self.faults.contains(code) }

    package var description: String { String(cString: strerror(code)) }
}
