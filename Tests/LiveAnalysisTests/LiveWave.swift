import Foundation

@testable import LiveAnalysis

/// WAV files of any format and with any length in their header.
enum LiveWave {
    static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ name: String, _ bytes: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + number(size ?? bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }

    /// The chunk `fmt `.
    static func format(_ format: LiveFormat, isExtensible: Bool = false, tag: Int? = nil, frameBytes: Int? = nil)
        -> [UInt8]
    {
        let isFloat = format.encoding == .f32le || format.encoding == .f64le
        let kind = tag ?? (isFloat ? 3 : 1)
        var bytes = number(isExtensible ? 0xFFFE : kind, 2) + number(format.channels, 2)
        bytes += number(format.sampleRate, 4) + number(format.sampleRate * format.frameBytes, 4)
        bytes += number(frameBytes ?? format.frameBytes, 2) + number(8 * format.encoding.bytes, 2)
        if isExtensible {
            bytes += number(22, 2) + number(8 * format.encoding.bytes, 2) + number(3, 4) + number(kind, 2)
            bytes += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return chunk("fmt ", bytes)
    }

    /// All bytes before the samples.
    static func header(
        _ format: LiveFormat, dataBytes: Int, isExtensible: Bool = false, before: [UInt8] = []
    ) -> [UInt8] {
        Array("RIFF".utf8) + number(min(dataBytes + 36, 0xFFFF_FFFF), 4) + Array("WAVE".utf8) + before
            + self.format(format, isExtensible: isExtensible) + Array("data".utf8) + number(dataBytes, 4)
    }
}
