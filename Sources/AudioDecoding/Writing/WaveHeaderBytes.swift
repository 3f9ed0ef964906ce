/// The header of a WAV file: everything before its samples.
package enum WaveHeaderBytes {
    /// - Parameters:
    ///   - isFloat: Whether samples are floating point, otherwise integers.
    ///   - sampleBytes: Bytes of a sample.
    ///   - dataBytes: Bytes of all samples; nil: left open, as for a pipe.
    package static func header(
        isFloat: Bool, sampleBytes: Int, sampleRate: Int, channels: Int, dataBytes: Int?
    ) -> [UInt8] {
        let frameBytes = sampleBytes * channels
        let format: [[UInt8]] = [
            bytes(isFloat ? 3 : 1, 2), bytes(channels, 2), bytes(sampleRate, 4), bytes(sampleRate * frameBytes, 4),
            bytes(frameBytes, 2), bytes(8 * sampleBytes, 2),
        ]
        let length = dataBytes.flatMap { $0 + headerBytes < WaveHeader.allOnes ? $0 : nil }
        return Array("RIFF".utf8) + bytes(length.map { $0 + headerBytes - 8 } ?? WaveHeader.allOnes, 4)
            + Array("WAVEfmt ".utf8) + bytes(16, 4) + format.joined()
            + Array("data".utf8) + bytes(length ?? WaveHeader.allOnes, 4)
    }

    /// The length of a header.
    private static let headerBytes = 44

    /// A number as bytes, the least significant first.
    package static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
