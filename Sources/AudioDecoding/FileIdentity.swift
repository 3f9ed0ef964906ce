#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which file stands under a name, and as of when: where it is still the same, an open recording may be read on.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let file: UInt64
    private let byteCount: Int64
    private let modified: Int64

    /// What the file system says now; nil where it says nothing.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(status.st_ino)
        byteCount = Int64(status.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
