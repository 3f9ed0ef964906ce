/// A text in UTF-16 as UTF-8. What is not valid UTF-16 becomes bytes that are not valid UTF-8, so that its row is refused.
final class UTF16Bytes: ByteSource {
    private let source: any ByteSource
    private let isBigEndian: Bool
    /// The first bytes of the text, then bytes that were read and are not converted yet.
    private var pending: [UInt8]
    private var isAtEnd = false

    /// Whether the first bytes of a text are UTF-16 in big-endian order; nil: the text has another encoding.
    ///
    /// Without a byte order mark, every other byte of a text of Latin letters is 0.
    static func isBigEndian(_ start: some Collection<UInt8>) -> Bool? {
        let bytes = Array(start.prefix(8))
        if bytes.starts(with: [0xFF, 0xFE]) { return bytes.starts(with: [0xFF, 0xFE, 0, 0]) ? nil : false }
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        guard bytes.count == 8 else { return nil }
        let nulls = bytes.map { $0 == 0 }
        return (1..<8).allSatisfy { nulls[$0] != nulls[$0 - 1] } ? nulls[0] : nil
    }

    /// - Parameters:
    ///   - source: What follows `start`.
    ///   - start: The first bytes of the text.
    init(_ source: any ByteSource, start: [UInt8], isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
        pending = start
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        var filled = 0
        while filled == 0 {
            if pending.count < 4, !isAtEnd { try refill() }
            var taken = 0
            // A character has up to four bytes, in either encoding.
            while buffer.count - filled >= 4, let (code, length) = character(at: taken) {
                for byte in Self.encoded(code) {
                    buffer[filled] = byte
                    filled += 1
                }
                taken += length
            }
            pending.removeFirst(taken)
            if isAtEnd, pending.isEmpty { break }
        }
        return filled
    }

    private func refill() throws(ManifestError) {
        var piece = [UInt8](repeating: 0, count: BlockReader.blockSize / 4)
        let count = try piece.withUnsafeMutableBufferPointer { piece throws(ManifestError) in
            try source.read(into: UnsafeMutableRawBufferPointer(piece))
        }
        pending += piece[..<count]
        isAtEnd = count == 0
    }

    /// The code point at an offset, and its bytes in UTF-16; nil: more bytes are needed, or there are none.
    private func character(at offset: Int) -> (code: UInt32, length: Int)? {
        guard let unit = unit(at: offset) else {
            // An odd byte at the end is not a character: half a surrogate pair stands for it.
            return isAtEnd && offset < pending.count ? (0xD800, 1) : nil
        }
        guard UTF16.isLeadSurrogate(unit) else { return (UInt32(unit), 2) }
        guard let low = self.unit(at: offset + 2) else { return isAtEnd ? (UInt32(unit), 2) : nil }
        guard UTF16.isTrailSurrogate(low) else { return (UInt32(unit), 2) }
        return (0x1_0000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF, 4)
    }

    private func unit(at offset: Int) -> UInt16? {
        guard offset + 1 < pending.count else { return nil }
        let (first, second) = (UInt16(pending[offset]), UInt16(pending[offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    /// A code point in UTF-8, and half a surrogate pair as what UTF-8 forbids.
    private static func encoded(_ code: UInt32) -> UTF8.EncodedScalar {
        Unicode.Scalar(code).flatMap(UTF8.encode)
            ?? UTF8.EncodedScalar([0xED, UInt8(0x80 | code >> 6 & 0x3F), UInt8(0x80 | code & 0x3F)])
    }
}
