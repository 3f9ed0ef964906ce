#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Errors of the operating system that say nothing of a recording, and would strike any other as well.
enum MachineError {
    /// No descriptors, no memory, a disk or a file server gone. `EIO` is not among them: one bad sector is that of one recording.
    static let codes: Set<Int32> = [
        EMFILE, ENFILE, ENOMEM, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETDOWN,
        ENETUNREACH, ENOLCK,
    ]

    /// Whether libsndfile, which hands on the system's words but not its number, means one of them.
    static func isNamed(in reason: String) -> Bool {
        codes.contains { code in strerror(code).map { reason.contains(String(cString: $0)) } ?? false }
    }
}
