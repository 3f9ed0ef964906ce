import Platform

/// A file whose header is looked at byte by byte.
final class HeaderBytes {
    /// Length of the file in bytes.
    let fileSize: Int
    private let descriptor: Int32
    private let start: [UInt8]

    private static let startSize = 4096

    /// Opens a regular file; nil where it cannot be opened.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        fileSize = Int(status.st_size)
        start = Self.read(descriptor, at: 0, Self.startSize)
    }

    deinit { close(descriptor) }

    /// The bytes at an offset; nil where the file ends before them.
    func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, count <= fileSize, offset <= fileSize - count else { return nil }
        if offset + count <= start.count { return start[offset..<offset + count] }
        let bytes = Self.read(descriptor, at: offset, count)
        return bytes.count == count ? bytes[...] : nil
    }

    /// The number at an offset; nil where the file ends before its end.
    func number(at offset: Int, _ width: Int, isBigEndian: Bool) -> UInt64? {
        guard let bytes = bytes(at: offset, width) else { return nil }
        return isBigEndian
            ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether these letters stand at an offset.
    func has(_ text: String, at offset: Int) -> Bool {
        bytes(at: offset, text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }

    private static func read(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            filled = max(pread(descriptor, room.baseAddress, count, off_t(offset)), 0)
        }
    }
}
