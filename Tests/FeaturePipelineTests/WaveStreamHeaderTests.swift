import Foundation
import TestSupport
import Testing

@testable import FeaturePipeline

@Suite("WAV headers of streams")
struct WaveStreamHeaderTests {
    private static let formats = LiveSampleEncoding.allCases.map {
        LiveFormat(encoding: $0, sampleRate: 44_100, channels: 2)
    }

    @Test("plain and extensible headers say what comes, and where it begins", arguments: formats, [false, true])
    func contents(format: LiveFormat, isExtensible: Bool) throws {
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

    @Test(
        "a length that nobody knew is none: 0, all ones, and what sox and arecord write",
        arguments: [0, 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0x7FFF_F000, 0x7FFF_FFDB])
    func unknownLength(size: Int) throws {
        let bytes = LiveWave.header(Self.formats[1], dataBytes: size)
        #expect(try WaveStreamHeader.read(bytes)?.dataBytes == nil)
    }

    @Test("an RF64 file has its length elsewhere")
    func long() throws {
        let sizes = LiveWave.number(1 << 40, 8) + LiveWave.number(1 << 39, 8) + LiveWave.number(7, 8) + [0, 0, 0, 0]
        let bytes =
            Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVE".utf8) + LiveWave.chunk("ds64", sizes)
            + LiveWave.format(Self.formats[1]) + Array("data".utf8) + [255, 255, 255, 255]
        #expect(try WaveStreamHeader.read(bytes)?.dataBytes == 1 << 39)
    }

    @Test("what cannot be used is refused with the reason")
    func refused() {
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

    @Test("no bytes make it trap", arguments: 0..<40)
    func mutated(seed: Int) {
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

    @Test("the header that leaves the length open reads back")
    func open() throws {
        for format in Self.formats {
            let bytes = WaveStreamHeader.open(format)
            #expect(
                try WaveStreamHeader.read(bytes)
                    == WaveStreamHeader(format: format, byteCount: bytes.count, dataBytes: nil))
        }
    }
}
