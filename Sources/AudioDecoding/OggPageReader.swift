import FeatureModel
import Platform

/// Reads the pages of an Ogg file one by one, and skips any bytes between them.
///
/// Costs one read of the file, at about 2 GB/s, and 128 KiB of memory.
struct OggPageReader: ~Copyable {
    /// The next part of the file.
    enum Item: Equatable {
        /// A page with a right checksum.
        case page(OggPage)
        /// Bytes that are no such page. `isCut`: the file ends within what may be one.
        case other(Range<Int>, isCut: Bool)
    }

    /// Length of the file in bytes.
    let fileSize: Int
    /// Offset of the next item in bytes.
    private(set) var offset: Int
    private let descriptor: Int32
    private let buffer = ReadBuffer()
    /// Bytes that may still be summed without finding a page: a file made of page headers alone would take hours.
    private var patience: Int

    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be opened.
    init(path: String) throws(ClipFailure) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { throw Self.unreadable(errno) }
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.unreadable(code)
        }
        self.descriptor = descriptor
        fileSize = Int(status.st_size)
        offset = 0
        patience = 8 * fileSize + (1 << 24)
    }

    deinit { close(descriptor) }

    /// Skips to the last `count` bytes of the file; false: the reader is there already.
    mutating func skip(toLast count: Int) -> Bool {
        guard fileSize - count > offset else { return false }
        offset = fileSize - count
        return true
    }

    /// The next item; nil at the end of the file.
    ///
    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be read.
    mutating func next() throws(ClipFailure) -> Item? {
        guard offset < fileSize else { return nil }
        let start = offset
        let first = try probe(start)
        if case .page(let page) = first {
            offset += page.size
            return .page(page)
        }
        while patience > 0, let found = try pattern(from: offset + 1) {
            offset = found
            if case .page = try probe(found) { return .other(start..<found, isCut: false) }
        }
        offset = fileSize
        return .other(start..<fileSize, isCut: first == .cut)
    }

    private enum Probe: Equatable {
        case page(OggPage)
        case cut
        case none
    }

    /// What starts at an offset.
    private mutating func probe(_ offset: Int) throws(ClipFailure) -> Probe {
        let left = fileSize - offset
        let header = try bytes(at: offset, count: min(left, OggPage.headerSize + 255))
        guard let size = OggPage.size(header) else { return .none }
        guard size <= left else { return .cut }
        let whole = try bytes(at: offset, count: size)
        guard let page = OggPage(whole, offset: offset) else {
            patience -= size
            return .none
        }
        return .page(page)
    }

    /// Offset of the next capture pattern, at or after an offset.
    private func pattern(from start: Int) throws(ClipFailure) -> Int? {
        var start = start
        let window = 4096
        while start + OggPage.capturePattern.count <= fileSize {
            let bytes = try bytes(at: start, count: min(window, fileSize - start))
            let last = bytes.count - OggPage.capturePattern.count
            var index = 0
            while index <= last, let base = bytes.baseAddress,
                let hit = memchr(base + index, Int32(OggPage.capturePattern[0]), last + 1 - index)
            {
                index = UnsafeRawPointer(hit) - base
                if bytes[index..<index + 4].elementsEqual(OggPage.capturePattern) { return start + index }
                index += 1
            }
            start += max(last + 1, 1)
        }
        return nil
    }

    private func bytes(at offset: Int, count: Int) throws(ClipFailure) -> UnsafeRawBufferPointer {
        guard let bytes = buffer.bytes(at: offset, count: count, of: descriptor) else { throw Self.unreadable(errno) }
        return bytes
    }

    private static func unreadable(_ code: Int32) -> ClipFailure { .cannotRead(SystemCallError(code)) }
}
