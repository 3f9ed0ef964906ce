import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

/// A segment is exactly the samples that the whole recording has there, in every format and order.
struct SegmentExactnessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let seconds = 40

    /// Writes noise and a sweep.
    private func write(_ name: String, rate: Int, channels: Int) throws -> String {
        let container = try #require(SoundFileContainer(path: name))
        let input = SoundFileFormat(code: SoundFileContainer.wav.codes[0] | SoundEncoding.pcm16.rawValue)
        let format = try #require(
            SoundFileFormat.output(container, like: input, sampleRate: rate, channels: channels))
        let path = folder.path(name)
        let writer = try SoundFileWriter(
            path: path, settings: SoundFileWriter.Settings(format: format, sampleRate: rate, channels: channels),
            overwriting: false)
        var random = RandomSource(seed: 7)
        let noise = random.samples(Self.seconds * rate)
        let tone = noise.indices.map { (index: Int) -> Float in
            let time = Double(index) / Double(rate)
            return 0.3 * Float(sin(time * (300 + 200 * time)))
        }
        let both = [zip(tone, noise).map { $0 + 0.1 * $1 }, tone.map { 0.5 * $0 }]
        let samples = TestSupport.WaveFile.interleaved(Array(both[..<channels]))
        try samples.withUnsafeBufferPointer {
            try writer.write(#require($0.baseAddress), frames: samples.count / channels)
        }
        _ = try writer.finish()
        return path
    }

    /// Starts and lengths in seconds: windows that overlap, then any.
    private static let parts: [(start: Double, length: Double)] = {
        var random = RandomSource(seed: 8)
        let windows = (0..<20).map { (Double($0) * 1.5, 3.0) }
        return windows
            + (0..<25).map { _ in
                (Double.random(in: 0...35, using: &random), Double.random(in: 0.001...5, using: &random))
            }
    }()

    // Where decoding started shows in the last bits of the last one.
    @Test(arguments: [
        ("a.flac", 48_000, 2), ("a.ogg", 48_000, 2), ("a.opus", 48_000, 2), ("a.mp3", 48_000, 2), ("a.wav", 48_000, 2),
        ("a.mp3", 22_050, 1),
    ])
    func `a segment is exactly the samples that the whole recording has there`(
        name: String, rate: Int, channels: Int
    ) throws {
        let path = try write(name, rate: rate, channels: channels)
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil, channels: .first))
        let whole = try ClipDecoder(try AudioConfiguration(sampleRate: nil, channels: .first)).read(path).signal
        #expect(abs(whole.count - Self.seconds * rate) < 4000)
        for (start, length) in Self.parts {
            let end = min(start + length, Double(whole.count) / Double(rate))
            let segment = try #require(Segment(start: start, end: end))
            let first = Int((start * Double(rate)).rounded())
            let expected = Array(whole[first..<max(Int((end * Double(rate)).rounded()), first)])
            let isEqual = try decoder.read(path, segment: segment).signal == expected
            #expect(isEqual, "\(name) from \(start) s to \(end) s")
        }
        // And the whole again, with the same decoder.
        #expect(try decoder.read(path).signal == whole)
    }

    @Test func `parts in rising order are decoded in one pass, however long they are`() throws {
        let window = SampleWindow(frameSize: 8)
        /// Frames whose number is in their bytes.
        func fill(to end: Int) {
            while window.end < end {
                let space = window.freeSpace()
                let frames = min(space.count / 8, end - window.end, 1000)
                for index in 0..<frames {
                    space.storeBytes(of: UInt64(window.end + index), toByteOffset: 8 * index, as: UInt64.self)
                }
                window.add(8 * frames)
            }
        }
        func frame(_ number: Int) -> UInt64 {
            var value: UInt64 = 0
            withUnsafeMutablePointer(to: &value) { value in
                value.withMemoryRebound(to: Float.self, capacity: 2) {
                    window.copy(from: number, count: 1, to: $0)
                }
            }
            return value
        }
        // Three minutes at most; longer ones lose their start.
        for (start, end) in [(0, 500_000), (100_000, 900_000), (400_000, 2_000_000), (1_900_000, 3_000_000)] {
            window.keep(from: start)
            fill(to: end)
            #expect(window.start <= start && window.end >= end)
            for number in stride(from: start, to: end, by: 99_991) { #expect(frame(number) == UInt64(number)) }
            #expect(frame(end - 1) == UInt64(end - 1))
        }
        window.keep(from: 2_000_000)
        fill(to: 12_000_000)
        #expect(window.start > 2_000_000 && window.end - window.start <= 1 << 22)
        #expect(frame(window.start) == UInt64(window.start))
    }
}
