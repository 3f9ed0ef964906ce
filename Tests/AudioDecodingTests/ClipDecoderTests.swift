import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct ClipDecoderTests {
    @Test func `integer samples are divided by full scale, exactly`() throws {
        let folder = try TemporaryFolder()
        let short = try folder.wave("16.wav", .pcm16([0, 1, -1, 16_384, 32_767, -32_768]))
        let expected: [Float] = [0, 0x1p-15, -0x1p-15, 0.5, 1 - 0x1p-15, -1]
        #expect(try decoder().read(short).signal == expected)
        let long = try folder.wave("24.wav", .pcm24([0, 1, -1, 1 << 22, (1 << 23) - 1, -(1 << 23)]))
        #expect(try decoder().read(long).signal == [0, 0x1p-23, -0x1p-23, 0.5, 1 - 0x1p-23, -1])
        let floats: [Float] = [0, 0.1, -2.5, .leastNonzeroMagnitude, 1e30]
        #expect(try decoder().read(try folder.wave("f.wav", .float32(floats))).signal == floats)
    }

    @Test func `a recording that is replaced or changed between two segments is read anew`() throws {
        let folder = try TemporaryFolder()
        func samples(_ value: Int16) -> [Int16] { Array(repeating: value, count: 8000) }
        let path = try folder.wave("a.wav", .pcm16(samples(100)))
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil))
        func first() throws -> Float? {
            var found: Float?
            let clip = Clip(index: 0, id: "a", path: path, segment: Segment(start: 0.25, end: 0.5))
            _ = try decoder.read(
                clip, path: path, rate: 8000, decoded: { _ in },
                receive: { found = found ?? $1.first })
            return found
        }
        #expect(try first() == 100 * 0x1p-15)
        let other = try folder.wave("b.wav", .pcm16(samples(200)))
        #expect(rename(other, path) == 0)
        #expect(try first() == 200 * 0x1p-15)
        // In place, with a time that differs, however coarse the clock is.
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 44)
        try file.write(contentsOf: samples(300).withUnsafeBytes { Data($0) })
        try file.close()
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        #expect(try first() == 300 * 0x1p-15)
    }

    @Test func `channels are mixed or chosen; what was decoded is interleaved as in the file`() throws {
        let folder = try TemporaryFolder()
        let samples: [Float] = [0.5, -0.25, 1, 0, 0.125, 0.375]
        let path = try folder.wave("s.wav", .float32(samples), channels: 2)
        #expect(try decoder(.mix).read(path).signal == [0.125, 0.5, 0.25])
        #expect(try decoder(.first).read(path).signal == [0.5, 1, 0.125])
        #expect(try decoder(.number(1)).read(path).signal == [-0.25, 0, 0.375])
        #expect(try decoder(.first).read(path, channel: 1).signal == [-0.25, 0, 0.375])
        let reading = try decoder(.number(1)).read(path)
        #expect(reading.decoded == samples)
        #expect(reading.found == ClipMeasurement(sampleRate: 8000, channels: 2, start: 0, duration: 3.0 / 8000))
        #expect(try decoder(.number(2)).failure(path) == .noSuchChannel(channel: 2, channels: 2))
    }

    @Test func `a recording of many channels before a long stereo one makes no difference to it`() throws {
        let folder = try TemporaryFolder()
        let wide = try folder.wave("wide.wav", .pcm16([Int16](repeating: 1, count: 200 * 100)), channels: 200)
        let stereo = try folder.wave(
            "stereo.wav", .pcm16((0..<120_000).map { Int16(truncatingIfNeeded: $0) }), channels: 2)
        let alone = try decoder().read(stereo).signal
        let reader = try decoder()
        _ = try reader.read(wide)
        #expect(try reader.read(stereo).signal == alone)
        #expect(alone.count == 60_000)
    }

    /// 20,000 different samples, so that several pieces are read.
    private let ramp = (0..<20_000).map { Int16($0 - 10_000) }

    private func expected(_ range: Range<Int>) -> [Float] { ramp[range].map { Float($0) / 32_768 } }

    @Test(
        arguments: [
            (0, 0.5, 0..<4000), (0.5, nil, 4000..<20_000), (0.000_1, 0.000_3, 1..<2), (0.000_062_6, 0.01, 1..<80),
            (0.000_062_4, 0.01, 0..<80), (2.499_9, 2.5, 19_999..<20_000), (1, 2.500_9, 8000..<20_000),
            (0, 2.5, 0..<20_000),
        ] as [(Double, Double?, Range<Int>)])
    func `a segment is exactly its samples`(start: Double, end: Double?, range: Range<Int>) throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("r.wav", .pcm16(ramp))
        let reading = try decoder().read(path, segment: Segment(start: start, end: end))
        #expect(reading.signal == expected(range) && reading.decoded == reading.signal)
        #expect(reading.found?.start == start && reading.found?.duration == Double(range.count) / 8000)
    }

    @Test(
        arguments: [
            (2.5, nil, .segmentStartsLate), (9, 10, .segmentStartsLate), (0, 2.501_1, .segmentEndsLate),
            (1, 1e300, .segmentEndsLate), (1, 1.000_05, .segmentWithoutSamples),
            (2.499_99, nil, .segmentWithoutSamples),
        ] as [(Double, Double?, ClipFailure.Kind)])
    func `a segment outside its recording is refused with both lengths`(
        start: Double, end: Double?, kind: ClipFailure.Kind
    ) throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("r.wav", .pcm16(ramp))
        let segment = try #require(Segment(start: start, end: end))
        let failure = try #require(try decoder().failure(path, segment: segment))
        switch failure {
        case .segmentStartsLate(start, length: 2.5, _), .segmentEndsLate(end, length: 2.5, _): break
        case .segmentWithoutSamples(let seconds, 8000): #expect(seconds < 1 / 8000)
        default: Issue.record("\(failure)")
        }
        #expect(failure.kind == kind)
        #expect(throws: failure) {
            try decoder().survey(Clip(index: 0, id: "", path: path, segment: segment), path: path)
        }
    }

    @Test(arguments: [8000, 16_000])
    func `segments of one recording are the same in any order, resampled or not`(rate: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("r.wav", .pcm16(ramp))
        let other = try folder.wave("o.wav", .pcm16(Array(ramp.reversed())))
        let segments = [(0.0, 0.5), (2.0, 2.5), (0.25, 1.5), (0.0, 2.5), (1.0, 1.01)].map {
            Segment(start: $0, end: $1)
        }
        let alone = try segments.map { try decoder(rate: rate).read(path, segment: $0).signal }
        let shared = try decoder(rate: rate)
        for position in [4, 0, 3, 3, 1, 2, 0] {
            #expect(try shared.read(path, segment: segments[position]).signal == alone[position], "\(position)")
            // Another recording, and a failure, in between.
            _ = try shared.read(other)
            #expect(shared.failure(folder.path("none.wav")) != nil)
            #expect(shared.failure(path, segment: Segment(start: 9, end: nil)) != nil)
        }
    }

    @Test func `files whose names are equivalent in Unicode are different files`() throws {
        let folder = try TemporaryFolder()
        let composed = try folder.wave("\u{E9}.wav", .pcm16([1]))
        let decomposed = try folder.wave("e\u{301}.wav", .pcm16([2]))
        guard try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2 else {
            print("SKIPPED: this file system has one file for both names")
            return
        }
        let shared = try decoder()
        #expect(try shared.read(composed).signal == [0x1p-15])
        #expect(try shared.read(decomposed).signal == [0x1p-14])
    }

    @Test(arguments: [0, 7, 8, 16_383, 16_384, 39_999])
    func `a sample that is not finite is refused with its index`(position: Int) throws {
        let folder = try TemporaryFolder()
        for bad in [Float.nan, .infinity, -.infinity] {
            var samples = Array(repeating: Float(0.25), count: 40_000)
            samples[position] = bad
            let mono = try folder.wave("m.wav", .float32(samples))
            let value = ClipFailure.SampleValue(bad)
            #expect(try decoder().failure(mono) == .nonFiniteSample(value, frame: position))
            let stereo = try folder.wave("s.wav", .float32(samples), channels: 2)
            #expect(try decoder(.number(0)).failure(stereo) == .nonFiniteSample(value, frame: position / 2))
        }
    }

    @Test func `a sample that is not finite outside the segment does no harm; within, it is counted from the start`()
        throws
    {
        let folder = try TemporaryFolder()
        var samples = Array(repeating: Float(0.25), count: 16_000)
        samples[9000] = .nan
        let path = try folder.wave("m.wav", .float32(samples))
        #expect(try decoder().read(path, segment: Segment(start: 0, end: 1)).signal.count == 8000)
        let failure = try decoder().failure(path, segment: Segment(start: 1, end: nil))
        #expect(failure == .nonFiniteSample(.init(.nan), frame: 9000))
    }

    @Test func `the survey says what reading finds`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.wave("r.wav", .pcm16(ramp), rate: 11_025, channels: 2)
        for segment in [nil, Segment(start: 0.1, end: 0.3), Segment(start: 0.5, end: nil)] {
            let clip = Clip(index: 0, id: "", path: path, segment: segment)
            #expect(try decoder().survey(clip, path: path) == decoder().read(path, segment: segment).found)
        }
    }

    @Test func `a clip of another rate than expected is refused where none is configured, and resampled where one is`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.wave("r.wav", .pcm16(ramp))
        #expect(try decoder().failure(path, rate: 16_000) == .otherRate(expected: 16_000, found: 8000, than: .clip))
        let reading = try decoder(rate: 16_000).read(path)
        #expect(abs(reading.signal.count - 40_000) <= 1 && reading.decoded.count == 20_000)
        #expect(reading.found?.sampleRate == 8000 && reading.found?.duration == 2.5)
    }
}
