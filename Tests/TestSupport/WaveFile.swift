import Foundation

/// WAV files made in memory, so that a test shows which samples it reads.
package enum WaveFile {
    /// How a sample is written.
    package enum Encoding: Sendable {
        /// 16 bits, full scale 32768; see `quantized`.
        case pcm16
        /// 32 bits, IEEE.
        case float32
    }

    /// The bytes of a file; all channels have to have the same length.
    package static func bytes(_ channels: [[Float]], sampleRate: Int, encoding: Encoding = .pcm16) -> Data {
        let width = encoding == .pcm16 ? 2 : 4
        let interleaved = interleaved(channels)
        let samples =
            switch encoding {
            case .pcm16: interleaved.map { stored($0).littleEndian }.withUnsafeBytes { Data($0) }
            case .float32: interleaved.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
            }
        var file = Data("RIFF".utf8)
        file.append(littleEndian: UInt32(36 + samples.count))
        file += Data("WAVEfmt ".utf8)
        file.append(littleEndian: UInt32(16))
        file.append(littleEndian: UInt16(encoding == .pcm16 ? 1 : 3))
        file.append(littleEndian: UInt16(channels.count))
        file.append(littleEndian: UInt32(sampleRate))
        file.append(littleEndian: UInt32(sampleRate * channels.count * width))
        file.append(littleEndian: UInt16(channels.count * width))
        file.append(littleEndian: UInt16(8 * width))
        file += Data("data".utf8)
        file.append(littleEndian: UInt32(samples.count))
        return file + samples
    }

    /// All channels of a frame, then those of the next; all have to have the same length.
    package static func interleaved(_ channels: [[Float]]) -> [Float] {
        if channels.count == 1 { return channels[0] }
        var values = [Float](repeating: 0, count: channels.count * (channels.first?.count ?? 0))
        for (channel, samples) in channels.enumerated() {
            for (frame, sample) in samples.enumerated() { values[frame * channels.count + channel] = sample }
        }
        return values
    }

    /// What a reader gets back of samples written as PCM of 16 bits.
    package static func quantized(_ samples: [Float]) -> [Float] { samples.map { Float(stored($0)) / 32_768 } }

    private static func stored(_ sample: Float) -> Int16 {
        Int16(max(-32_768, min(32_767, (sample * 32_768).rounded())))
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension TemporaryFolder {
    /// Writes a WAV file and returns its path.
    @discardableResult
    package func writeWave(
        _ channels: [[Float]], sampleRate: Int, encoding: WaveFile.Encoding = .pcm16, to name: String
    ) throws -> String {
        try WaveFile.bytes(channels, sampleRate: sampleRate, encoding: encoding).write(to: url.appending(path: name))
        return path(name)
    }

    /// The names in the folder, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
}
