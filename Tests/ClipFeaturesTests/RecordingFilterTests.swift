import FeatureModel
import Foundation
import Messages
import TestSupport
import Testing

@testable import AudioDecoding
@testable import ClipFeatures
@testable import Concurrency
@testable import SignalProcessing

struct RecordingFilterTests {
    private let folder: TemporaryFolder
    private let speech: DCTFilterConfiguration

    init() throws {
        folder = try TemporaryFolder()
        speech = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400))
    }

    @discardableResult
    private func filter(
        _ input: String, _ output: String, by configuration: DCTFilterConfiguration? = nil, overwriting: Bool = false,
        cancellation: Cancellation = Cancellation()
    ) throws -> FilteringSummary {
        let work = RecordingFilter(
            input: folder.path(input), output: folder.path(output), configuration: configuration ?? speech,
            overwriting: overwriting)
        return try work.run(cancellation: cancellation)
    }

    private func channels(_ name: String) throws -> [[Float]] {
        let file = try SoundFile(path: folder.path(name))
        let frames = try #require(file.frameCount)
        var samples = [Float](repeating: .nan, count: frames * file.channels)
        let count = try samples.withUnsafeMutableBufferPointer { buffer in
            try file.read(into: #require(buffer.baseAddress), frames: frames)
        }
        #expect(count == frames)
        return (0..<file.channels).map { channel in
            stride(from: channel, to: samples.count, by: file.channels).map { samples[$0] }
        }
    }

    @Test(
        arguments: [1, 2, 3, 40],
        DCTFilterPages.allCases)
    func `every channel is filtered by itself, and all frames are kept`(count: Int, pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 71)
        let speech = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400), pages: pages)
        for length in [1, 1023, 5000, 70_001] {
            let input = (0..<count).map { _ in random.samples(length) }
            try folder.writeWave(input, sampleRate: 16_000, encoding: .float32, to: "in.wav")
            let summary = try filter("in.wav", "out.wav", by: speech, overwriting: true)
            #expect(summary.frames == length && summary.channels == count && summary.bins == 38...435)
            let output = try channels("out.wav")
            try #require(output.count == count)
            for (channel, samples) in input.enumerated() {
                var expected: [Float] = []
                let filter = try DCTFilter(DCTEnvelope(speech, sampleRate: 16_000), pages: pages)
                samples.withUnsafeBufferPointer { filter.push($0) { expected += $0 } }
                filter.finish { expected += $0 }
                #expect(output[channel].map(\.bitPattern) == expected.map(\.bitPattern), "channel \(channel)")
            }
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `an envelope of ones returns 16-bit samples exactly`(pages: DCTFilterPages) throws {
        let everything = try DCTFilterConfiguration(mode: .bandPass, low: .bin(0), high: .bin(1024), pages: pages)
        var random = RandomSource(seed: 72)
        let input = [random.samples(30_000), random.samples(30_000)]
        try folder.writeWave(input, sampleRate: 44_100, to: "in.wav")
        for name in ["out.wav", "out.flac", "out.aiff"] {
            let summary = try filter("in.wav", name, by: everything)
            #expect(summary.clippedSamples == 0)
            #expect(try channels(name) == input.map(WaveFile.quantized))
        }
    }

    @Test func `samples beyond full scale are counted`() throws {
        // A square wave without its upper harmonics overshoots.
        let square = (0..<8000).map { $0 / 100 % 2 == 0 ? Float(0.999) : -0.999 }
        try folder.writeWave([square], sampleRate: 16_000, to: "in.wav")
        let low = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(0), high: .hertz(1000))
        #expect(try filter("in.wav", "out.wav", by: low).clippedSamples > 100)
    }

    @Test func `bad input and a request to stop leave nothing behind, and an old output as it was`() throws {
        var random = RandomSource(seed: 73)
        let samples = random.samples(20_000)
        try folder.writeWave([samples], sampleRate: 16_000, to: "good.wav")
        try folder.writeWave([[0, .nan, 0]], sampleRate: 16_000, encoding: .float32, to: "nan.wav")
        try folder.writeWave(
            [Array(repeating: 3e38, count: 100)], sampleRate: 16_000, encoding: .float32, to: "huge.wav")
        try folder.writeWave([[]], sampleRate: 16_000, to: "empty.wav")
        let whole = try Data(contentsOf: folder.url.appending(path: "good.wav"))
        try whole.write(to: folder.url.appending(path: "old.wav"))
        let before = try folder.names()
        let refused: [(String, ClipFailure)] = [
            ("huge.wav", .filterOverflow), ("nan.wav", .nonFiniteSample(.init(.nan), frame: 1)),
            ("empty.wav", .noSamples),
            ("none.wav", .cannotOpen(ClipFailureTable.gone)),
        ]
        for (input, failure) in refused {
            #expect(throws: FilteringError.recording(path: folder.path(input), failure: failure)) {
                try filter(input, "old.wav", overwriting: true)
            }
        }
        let stop = Cancellation()
        stop.cancel()
        #expect(throws: FilteringError.cancelled) {
            try filter("good.wav", "old.wav", overwriting: true, cancellation: stop)
        }
        #expect(throws: SoundFileError.exists(path: folder.path("old.wav"))) { try filter("good.wav", "old.wav") }
        #expect(throws: ConfigurationError.self) {
            let high = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(8001))
            try filter("good.wav", "new.wav", by: high)
        }
        #expect(try folder.names() == before)
        #expect(try Data(contentsOf: folder.url.appending(path: "old.wav")) == whole)
    }

    @Test func `input and output are never one file, by whatever name`() throws {
        try folder.writeWave([[0.5, 0.25]], sampleRate: 16_000, to: "a.wav")
        try FileManager.default.linkItem(atPath: folder.path("a.wav"), toPath: folder.path("hard.wav"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("soft.wav"), withDestinationPath: "a.wav")
        for name in ["a.wav", "hard.wav", "soft.wav", "./a.wav"] {
            let error = #expect(throws: FilteringError.self) { try filter("a.wav", name, overwriting: true) }
            #expect(error == .sameFile(input: folder.path("a.wav"), output: folder.path(name)))
        }
        #expect(try channels("a.wav") == [[0.5, 0.25]])
    }

    @Test func `an extension that is not known is refused, with those that are`() throws {
        try folder.writeWave([[0.5, 0.25]], sampleRate: 16_000, to: "a.wav")
        for name in ["b", "b.txt", "b.m4a"] {
            let extensions = SoundFileContainer.writableExtensions
            #expect(extensions.starts(with: [".wav", ".rf64", ".w64", ".aiff", ".au", ".caf", ".flac"]))
            #expect(throws: SoundFileError.unknownExtension(path: folder.path(name), writable: extensions)) {
                try filter("a.wav", name)
            }
        }
        // A rate that libsndfile cannot give to Opus.
        try folder.writeWave([[0.5, 0.25]], sampleRate: 44_100, to: "c.wav")
        #expect(throws: SoundFileError.self) { try filter("c.wav", "c.opus") }
        #expect(try folder.names() == ["a.wav", "c.wav"])
    }

    @Test(arguments: [1, 2, 3])
    func `a sample that is not a number is named by its index, also past the first block`(count: Int) throws {
        for index in [0, 40_000, 65_536, 70_001] {
            var input = [[Float]](repeating: Array(repeating: 0.25, count: 70_002), count: count)
            input[count - 1][index] = index % 2 == 0 ? .nan : -.infinity
            try folder.writeWave(input, sampleRate: 16_000, encoding: .float32, to: "in.wav")
            let failure = ClipFailure.nonFiniteSample(.init(input[count - 1][index]), frame: index)
            #expect(throws: FilteringError.recording(path: folder.path("in.wav"), failure: failure)) {
                try filter("in.wav", "out.wav")
            }
        }
    }

    /// An extensible WAV file of silence, whose channels are for the loudspeakers of a mask.
    private func writeExtensible(mask: UInt32, channels: Int, to name: String) throws {
        func bytes(_ number: some FixedWidthInteger) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
        let width = 2 * channels
        let samples = Data(count: 100 * width)
        var file = Data("RIFF".utf8) + bytes(UInt32(60 + samples.count)) + Data("WAVEfmt ".utf8) + bytes(UInt32(40))
        file += bytes(UInt16(0xFFFE)) + bytes(UInt16(channels)) + bytes(UInt32(16_000)) + bytes(UInt32(16_000 * width))
        file += bytes(UInt16(width)) + bytes(UInt16(16)) + bytes(UInt16(22)) + bytes(UInt16(16)) + bytes(mask)
        file += bytes(UInt32(1)) + bytes(UInt32(0x0010_0000)) + bytes(UInt32(0xAA00_0080)) + bytes(UInt32(0x719B_3800))
        file += Data("data".utf8) + bytes(UInt32(samples.count)) + samples
        try file.write(to: folder.url.appending(path: name))
    }

    @Test func `every channel keeps its loudspeaker`() throws {
        // Front left, right and centre, back centre: not what four channels are for by themselves.
        for (mask, count) in [(UInt32(0x107), 4), (0x33, 4), (0x600, 2)] {
            try writeExtensible(mask: mask, channels: count, to: "in.wav")
            let map = try #require(try SoundFile(path: folder.path("in.wav")).channelMap)
            try filter("in.wav", "out.wav", overwriting: true)
            let written = try Data(contentsOf: folder.url.appending(path: "out.wav"))
            // The mask is 20 bytes into the chunk, which begins at byte 20.
            #expect(written[40..<44].elementsEqual(withUnsafeBytes(of: mask.littleEndian) { Data($0) }), "\(mask)")
            #expect(try SoundFile(path: folder.path("out.wav")).channelMap == map)
        }
    }

    @Test func `an output that its format cannot hold is refused before anything is filtered`() throws {
        try folder.writeWave([[0.5, 0.25]], sampleRate: 16_000, to: "small.wav")
        try filter("small.wav", "long.w64")
        // A recording of 5 GB, of which only the header takes space.
        var header = try Data(contentsOf: folder.url.appending(path: "long.w64"))
        let data = try #require(header.range(of: Data("data".utf8)))
        let frames = 2_500_000_000
        let size = data.lowerBound + 24 + 2 * frames
        for (offset, number) in [(16, size), (data.lowerBound + 16, 24 + 2 * frames)] {
            let bytes = withUnsafeBytes(of: UInt64(number).littleEndian) { Data($0) }
            header.replaceSubrange(offset..<offset + 8, with: bytes)
        }
        try header.write(to: folder.url.appending(path: "long.w64"))
        let file = try FileHandle(forUpdating: folder.url.appending(path: "long.w64"))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
        try #require(try SoundFile(path: folder.path("long.w64")).frameCount == frames)
        // Filtering would find the request to stop, as it does where the format can hold it.
        let stop = Cancellation()
        stop.cancel()
        let error = #expect(throws: SoundFileError.self) { try filter("long.w64", "out.wav", cancellation: stop) }
        #expect(error?.description.contains("5000000000 bytes") == true)
        #expect(throws: FilteringError.cancelled) { try filter("long.w64", "out.rf64", cancellation: stop) }
        #expect(try folder.names() == ["long.w64", "small.wav"])
    }
}
