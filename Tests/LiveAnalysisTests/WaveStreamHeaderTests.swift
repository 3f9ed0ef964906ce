import Foundation
import TestSupport
import Testing

@testable import LiveAnalysis

struct WaveStreamHeaderTests {
    private static let formats = LiveSampleEncoding.allCases.map {
        LiveFormat(encoding: $0, sampleRate: 44_100, channels: 2)
    }

    @Test(arguments: formats, [false, true])
    func `plain and extensible headers say what comes, and where it begins`(format: LiveFormat, isExtensible: Bool)
        throws
    {
        for before in [[], LiveWave.chunk("LIST", Array("INFOISFT".utf8) + [3, 0, 0, 0, 65, 66, 67, 0])] {
            let bytes = LiveWave.header(format, dataBytes: 800, isExtensible: isExtensible, before: before)
            let header = try #require(try WaveStreamHeader.read(bytes + [1, 2, 3]))
            #expect(header == WaveStreamHeader(format: format, byteCount: bytes.count, dataBytes: 800))
            // Whatever is missing, more bytes are asked for.
            for count in 0..<bytes.count {
                #expect(try WaveStreamHeader.read(Array(bytes[..<count])) == nil, "\(count) bytes")
            }
        }
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0x7FFF_F000, 0x7FFF_FFDB])
    func `a placeholder is not a length: 0, all ones, and what sox and arecord write`(size: Int) throws {
        let bytes = LiveWave.header(Self.formats[1], dataBytes: size)
        #expect(try WaveStreamHeader.read(bytes)?.dataBytes == nil)
    }

    @Test(arguments: [6, 9, 3072])
    func `sox cuts its length to whole samples`(frameBytes: Int) throws {
        let format = LiveFormat(encoding: .s24le, sampleRate: 44_100, channels: frameBytes / 3)
        let size = 0x7FFF_F000 / frameBytes * frameBytes
        #expect(try WaveStreamHeader.read(LiveWave.header(format, dataBytes: size))?.dataBytes == nil)
    }

    @Test(arguments: [2, 0x7FFF_0000, 0x8000_0004, 0xB000_0000, 0xFFFF_0000])
    func `a length is believed, however great: nothing after the samples is taken for samples`(size: Int) throws {
        let bytes = LiveWave.header(Self.formats[1], dataBytes: size)
        #expect(try WaveStreamHeader.read(bytes)?.dataBytes == size)
    }

    @Test(arguments: [0, 0x7FFF_F000, 0xFFFF_F004])
    func `of a file that is as long as its header says, every length is believed`(size: Int) throws {
        let bytes = LiveWave.header(Self.formats[1], dataBytes: size)
        #expect(try WaveStreamHeader.read(bytes, fileBytes: bytes.count + size)?.dataBytes == size)
        // A program that was killed, or could not come back, has left a file of another length.
        for length in [bytes.count, bytes.count + size - 4, bytes.count + size + 4, 1 << 33]
        where length != bytes.count + size {
            #expect(try WaveStreamHeader.read(bytes, fileBytes: length)?.dataBytes == nil)
        }
    }

    private func long(_ fileBytes: Int, _ dataBytes: Int, _ frames: Int) -> [UInt8] {
        var sizes: [UInt8] = []
        for number in [fileBytes, dataBytes, frames] { sizes += LiveWave.number(number, 8) }
        let ones: [UInt8] = [255, 255, 255, 255]
        let begin = Array("RF64".utf8) + ones + Array("WAVE".utf8) + LiveWave.chunk("ds64", sizes + [0, 0, 0, 0])
        return begin + LiveWave.format(Self.formats[1]) + Array("data".utf8) + ones
    }

    @Test func `an RF64 file has its length elsewhere; ffmpeg leaves it open there, too`() throws {
        #expect(try WaveStreamHeader.read(long(1 << 40, 1 << 39, 7))?.dataBytes == 1 << 39)
        #expect(try WaveStreamHeader.read(long(0, 0, 0))?.dataBytes == nil)
        #expect(try WaveStreamHeader.read(long(-1, -1, -1))?.dataBytes == nil)
    }

    @Test func `a header that is closed says how long the samples are, and nothing else has changed`() throws {
        let format = Self.formats[1]
        let fact = LiveWave.chunk("LIST", Array("INFOISFT".utf8)) + LiveWave.chunk("fact", [9, 9, 9, 9])
        for before in [[], fact] {
            let header = LiveWave.header(format, dataBytes: 0xFFFF_FFFF, before: before)
            let closed = try #require(WaveStreamHeader.closed(header, format, dataBytes: 1_000_000))
            #expect(closed.count == header.count)
            #expect(LiveWave.number(header.count + 1_000_000 - 8, 4) == Array(closed[4..<8]))
            #expect(try WaveStreamHeader.read(closed)?.dataBytes == 1_000_000)
            #expect(zip(header, closed).count { $0 != $1 } == (before.isEmpty ? 8 : 12))
            if !before.isEmpty {
                #expect(closed.indices.contains { closed[$0...].starts(with: LiveWave.number(250_000, 4)) })
            }
            #expect(WaveStreamHeader.closed(header, format, dataBytes: 1 << 32) == nil)
        }
        let closed = try #require(WaveStreamHeader.closed(long(0, 0, 0), format, dataBytes: 1 << 33))
        #expect(closed == long(closed.count + 1 << 33 - 8, 1 << 33, 1 << 31))
        #expect(WaveStreamHeader.closed([], format, dataBytes: 8) == nil)
    }

    @Test func `headers that cannot be used are refused with the reason`() {
        let format = Self.formats[1]
        func file(_ chunks: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + chunks + Array("data".utf8) + [9, 0, 0, 0]
        }
        let none = LiveFormat(encoding: .s16le, sampleRate: 44_100, channels: 2)
        let cases: [(String, [UInt8])] = [
            ("no chunk 'fmt '", file([])),
            ("found 14", file(LiveWave.chunk("fmt ", [UInt8](repeating: 1, count: 14)))),
            ("format 6 of 16 bits", file(LiveWave.format(format, tag: 6))),
            ("format 1 of 64 bits", file(LiveWave.format(Self.formats[5], tag: 1))),
            ("found 3", file(LiveWave.format(none, frameBytes: 3))),
            ("other bytes", Array("RIFFxxxxAVI ".utf8)),
            ("first 1048576 bytes", file(LiveWave.chunk("JUNK", [], size: 1 << 24))),
        ]
        for (words, bytes) in cases {
            #expect {
                _ = try WaveStreamHeader.read(bytes)
            } throws: { error in
                (error as? WaveStreamProblem)?.reason.contains(words) == true
            }
        }
    }

    @Test(arguments: 0..<40)
    func `no bytes make it trap`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let good = LiveWave.header(
            Self.formats[seed % Self.formats.count], dataBytes: 800, isExtensible: seed % 2 == 0,
            before: LiveWave.chunk("JUNK", [1, 2, 3]))
        for _ in 0..<200 {
            var bytes = good
            for _ in 0..<4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256) }
            _ = try? WaveStreamHeader.read(bytes)
        }
    }

    @Test func `the header that leaves the length open reads back`() throws {
        for format in Self.formats {
            let bytes = WaveStreamHeader.open(format)
            #expect(
                try WaveStreamHeader.read(bytes)
                    == WaveStreamHeader(format: format, byteCount: bytes.count, dataBytes: nil))
        }
    }
}
