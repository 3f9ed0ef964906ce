import Platform

/// Errors of the operating system that say nothing of a recording, and would strike any other as well.
package enum MachineError {
    /// No descriptors, memory or threads, a disk that is full (or a file at its limit), a disk or a file server gone. `EIO` is not among them: one bad sector is that of one
    /// recording, unless not even the file's name can be looked up.
    package static let codes: Set<Int32> = {
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

    /// Whether libsndfile hands on what the system said.
    static func isSystem(_ reason: String) -> Bool { reason.hasPrefix("System error") }

    /// Whether libsndfile, which hands on the system's words but not its number, means one of them.
    package static func isNamed(in reason: String) -> Bool {
        codes.contains { code in strerror(code).map { reason.contains(String(cString: $0)) } ?? false }
    }
}
