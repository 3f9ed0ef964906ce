/// The header of a frame of FLAC (RFC 9639, section 9.1).
struct FLACFrameHeader {
    /// Samples of each channel.
    let blockFrames: Int
    /// Rate in Hz; nil: that of the stream.
    let sampleRate: Int?
    /// The number of its first sample, or of the frame where all frames have the same length.
    let number: Int
    let countsSamples: Bool

    static let maximumBytes = 16

    private static let rates = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

    /// Reads a header; nil where there is none or its checksum is wrong.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        guard offset >= 0, offset + 6 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xFE == 0xF8 else {
            return nil
        }
        countsSamples = bytes[offset + 1] & 1 == 1
        let (block, rate) = (Int(bytes[offset + 2] >> 4), Int(bytes[offset + 2] & 15))
        // The number is encoded as in UTF-8, with up to seven bytes.
        let first = bytes[offset + 4]
        let length = max((~first).leadingZeroBitCount, 1)
        guard length != 1 || first < 0x80, length <= 7 else { return nil }
        var end = offset + 4 + length
        let more = (block == 6 ? 1 : block == 7 ? 2 : 0) + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0)
        guard end + more < bytes.count else { return nil }
        var number = length == 1 ? Int(first) : Int(first & (0x7F >> UInt8(length)))
        for index in offset + 5..<max(end, offset + 5) { number = number << 6 | Int(bytes[index] & 0x3F) }
        self.number = number
        func take(_ count: Int) -> Int {
            defer { end += count }
            return (end..<end + count).reduce(0) { $0 << 8 | Int(bytes[$1]) }
        }
        switch block {
        case 1: blockFrames = 192
        case 2...5: blockFrames = 576 << (block - 2)
        case 6: blockFrames = take(1) + 1
        case 7: blockFrames = take(2) + 1
        case 8...15: blockFrames = 256 << (block - 8)
        default: return nil
        }
        switch rate {
        case 0: sampleRate = nil
        case 1...11: sampleRate = Self.rates[rate - 1]
        case 12: sampleRate = take(1) * 1000
        case 13: sampleRate = take(2)
        case 14: sampleRate = take(2) * 10
        default: return nil
        }
        guard Self.checksum8(bytes, offset..<end) == bytes[end] else { return nil }
    }

    /// The samples of the frame; nil: not known.
    ///
    /// - Parameter fixedBlock: Samples of what headers count that do not say they count samples: those of a frame, or 1.
    func samples(fixedBlock: Int?) -> Range<Int>? {
        let first = countsSamples ? number : fixedBlock.map { number * $0 }
        return first.map { $0..<$0 + blockFrames }
    }

    /// CRC-8 of x⁸ + x² + x + 1.
    private static func checksum8(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt8 {
        var sum: UInt8 = 0
        for index in range {
            sum ^= bytes[index]
            for _ in 0..<8 { sum = sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
        }
        return sum
    }
}
