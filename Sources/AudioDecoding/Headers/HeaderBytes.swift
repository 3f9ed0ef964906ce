import FileIO

/// Bytes that are read field by field.
package protocol HeaderSource {
    associatedtype Bytes: BidirectionalCollection<UInt8>

    /// The bytes at an offset; nil where the source ends before them.
    func bytes(at offset: Int, _ count: Int) -> Bytes?
}

extension HeaderSource {
    /// The number at an offset; nil where the source ends before its end.
    package func number(at offset: Int, _ width: Int, isBigEndian: Bool) -> UInt64? {
        guard let bytes = bytes(at: offset, width) else { return nil }
        return isBigEndian
            ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package func has(_ text: String, at offset: Int) -> Bool {
        bytes(at: offset, text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }
}

extension UnsafeRawBufferPointer: HeaderSource {
    package func bytes(at offset: Int, _ count: Int) -> Slice<UnsafeRawBufferPointer>? {
        offset >= 0 && offset <= self.count - count ? self[offset..<offset + count] : nil
    }
}

extension [UInt8]: HeaderSource {
    package func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        offset >= 0 && offset <= self.count - count ? self[offset..<offset + count] : nil
    }
}

/// A file whose header is read field by field.
final class HeaderBytes: HeaderSource {
    var fileSize: Int { file.size }
    private let file: RegularFile
    private let start: [UInt8]

    private static let startSize = 4096

    /// Opens a recording's bytes; nil where they are a file that cannot be opened, or that is not regular.
    init?(_ content: FileContent) {
        guard let file = RegularFile(content) else { return nil }
        start = Self.read(file, at: 0, Self.startSize)
        self.file = file
    }

    /// Why the system does not read the first bytes; nil: it does.
    static func refusal(of content: FileContent) -> SystemError? {
        guard let file = RegularFile(content) else { return nil }
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: startSize, alignment: 1)
        defer { bytes.deallocate() }
        return file.read(into: bytes, at: 0, minimum: startSize, maximum: startSize) == nil ? .last : nil
    }

    /// The bytes at an offset; nil where the file ends before them.
    func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, count <= fileSize, offset <= fileSize - count else { return nil }
        if offset + count <= start.count { return start[offset..<offset + count] }
        let bytes = Self.read(file, at: offset, count)
        return bytes.count == count ? bytes[...] : nil
    }

    /// Whether all bytes from an offset on are 0.
    ///
    /// - Complexity: Reads up to the first that is not.
    func isZero(from offset: Int) -> Bool {
        let size = 1 << 16
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { bytes.deallocate() }
        guard let start = bytes.baseAddress else { return false }
        var offset = offset
        while offset < fileSize {
            guard let found = file.read(into: start, at: offset, minimum: size, maximum: size), found > 0,
                bytes[..<found].allSatisfy({ $0 == 0 })
            else { return false }
            offset += found
        }
        return true
    }

    /// Bytes of all tags at the start of the file; 0: there are none, or nothing follows them.
    ///
    /// - Complexity: Reads the heads of the tags, up to once through the file.
    private(set) lazy var leadingTagsSize: Int = {
        guard start.withUnsafeBytes({ SoundTag($0) }) != nil else { return 0 }
        let buffer = ReadBuffer()
        var offset = 0
        while let head = buffer.bytes(at: offset, count: SoundTag.headBytes, of: file), let tag = SoundTag(head),
            tag.size <= fileSize - offset
        {
            offset += tag.size
        }
        return offset < fileSize ? offset : 0
    }()

    private static func read(_ file: borrowing RegularFile, at offset: Int, _ count: Int) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 1)
        defer { bytes.deallocate() }
        guard let start = bytes.baseAddress else { return [] }
        let found = file.read(into: start, at: offset, minimum: count, maximum: count) ?? 0
        return Array(bytes[..<found])
    }
}
