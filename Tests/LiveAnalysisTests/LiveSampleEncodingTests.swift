import AudioDecoding
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import LiveAnalysis

struct LiveSampleEncodingTests {
    /// The samples of some bytes.
    private static func decoded(_ bytes: [UInt8], _ encoding: LiveSampleEncoding) -> [Float] {
        let count = bytes.count / encoding.bytes
        return [Float](unsafeUninitializedCapacity: count) { buffer, used in
            bytes.withUnsafeBytes { source in
                if let source = source.baseAddress, let target = buffer.baseAddress {
                    encoding.decode(source, count: count, into: target)
                }
            }
            used = count
        }
    }

    private static func encoded(_ samples: [Float], _ encoding: LiveSampleEncoding) -> (bytes: [UInt8], clipped: Int) {
        var bytes: [UInt8] = []
        var buffer = [Int32](repeating: 0, count: samples.count)
        let clipped = samples.withUnsafeBufferPointer { samples in
            buffer.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { encoding.encode(samples, scratch: $0, into: &bytes) } ?? 0
            }
        }
        return (bytes, clipped)
    }

    @Test(arguments: [
        LiveSampleEncoding.u8, .s16le, .s24le, .f32le, .f64le,
    ])
    func `bytes of 8, 16 and 24 bits and floating-point numbers come back as they were`(encoding: LiveSampleEncoding) {
        var random = RandomSource(seed: 7)
        let bytes: [UInt8]
        if encoding.isAlwaysFinite {
            bytes = (0..<encoding.bytes * 999).map { _ in UInt8.random(in: 0...255, using: &random) }
        } else {
            bytes = Self.encoded(random.samples(999), encoding).bytes
        }
        let samples = Self.decoded(bytes, encoding)
        #expect(samples.count == 999)
        let again = Self.encoded(samples, encoding)
        #expect(again.bytes == bytes && again.clipped == 0)
    }

    @Test(arguments: [
        (LiveSampleEncoding.u8, [UInt8]([0, 255])), (.s16le, [0x00, 0x80, 0xFF, 0x7F]),
        (.s24le, [0, 0, 0x80, 0xFF, 0xFF, 0x7F]), (.s32le, [0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F]),
    ])
    func `full scale is 1, samples beyond it are clipped and counted`(encoding: LiveSampleEncoding, bytes: [UInt8]) {
        let samples = Self.decoded(bytes, encoding)
        #expect(samples[0] == -1 && samples[1] > 0.99 && samples[1] <= 1)
        let cut = Self.encoded([-1.5, 1.5], encoding)
        #expect(cut.bytes == bytes && cut.clipped == 2)
    }

    @Test(arguments: [
        (1, 8, LiveSampleEncoding.u8), (1, 16, .s16le), (1, 24, .s24le), (1, 32, .s32le), (3, 32, .f32le),
        (3, 64, .f64le),
    ])
    func `samples are those that a decoder of files gives`(tag: Int, bits: Int, encoding: LiveSampleEncoding) throws {
        #expect(LiveSampleEncoding(waveFormat: tag, bits: bits) == encoding)
        var random = RandomSource(seed: UInt64(bits))
        let data: [UInt8] =
            encoding.isAlwaysFinite
            ? (0..<encoding.bytes * 500).map { _ in UInt8.random(in: 0...255, using: &random) }
            : Self.encoded(random.samples(500), encoding).bytes
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        let format = LiveFormat(encoding: encoding, sampleRate: 8000, channels: 1)
        let header = LiveWave.header(format, dataBytes: data.count)
        try Data(header + data).write(to: URL(filePath: path))
        let file = try SoundFile(path: path)
        var samples = [Float](repeating: 0, count: 500)
        let count = try samples.withUnsafeMutableBufferPointer { buffer in
            try file.read(into: try #require(buffer.baseAddress), frames: 500)
        }
        #expect(count == 500)
        #expect(Self.decoded(data, encoding) == samples)
    }
}
