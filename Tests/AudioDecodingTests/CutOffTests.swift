import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct CutOffTests {
    private let folder: TemporaryFolder
    private static let rate = 8000
    /// Two channels.
    private let samples: [Float]

    init() throws {
        folder = try TemporaryFolder()
        var random = RandomSource(seed: 5)
        samples = random.samples(2 * 8000).map { ($0 * 32_000).rounded() / 32_768 }
    }

    /// Containers that say how many bytes of samples they have.
    static let containers = ["wav", "wavex", "rf64", "w64", "aiff", "au", "caf"]

    /// A second of stereo sound in a container, and the offset of its samples.
    private func recording(_ name: String, _ encoding: SoundEncoding = .pcm16) throws -> (bytes: Data, offset: Int) {
        let file = name == "wavex" ? "wav" : name
        let container = try #require(SoundFileContainer(path: "x.\(file)"))
        let codes = container.codes
        let format = SoundFileFormat(code: (name == "wavex" ? codes[1] : codes[0]) | encoding.rawValue)
        let path = folder.path("whole-\(name).\(file)")
        let writer = try SoundFileWriter(
            path: path, settings: .init(format: format, sampleRate: Self.rate, channels: 2), overwriting: true)
        try samples.withUnsafeBufferPointer { try writer.write(#require($0.baseAddress), frames: $0.count / 2) }
        _ = try writer.finish()
        let data = try #require(HeaderBytes(.file(path)).flatMap(SampleData.find))
        #expect(data.promised == samples.count * (encoding.bytes ?? 0), "\(name)")
        return (try Data(contentsOf: URL(filePath: path)), data.offset)
    }

    private func write(_ bytes: Data, _ name: String) throws -> String {
        let path = folder.path("cut.\(name)")
        try RawFile.write(bytes, to: path)
        return path
    }

    private func keeping() throws -> ClipDecoder {
        ClipDecoder(
            try AudioConfiguration(sampleRate: nil, channels: .first), policy: RecordingPolicy(truncated: .keep))
    }

    private var left: [Float] { stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }

    @Test(arguments: containers)
    func `a cut recording fails with both lengths, and is kept where that is asked for`(name: String) throws {
        let (bytes, offset) = try recording(name)
        let path = try write(bytes.prefix(offset + 4 * 2000), name)
        let reason = "cut off: the header promises 1.00 s, 0.25 s are there"
        #expect(try decoder().failure(path)?.reason == reason)
        let clip = Clip(index: 0, id: "", path: path)
        let surveyed = #expect(throws: ClipFailure.self) { try decoder().survey(clip, path: path) }
        #expect(surveyed?.reason == reason && surveyed?.kind == .cutOff)
        let found = try keeping().read(path)
        #expect(found.signal == Array(left[..<2000]) && found.found?.isTruncated == true)
        #expect(try keeping().survey(clip, path: path).isTruncated)
        #expect(found.found?.duration == 0.25)
    }

    @Test(arguments: containers)
    func `a segment before the cut is as good as any; one across it fails, or is kept`(name: String) throws {
        let (bytes, offset) = try recording(name)
        let path = try write(bytes.prefix(offset + 4 * 2000), name)
        let before = try decoder(.first).read(path, segment: Segment(start: 0.125, end: 0.25))
        #expect(before.signal == Array(left[1000..<2000]) && before.found?.isTruncated == false)
        #expect(before.found?.remarks == .recordingsCutLater)
        for segment in [Segment(start: 0.125, end: 0.5), Segment(start: 0.125, end: nil)] {
            #expect(try decoder().failure(path, segment: segment)?.reason.hasPrefix("cut off") == true)
            let kept = try keeping().read(path, segment: segment)
            #expect(kept.signal == Array(left[1000..<2000]) && kept.found?.isTruncated == true)
        }
        let behind = Segment(start: 0.5, end: 0.75)
        #expect(try keeping().failure(path, segment: behind)?.reason.hasPrefix("cut off") == true)
        let outside = try keeping().failure(path, segment: Segment(start: 0, end: 2))
        #expect(
            outside?.reason
                == "the segment ends at 2.0 s, but the recording lasts 1.0 s: --overshoot 1.0 cuts it at the end of the recording"
        )
    }

    @Test(arguments: containers)
    func `a cut of any length is found, but less than a frame is none`(name: String) throws {
        let (bytes, offset) = try recording(name)
        let end = offset + 2 * samples.count
        for cut in [end - 1, end - 3, end] {
            let path = try write(bytes.prefix(cut), name)
            #expect(try decoder().failure(path) == nil, "\(cut - end)")
        }
        for cut in [end - 4, end - 5, end - 1000, offset + 4] {
            let path = try write(bytes.prefix(cut), name)
            #expect(try decoder().failure(path)?.reason.hasPrefix("cut off: ") == true, "\(cut - end)")
        }
        // A header alone is an empty recording, as it is where the header says so.
        for cut in [offset, offset + 3] {
            let path = try write(bytes.prefix(cut), name)
            let failure = try #require(try decoder().failure(path), "\(cut - end)")
            #expect(failure.reason.contains("empty") || failure.stage == .open, "\(failure)")
        }
    }

    @Test(arguments: containers)
    func `a size that the writer of a pipe could not know means: to the end`(name: String) throws {
        let (bytes, offset) = try recording(name)
        let path = folder.path("whole-\(name).\(name == "wavex" ? "wav" : name)")
        let data = try #require(HeaderBytes(.file(path)).flatMap(SampleData.find))
        let field = try #require(
            data.fields.first { if case .data = $0.meaning { true } else { false } }, "a size of the samples")
        let narrow: [UInt64] = [0, 0xFFFF_FFFF, 0x7F00_0000, 0x7FFF_F000]
        let wide: [UInt64] = [0, .max, UInt64(Int64.max), 0xFFFF_FFFF]
        for size in field.width == 4 ? narrow : wide {
            var piped = bytes.prefix(offset + 4 * 3000)
            for index in 0..<field.width {
                let shift = UInt64(8 * (field.isBigEndian ? field.width - 1 - index : index))
                piped[field.offset + index] = UInt8(truncatingIfNeeded: size >> shift)
            }
            let found = try decoder(.first).read(try write(piped, name))
            #expect(found.signal == Array(left[..<3000]), "\(name): \(size)")
            #expect(found.found?.isTruncated == false)
        }
    }

    @Test func `a format that was written into a pipe with a header in its midst is refused`() throws {
        let (bytes, offset) = try recording("w64")
        var piped = bytes.prefix(offset) + bytes
        // 23 bytes, less than the size's own: what SoX leaves there.
        piped.replaceSubrange(offset - 8..<offset, with: [0x17, 0, 0, 0, 0, 0, 0, 0])
        let failure = try #require(try decoder().failure(try write(piped, "w64")))
        #expect(failure.reason.contains("found the header of the file once more"), "\(failure)")
    }

    @Test func `chunks behind the samples, and a missing pad byte, are not a cut`() throws {
        let path = try folder.wave("odd.wav", .pcm24([1, 2, 3]))
        var bytes = try Data(contentsOf: URL(filePath: path))
        #expect(try decoder().failure(path) == nil)
        bytes += Data("\0LIST\u{4}\0\0\0INFO".utf8)
        #expect(try decoder().failure(try write(bytes, "wav")) == nil)
    }

    @Test func `a size of 0 with well-formed chunks behind is an empty recording`() throws {
        let path = try folder.wave("none.wav", .pcm16([]))
        let bytes = try Data(contentsOf: URL(filePath: path)) + Data("LIST\u{4}\0\0\0INFO".utf8)
        #expect(try decoder().failure(path)?.reason.contains("empty") == true)
        #expect(try decoder().failure(try write(bytes, "wav"))?.reason.contains("empty") == true)
    }

    @Test func `lengths are told apart, however little is missing`() {
        func reason(_ promised: Double?, _ present: Double?) -> String {
            CutOff(promised: promised, present: present).reason
        }
        #expect(reason(13.91, 8) == "cut off: the header promises 13.91 s, 8.00 s are there")
        #expect(reason(3, 2.9999) == "cut off: the header promises 3.0000 s, 2.9999 s are there")
        #expect(reason(1, nil) == "cut off: the header promises 1.00 s, and less is there")
        #expect(reason(nil, 1) == "cut off: the end of the stream is missing, 1.00 s are there")
    }

    @Test(arguments: [false, true])
    func `samples that are not numbers fail, or become 0 and are counted`(plain: Bool) throws {
        var bad = samples
        bad[10] = .nan
        bad[11] = .infinity
        bad[4001] = -.infinity
        // Long chunks in between are libsndfile's to read.
        let path = try folder.wave("bad.wav", .float32(bad), channels: 2)
        if !plain {
            let bytes = try Data(contentsOf: URL(filePath: path)) + Data("junk".utf8)
            try RawFile.write(bytes, to: path)
        }
        #expect(try decoder().failure(path)?.reason == "expected finite samples, found nan at sample 5")
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil), policy: RecordingPolicy(nonFinite: .zero))
        let found = try decoder.read(path)
        var expected = samples
        for position in [10, 11, 4001] { expected[position] = 0 }
        #expect(found.decoded == expected && found.found?.zeroedSamples == 3)
        #expect(found.found?.isTruncated == false)
        let part = try decoder.read(path, segment: Segment(start: 0.1, end: 0.2))
        #expect(part.found?.zeroedSamples == 0)
    }
}
