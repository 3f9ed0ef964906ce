import CKernels
import FeatureModel
import FileIO
import Platform

/// Reads the pages of an Ogg file one by one, and skips any bytes between them.
///
/// Costs one read of the file, at about 2 GB/s, and 128 KiB of memory.
struct OggPageReader: ~Copyable {
    enum Item: Equatable {
        /// A page with a valid checksum.
        case page(OggPage)
        /// Other bytes. `isCut`: the file ends within what may be a page.
        case other(Range<Int>, isCut: Bool)
    }

    var fileSize: Int { file.size }
    /// Offset of the next item in bytes.
    private(set) var offset: Int
    private let file: RegularFile
    private let buffer = ReadBuffer()
    /// Bytes that may still be summed without finding a page: a file of page headers alone would take hours.
    private var patience: Int

    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be opened.
    init(_ content: FileContent) throws(ClipFailure) {
        guard let file = RegularFile(content) else { throw Self.unreadable(errno) }
        patience = 8 * file.size + (1 << 24)
        self.file = file
        offset = 0
    }

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

    /// The item at an offset.
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
        guard let bytes = buffer.bytes(at: offset, count: count, of: file) else { throw Self.unreadable(errno) }
        return bytes
    }

    private static func unreadable(_ code: Int32) -> ClipFailure { .cannotRead(SystemCallError(code)) }
}

/// A page of an Ogg file (RFC 3533) with a valid checksum.
struct OggPage: Equatable {
    /// Its offset in the file in bytes.
    let offset: Int
    let size: Int
    let serial: UInt32
    /// Its number in the stream, from 0.
    let sequence: UInt32
    /// The stream's position after the last packet that ends on the page, in the codec's samples; nil: none ends on it.
    let granule: Int?
    let isFirst: Bool
    let isLast: Bool
    /// Whether a packet ends on the page: then it has a granule position.
    let endsPacket: Bool

    /// Bytes of a page before its segment table.
    static let headerSize = 27
    /// Bytes of the longest page: 255 segments of 255 bytes.
    static let maximumBytes = headerSize + 255 + 255 * 255
    static let maximumPackets = 255
    static let capturePattern = Array("OggS".utf8)

    /// Length of a page in bytes by its header; nil: no page of version 0 starts with these bytes.
    ///
    /// - Parameter bytes: The header and the lengths of the segments, or all that the file has of them.
    /// - Returns: More than `bytes.count` where the file ends before the length is known.
    static func size(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard zip(bytes, capturePattern + [0]).allSatisfy(==) else { return nil }
        guard bytes.count >= headerSize else { return bytes.count + 1 }
        let segments = Int(bytes[headerSize - 1])
        guard bytes.count >= headerSize + segments else { return headerSize + segments }
        return bytes[headerSize..<headerSize + segments].reduce(headerSize + segments) { $0 + Int($1) }
    }

    /// Nil where the checksum is wrong.
    ///
    /// - Parameter bytes: A whole page, by `size`.
    init?(_ bytes: UnsafeRawBufferPointer, offset: Int) {
        func word(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        guard bytes.count >= Self.headerSize, OggChecksum.of(page: bytes, field: 22) == word(22) else { return nil }
        self.offset = offset
        size = bytes.count
        serial = word(14)
        sequence = word(18)
        let position = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: Int64.self))
        granule = position >= 0 ? Int(position) : nil
        isFirst = bytes[5] & 2 != 0
        isLast = bytes[5] & 4 != 0
        endsPacket = bytes[Self.headerSize...].prefix(Int(bytes[Self.headerSize - 1])).contains { $0 < 255 }
    }
}

/// The CRC-32 of Ogg pages (RFC 3533): polynomial 0x04C11DB7, highest bit first, nothing inverted. About 2 GB/s.
enum OggChecksum {
    /// Sixteen tables of 256 entries: entry b of table k is the checksum of byte b followed by k zero bytes.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte) << 24) { (value: UInt32, _) -> UInt32 in
                value << 1 ^ (value >> 31) * 0x04C1_1DB7
            }
        }
        for index in 256..<16 * 256 {
            let previous = tables[index - 256]
            tables.append(previous << 8 ^ tables[Int(previous >> 24)])
        }
        return tables
    }()

    /// The checksum of a page whose stored checksum, the four bytes from `field` on, counts as zeros.
    ///
    /// - Precondition: The page has more than `field` + 4 bytes.
    static func of(page bytes: UnsafeRawBufferPointer, field: Int) -> UInt32 {
        var value = add(UnsafeRawBufferPointer(rebasing: bytes[..<field]), to: 0)
        value = withUnsafeBytes(of: UInt32(0)) { add($0, to: value) }
        return add(UnsafeRawBufferPointer(rebasing: bytes[(field + 4)...]), to: value)
    }

    private static func add(_ bytes: UnsafeRawBufferPointer, to value: UInt32) -> UInt32 {
        guard let start = bytes.baseAddress else { return value }
        return tables.withUnsafeBufferPointer { tables in
            tables.baseAddress.map { veery_ogg_checksum($0, value, start, bytes.count) } ?? value
        }
    }
}
