#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Size and time of change of a recording when a clip was read from it: where they are still the same, so is the clip.
package struct RecordingStamp: Hashable, Sendable {
    /// Length in bytes; −1: there was no such file.
    package let byteCount: Int64
    /// Time of the last change in nanoseconds since 1970.
    package let modified: Int64

    /// There is no such file.
    package static let absent = RecordingStamp(byteCount: -1, modified: 0)

    /// Keeps the values.
    package init(byteCount: Int64, modified: Int64) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// What the file system says now; `absent` where it says nothing.
    package init(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .absent
            return
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        byteCount = Int64(status.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.append(byteCount)
        buffer.append(modified)
    }

    init?(_ cursor: inout ByteCursor) {
        guard let byteCount = cursor.integer(Int64.self), let modified = cursor.integer(Int64.self) else { return nil }
        self.init(byteCount: byteCount, modified: modified)
    }
}
