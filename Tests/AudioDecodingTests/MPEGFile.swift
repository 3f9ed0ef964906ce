import Foundation

@testable import AudioDecoding

/// MPEG audio that tests write byte by byte: frames of silence, MPEG-1 layer 3, mono, 44.1 kHz unless said otherwise.
enum MPEGFile {
    /// The bit rates of a frame's header, by its index.
    static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

    /// A frame without sound.
    ///
    /// - Parameters:
    ///   - rate: The index of the bit rate, from 1.
    ///   - second: Bits of version, layer and checksum; 0xFB: MPEG-1, layer 3, none.
    ///   - channels: 0xC0: mono; 0: stereo.
    static func frame(_ rate: Int = 9, second: UInt8 = 0xFB, frequency: UInt8 = 0, channels: UInt8 = 0xC0) -> [UInt8] {
        let head = [0xFF, second, UInt8(rate) << 4 | frequency << 2, channels]
        let header = MPEGFrameHeader(head[0], head[1], head[2], head[3])
        return head + Array(repeating: 0, count: (header?.frameBytes ?? 4) - 4)
    }

    /// The first frame of a recording, with a tag as LAME writes it.
    ///
    /// - Parameters:
    ///   - bytes: Those of the whole stream; nil: not given.
    ///   - isIntact: Whether its checksum is right.
    static func tag(
        _ name: String = "Xing", frames: Int, bytes: Int?, delay: Int = 576, padding: Int = 1000, isIntact: Bool = true
    ) -> [UInt8] {
        var frame = frame()
        func put(_ bytes: [UInt8], _ offset: Int) { frame.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let start = 4 + 17
        put(Array(name.utf8), start)
        put(number(bytes == nil ? 13 : 15), start + 4)
        put(number(frames), start + 8)
        guard let bytes else { return frame }
        put(number(bytes), start + 12)
        put(Array("LAME3.100".utf8), start + 120)
        put([delay >> 4, delay << 4 | padding >> 8, padding].map { UInt8(truncatingIfNeeded: $0) }, start + 141)
        var sum: UInt16 = isIntact ? 0 : 1
        for byte in frame[..<(start + 154)] {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
        }
        put([UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)], start + 154)
        return frame
    }

    /// Frames of many bit rates.
    static func variable(_ count: Int) -> [UInt8] { (0..<count).flatMap { frame(1 + $0 * 5 % 14) } }
}
