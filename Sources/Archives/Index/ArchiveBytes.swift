import FileIO

/// The bytes of an archive for its index: a window that is read again only where bytes lie outside it.
struct ArchiveBytes {
    let file: SharedFile
    let size: Int
    private var window: [UInt8] = []
    private var start = 0

    init(_ file: SharedFile, size: Int) { (self.file, self.size) = (file, size) }

    /// The bytes at an offset, fewer at the end of the archive.
    ///
    /// - Parameter ahead: How many bytes to read at once where some have to be read.
    mutating func bytes(at offset: Int, _ count: Int, ahead: Int = 0) throws(ArchiveError) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < size else { return [] }
        let count = min(count, size - offset)
        if offset < start || offset + count > start + window.count {
            start = offset
            do { window = try file.bytes(at: offset, min(max(count, ahead), size - offset)) } catch {
                throw ArchiveError(error, cannot: "read the archive")
            }
        }
        return window[(offset - start)...].prefix(count)
    }
}

extension ArraySlice<UInt8> {
    /// The little-endian number of `width` bytes at an offset in the slice.
    func number(at offset: Int, _ width: Int) -> Int {
        self[(startIndex + offset)...].prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The bytes before the first zero.
    var untilZero: ArraySlice<UInt8> { prefix { $0 != 0 } }

    func field(_ offset: Int, _ width: Int) -> ArraySlice<UInt8> {
        self[(startIndex + offset)..<(startIndex + offset + width)]
    }
}
