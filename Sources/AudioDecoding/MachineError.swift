#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Errors of the operating system that say nothing of a recording, and would strike any other as well.
enum MachineError {
    /// No descriptors, no memory, a disk or a file server gone. `EIO` is not among them: one bad sector is that of one
    /// recording, unless not even the file's name can be looked up.
    static let codes: Set<Int32> = {
        var codes: Set<Int32> = [
            EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN,
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
    static func isNamed(in reason: String) -> Bool {
        codes.contains { code in strerror(code).map { reason.contains(String(cString: $0)) } ?? false }
    }
}
