import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct MPEGLengthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], _ name: String = "a.mp3") throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func length(_ bytes: [UInt8]) throws -> MPEGLength? { try MPEGLength(.file(try write(bytes))) }

    /// Samples by the header, and decoded; for the whole recording, and for its parts.
    private func counts(_ path: String) throws -> [Int] {
        let clip = Clip(index: 0, id: "a", path: path)
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil))
        let survey = try decoder.survey(clip, path: path)
        var counts = [Int((survey.duration * Double(survey.sampleRate)).rounded()), 0, 0]
        _ = try decoder.read(clip, path: path, rate: survey.sampleRate, decoded: { _ in }) { counts[1] += $1.count }
        for start in stride(from: 0, to: survey.duration, by: 0.25) {
            let end = start + 0.25
            let part = Clip(
                index: 0, id: "a", path: path, segment: Segment(start: start, end: end < survey.duration ? end : nil))
            _ = try decoder.read(part, path: path, rate: survey.sampleRate, decoded: { _ in }) { counts[2] += $1.count }
        }
        return counts
    }

    @Test(
        arguments: [
            ([0xFF, 0xFB, 0x90, 0xC0], 417, 1152, 44_100, 1), ([0xFF, 0xFB, 0x92, 0x00], 418, 1152, 44_100, 2),
            ([0xFF, 0xFB, 0xE8, 0x40], 1440, 1152, 32_000, 2), ([0xFF, 0xF3, 0x84, 0xC4], 192, 576, 24_000, 1),
            ([0xFF, 0xE3, 0x18, 0xC4], 72, 576, 8000, 1), ([0xFF, 0xFD, 0xE4, 0x00], 1152, 1152, 48_000, 2),
            ([0xFF, 0xFF, 0xE0, 0x00], 484, 384, 44_100, 2),
        ] as [([UInt8], Int, Int, Int, Int)])
    func `bytes of a frame, its samples, rate and channels`(
        bytes: [UInt8], size: Int, samples: Int, rate: Int, channels: Int
    ) throws {
        let header = try #require(MPEGFrameHeader(bytes[0], bytes[1], bytes[2], bytes[3]))
        #expect(header.frameBytes == size)
        #expect(header.kind.frameSamples == samples)
        #expect(header.kind.sampleRate == rate && header.kind.channels == channels)
    }

    @Test(
        arguments: [
            [0xFF, 0xEB, 0x90, 0xC0], [0xFF, 0xF9, 0x90, 0xC0], [0xFF, 0xFB, 0xF0, 0xC0], [0xFF, 0xFB, 0x9C, 0xC0],
            [0xFF, 0xFB, 0x90, 0xC2], [0xFF, 0x1B, 0x90, 0xC0], [0xFE, 0xFB, 0x90, 0xC0],
        ] as [[UInt8]])
    func `reserved values are not a header`(bytes: [UInt8]) {
        #expect(MPEGFrameHeader(bytes[0], bytes[1], bytes[2], bytes[3]) == nil)
    }

    @Test(arguments: [false, true])
    func `a stream of many bit rates without a tag has the length of its frames everywhere`(hasTags: Bool) throws {
        let id3 = Array("ID3".utf8) + [3, 0, 0, 0, 0, 2, 0] + Array(repeating: 0xFF, count: 256)
        let id3v1 = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
        let frames = MPEGFile.variable(90)
        let path = try write(hasTags ? id3 + frames + id3v1 : frames)
        #expect(try counts(path) == [90 * 1152, 90 * 1152, 90 * 1152])
        let file = try SoundFile(path: path)
        #expect(file.frameCount == 90 * 1152 && !file.isFrameCountEstimated)
    }

    @Test(arguments: [0, 1, 2])
    func `tags of every kind before the frames change nothing`(kind: Int) throws {
        let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + Array(repeating: 0, count: 256)
        let footed =
            Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 2, 0] + Array(repeating: 0, count: 256)
            + Array("3DI".utf8) + [4, 0, 0x10, 0, 0, 2, 0]
        let ape =
            Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20]
            + Array(repeating: 0, count: 8 + 32)
        let tags = [footed, ape, id3 + id3 + ape][kind]
        let frames = MPEGFile.variable(90)
        #expect(try counts(try write(tags + frames)) == [90 * 1152, 90 * 1152, 90 * 1152])
        // The tag with the length is intact, or its number of frames is wrong.
        for stated in [90, 70] {
            let tag = MPEGFile.tag(frames: stated, bytes: 417 + frames.count, isIntact: stated == 90)
            let expected = 90 * 1152 - 576 - 1000
            #expect(try counts(try write(tags + tag + frames, "b.mp3")) == [expected, expected, expected])
        }
    }

    @Test func `a tag of frames alone that counts its own frame is not a cut`() throws {
        let frames = MPEGFile.variable(40)
        let expected = 40 * 1152 - 529
        #expect(try counts(try write(MPEGFile.tag(frames: 41, bytes: nil) + frames)) == [expected, expected, expected])
        let cut = try write(MPEGFile.tag(frames: 42, bytes: nil) + frames, "b.mp3")
        #expect(throws: ClipFailure.self) { try counts(cut) }
    }

    @Test(arguments: [6, 20])
    func `a tag that mpg123 does not read is not believed`(offset: Int) throws {
        let frames = MPEGFile.variable(40)
        // It says that the end is missing, or not.
        for missing in [0, 10] {
            var tag = MPEGFile.tag(frames: 40 + missing, bytes: 417 + frames.count + missing * 400)
            tag[offset] = 1
            let path = try write(tag + frames)
            if missing == 0 {
                #expect(try counts(path) == [40 * 1152, 40 * 1152, 40 * 1152])
            } else {
                #expect(try SoundFile(path: path).cutOff != nil)
            }
        }
    }

    @Test func `a tag that is intact and ends with the file is believed without a scan`() throws {
        // Most of them are not frames, which only a scan finds.
        let frames = MPEGFile.variable(10) + Array(repeating: 0, count: 9000)
        let tag = { MPEGFile.tag(frames: 40, bytes: 417 + frames.count, isIntact: $0) }
        let believed = try #require(try length(tag(true) + frames))
        #expect(believed.layout == nil && !believed.isCutOff)
        #expect(try length(tag(false) + frames)?.layout != nil)
    }

    @Test(arguments: [(20, 1.0), (80, 1), (41, 1), (39, 1), (0, 1), (40, 0.5), (20, 0.5), (40, 2), (40, 0)])
    func `a tag with wrong numbers is replaced by a scan of the frames`(stated: Int, share: Double) throws {
        let frames = MPEGFile.variable(40)
        let bytes = Int(Double(417 + frames.count) * share)
        let path = try write(MPEGFile.tag(frames: stated, bytes: bytes, isIntact: false) + frames)
        // What the encoder put before and after the sound is left out; after a part that another follows, only what is before.
        let expected = 40 * 1152 - 576 - (stated < 40 && share == 0.5 ? 529 : 1000)
        #expect(try counts(path) == [expected, expected, expected])
    }

    @Test func `a tag without a number of frames, or without one of bytes`() throws {
        let frames = MPEGFile.variable(40)
        #expect(try counts(try write(MPEGFile.tag(frames: 40, bytes: nil) + frames))[0] == 40 * 1152 - 529)
        var tag = MPEGFile.tag(frames: 40, bytes: nil)
        tag[4 + 17 + 7] = 0
        #expect(try counts(try write(tag + frames)) == [40 * 1152, 40 * 1152, 40 * 1152])
        let vbri = MPEGFile.frame().prefix(36) + Array("VBRI".utf8) + Array(repeating: 0, count: 417 - 40)
        #expect(try counts(try write(vbri + frames)) == [40 * 1152, 40 * 1152, 40 * 1152])
    }

    @Test func `recordings one after another are read to the end of the last one`() throws {
        let (first, second) = (MPEGFile.variable(30), MPEGFile.variable(50))
        let tag = { (frames: Int, bytes: Int) in MPEGFile.tag(frames: frames, bytes: 417 + bytes) }
        let path = try write(tag(30, first.count) + first + tag(50, second.count) + second)
        // As ffmpeg: the tag of the second one is a frame of silence, and nothing is left out after the first one.
        let expected = (30 + 1 + 50) * 1152 - 576 - 529
        #expect(try counts(path) == [expected, expected, expected])
        #expect(try counts(try write(first + second)) == [80 * 1152, 80 * 1152, 80 * 1152])
    }

    @Test(arguments: [[], Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 9] + Array(repeating: 0, count: 9)])
    func `a later recording that ends before its tag says is cut off`(between: [UInt8]) throws {
        let (first, second) = (MPEGFile.variable(30), MPEGFile.variable(50))
        let tag = { (frames: Int, bytes: Int) in MPEGFile.tag(frames: frames, bytes: 417 + bytes) }
        let whole = tag(30, first.count) + first + between + tag(50, second.count) + second
        #expect(try length(whole)?.promised == nil)
        let start = Array(whole.prefix(417 + first.count + between.count + 7))
        #expect(try length(start)?.promised == (30 + 1) * 1152)
        let cut = Array(whole.dropLast(300))
        #expect(try length(cut)?.promised == (30 + 1 + 50) * 1152)
        #expect(throws: ClipFailure.self) { try counts(try write(cut)) }
    }

    @Test(arguments: [10, 1000, 5000, 300_000])
    func `other bytes between frames are left out`(count: Int) throws {
        var random = RandomSource(seed: 5)
        let other = random.samples(count).map { UInt8(truncatingIfNeeded: Int($0 * 1000)) & 0x7F }
        let path = try write(MPEGFile.variable(30) + other + MPEGFile.variable(30) + other)
        #expect(try counts(path) == [60 * 1152, 60 * 1152, 60 * 1152])
    }

    @Test func `a frame that the file ends in does not count`() throws {
        let path = try write(MPEGFile.variable(30) + MPEGFile.frame().dropLast(9))
        #expect(try counts(path) == [30 * 1152, 30 * 1152, 30 * 1152])
        let tag = MPEGFile.tag(frames: 40, bytes: 417 + MPEGFile.variable(40).count)
        let cut = try write(tag + MPEGFile.variable(30), "b.mp3")
        #expect(throws: ClipFailure.self) { try counts(cut) }
        #expect(try MPEGLength(.file(cut))?.isCutOff == true)
    }

    @Test(arguments: [(0xFB, 1, 0xC0), (0xF3, 0, 0xC0), (0xFB, 0, 0)])
    func `a stream of another kind that follows is refused`(second: Int, frequency: Int, channels: Int) throws {
        let frame = MPEGFile.frame(second: UInt8(second), frequency: UInt8(frequency), channels: UInt8(channels))
        let path = try write(MPEGFile.variable(30) + (0..<20).flatMap { _ in frame })
        do throws(ClipFailure) {
            _ = try SoundFile(path: path)
            Issue.record("it was opened")
        } catch {
            guard case .otherStreamFollows(30 * 1152, let first, let other) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(first == .init(sampleRate: 44_100, channels: 1, layer: 3) && other != first)
        }
    }

    @Test func `a few frames within another file are not a recording`() throws {
        let frames = MPEGFile.variable(6)
        let other = Array(repeating: UInt8(1), count: 3 * frames.count)
        let path = try write(Array("caff".utf8) + other + frames, "a.caf")
        #expect(try MPEGLength(.file(path), opensAsItIs: false) == nil)
        #expect(throws: ClipFailure.self) { try counts(path) }
    }

    @Test func `a header of another kind within other bytes is not a stream`() throws {
        let stray = MPEGFile.frame(second: 0xF3, channels: 0)
        let path = try write(MPEGFile.variable(30) + stray + [1, 2, 3] + MPEGFile.variable(30))
        #expect(try counts(path)[0] == 60 * 1152)
    }

    @Test func `in a WAV, the frames count and not what the header says`() throws {
        let frames = MPEGFile.variable(60)
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var body = Array("WAVEfmt ".utf8) + number(30, 4) + number(0x55, 2) + number(1, 2) + number(44_100, 4)
        body += number(16_000, 4) + number(1, 2) + number(0, 2) + number(12, 2) + number(1, 2) + number(2, 4)
        body += number(1152, 2) + number(1, 2) + number(0, 2)
        body +=
            Array("fact".utf8) + number(4, 4) + number(1000, 4) + Array("data".utf8) + number(frames.count, 4) + frames
        let path = try write(Array("RIFF".utf8) + number(body.count, 4) + body, "a.wav")
        #expect(try counts(path) == [60 * 1152, 60 * 1152, 60 * 1152])
    }

    @Test func `a scan is kept until the file changes`() throws {
        let path = try write(MPEGFile.variable(30))
        let scans = RecordingScans()
        #expect(scans.length(of: .file(path)) == nil)
        _ = try SoundFile(.file(path), path: path, scans: scans)
        #expect(scans.length(of: .file(path))?.sampleCount == 30 * 1152)
        _ = try write(MPEGFile.variable(31))
        #expect(scans.length(of: .file(path)) == nil)
        #expect(try SoundFile(.file(path), path: path, scans: scans).frameCount == 31 * 1152)
    }

    @Test(.timeLimit(.minutes(5)))
    func `bytes that only look like headers take no longer than others`() throws {
        for pattern: [UInt8] in [[0xFF], [0xFF, 0xFB], [0xFF, 0xFB, 0x90, 0xC0], [0xFF, 0xFB, 0x00, 0xC0]] {
            let bytes = MPEGFile.variable(10) + (0..<(1 << 20) / pattern.count).flatMap { _ in pattern }
            _ = try? length(bytes)
        }
    }
}
