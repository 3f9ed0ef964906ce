import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct SampleRestTests {
    private let folder: TemporaryFolder
    private let rate = 8000

    init() throws { folder = try TemporaryFolder() }

    private func wave(_ count: Int) -> [UInt8] {
        Array(WaveFile.data(.pcm16((0..<count).map { Int16(truncatingIfNeeded: $0 * 7 + 1) }), rate: rate))
    }

    private func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func write(_ bytes: [UInt8], _ name: String = "a.wav") throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func failure(_ path: String) -> ClipFailure? {
        do throws(ClipFailure) {
            _ = try SoundFile(path: path)
            return nil
        } catch { return error }
    }

    @Test func `another recording is refused`() throws {
        #expect(failure(try write(wave(20_000) + wave(30_000))) == .recordingFollows(frame: nil))
    }

    @Test func `samples past the size in the header are not lost silently`() throws {
        var bytes = wave(40_000)
        bytes.replaceSubrange(40..<44, with: number(40_000))
        #expect(failure(try write(bytes)) == .lengthContradicted(header: 20_000, frames: 40_000))
    }

    @Test(arguments: [79, 81, 7999])
    func `less than a second of them is left out with a remark`(left: Int) throws {
        var bytes = wave(1000 + left)
        bytes.replaceSubrange(40..<44, with: number(2000))
        let path = try write(bytes)
        let file = try SoundFile(path: path)
        #expect(file.frameCount == 1000)
        // 10 ms.
        #expect(file.remarks == (left > 80 ? .lengthsDiffer : []))
        let clip = Clip(index: 0, id: "a", path: path)
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil))
        #expect(try decoder.survey(clip, path: path).remarks == file.remarks)
        let read = try decoder.read(clip, path: path, rate: rate, decoded: { _ in }) { _, _ in }
        #expect(read.remarks == file.remarks)
    }

    @Test(arguments: [0.5, 4])
    func `samples of a packed encoding past the size in the header are not lost silently`(left: Double) throws {
        let path = folder.path("a.wav")
        // Blocks of 256 bytes hold 505 samples.
        let blocks = 20 + Int((left * Double(rate) / 505).rounded(.up))
        var body = Array("WAVEfmt ".utf8) + number(20) + number(0x11, 2) + number(1, 2) + number(rate) + number(4055)
        body += number(256, 2) + number(4, 2) + number(2, 2) + number(505, 2)
        body +=
            Array("data".utf8) + number(20 * 256)
            + (0..<blocks).flatMap { _ in
                [0, 0, 10, 0] + (0..<252).map { UInt8($0 | 1) }
            }
        try Data(Array("RIFF".utf8) + number(20 * 256 + 40) + body).write(to: URL(filePath: path))
        if left < 1 {
            let file = try SoundFile(path: path)
            #expect(file.frameCount == 20 * 505 && file.remarks == .lengthsDiffer)
        } else {
            #expect(failure(path) == .lengthContradicted(header: 20 * 505, frames: blocks * 505))
        }
    }

    @Test func `tags, chunks, zeros and a few other bytes are not samples`() throws {
        let chunk = Array("note".utf8) + number(20_000) + Array(repeating: 7, count: 20_000)
        for rest in [
            chunk, Array("TAG".utf8) + Array(repeating: 1, count: 125), Array(repeating: 0, count: 100_000),
            Array(repeating: 200, count: 3000),
        ] {
            let file = try SoundFile(path: try write(wave(20_000) + rest))
            #expect(file.frameCount == 20_000 && file.cutOff == nil)
        }
    }

    @Test(arguments: [0, 30])
    func `a WAV of more than 4 GiB whose sizes have lost their upper bits is read whole`(chunkBytes: Int) throws {
        let frames = 1 << 31 | 5000
        try expectLongWave(frames, sizes: (2 * frames + 36, 2 * frames), chunkBytes: chunkBytes)
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF])
    func `a WAV of more than 4 GiB whose writer could not know its size, or count so far, is read to its end`(
        size: Int
    ) throws {
        try expectLongWave(1 << 31 | 5000, sizes: (size, size), chunkBytes: 0)
    }

    /// A sparse WAV of more than 4 GiB: its length, and its last sample.
    private func expectLongWave(_ frames: Int, sizes: (file: Int, data: Int), chunkBytes: Int) throws {
        let path = folder.path("long.wav")
        var head = wave(1)
        head.removeLast(2)
        head.replaceSubrange(4..<8, with: number(sizes.file))
        head.replaceSubrange(40..<44, with: number(sizes.data))
        #expect(FileManager.default.createFile(atPath: path, contents: Data(head)))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seek(toOffset: UInt64(44 + 2 * (frames - 1)))
        try file.write(contentsOf: number(0x1234, 2))
        if chunkBytes > 0 {
            try file.write(contentsOf: Array("note".utf8) + number(chunkBytes) + Array(repeating: 1, count: chunkBytes))
        }
        try file.close()
        let sound = try SoundFile(path: path)
        #expect(sound.frameCount == frames)
        try sound.seek(to: frames - 1)
        var samples = [Float](repeating: 0, count: 4)
        let count = try samples.withUnsafeMutableBufferPointer {
            try sound.read(into: #require($0.baseAddress), frames: 4)
        }
        #expect(count == 1 && samples[0] == Float(0x1234) / 32_768)
    }

    /// Tags of no content, which are as short as they can be.
    private func tags(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 0] }
    }

    @Test(arguments: [1, 2, 3000, 200_000])
    func `a recording is found behind any number of tags`(count: Int) throws {
        let ape =
            Array("APETAGEX".utf8) + number(2000) + number(32) + number(0) + number(0x2000_0000)
            + Array(repeating: 0, count: 8 + 32)
        for tags in [tags(count), tags(count) + ape] {
            let file = try SoundFile(path: try write(tags + wave(20_000)))
            #expect(file.frameCount == 20_000)
        }
    }

    @Test(arguments: [1, 3000])
    func `tags alone are not a recording`(count: Int) throws { #expect(failure(try write(tags(count))) != nil) }

    @Test(arguments: [0, 5000])
    func `behind a tag, the size of the header counts, too, also in an archive`(missing: Int) throws {
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 2, 0] + Array(repeating: 0, count: 256)
        let path = try write(tag + wave(20_000).dropLast(2 * missing))
        let size = try #require(FileStatus(path: path)).byteCount
        let part = FilePart(
            try SharedFile(path: path), offset: 0, count: size, status: try #require(FileContent.file(path).status))
        for content in [FileContent.file(path), .part(part)] {
            let file = try SoundFile(content, path: path)
            #expect(file.frameCount == 20_000 - missing)
            #expect((file.cutOff == nil) == (missing == 0))
            var samples = [Float](repeating: 0, count: 30_000)
            let count = try samples.withUnsafeMutableBufferPointer {
                try file.read(into: #require($0.baseAddress), frames: 30_000)
            }
            #expect(count == 20_000 - missing)
        }
    }
}
