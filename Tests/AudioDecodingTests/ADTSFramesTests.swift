import FileIO
import Foundation
import TestSupport
import Testing

@testable import AudioDecoding

struct ADTSFramesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A frame of 44.1 kHz, or of another rate, without sound.
    private func frame(_ count: Int = 100, rate: UInt8 = 4) -> [UInt8] {
        [0xFF, 0xF1, 0x40 | rate << 2, 0x40, UInt8(count >> 3), UInt8(count & 7) << 5 | 0x1F, 0xFC]
            + Array(repeating: 0x21, count: count - 7)
    }

    private func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap { frame(50 + $0 % 7) } }

    private func counted(_ bytes: [UInt8]) throws -> ADTSFrames? {
        let path = folder.path("a.aac")
        try Data(bytes).write(to: URL(filePath: path))
        return ADTSFrames(.file(path))
    }

    @Test func `tags and other bytes before, between and after them are not frames`() throws {
        let id3 = Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0] + Array(repeating: 0xFF, count: 128)
        let id3v1 = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
        let ape =
            Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20]
            + Array(repeating: 0, count: 8 + 32)
        // Nearly the header of a frame.
        let other = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) } + [0xFF, 0xF1, 1, 2, 0, 1, 3, 4, 5]
        let start = id3 + id3
        for end in [[], id3v1, ape + id3v1, Array(repeating: 0, count: 5000), other] {
            let found = try #require(try counted(start + frames(30) + end))
            #expect(found.sampleRate == 44_100 && found.sampleCount == 30 * 1024 && found.missingCount == 0)
            #expect(found.end == start.count + frames(30).count)
        }
        for between in [id3, other] {
            #expect(try counted(frames(30) + between + frames(20))?.sampleCount == 50 * 1024)
        }
    }

    @Test(arguments: [1, 49, 90, 98])
    func `a frame that the file ends in is missing`(missing: Int) throws {
        let found = try #require(try counted(frames(30) + frame().dropLast(missing)))
        #expect(found.sampleCount == 30 * 1024 && found.missingCount == 1024 && found.end == frames(30).count)
    }

    @Test func `another stream is ffmpeg's to judge`() throws {
        #expect(try counted(frames(30) + frame(rate: 8) + frame(rate: 8)) == nil)
        #expect(try counted(Array(repeating: 1, count: 1000)) == nil)
    }
}
