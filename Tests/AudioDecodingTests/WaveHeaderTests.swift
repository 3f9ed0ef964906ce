import Testing

@testable import AudioDecoding

struct WaveHeaderTests {
    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }

    /// Stereo of 16 bits at 44.1 kHz; `extended`: the kind of samples in the field of the extended form.
    private static func format(extended: Int? = nil) -> [UInt8] {
        var bytes = number(extended == nil ? 1 : 0xFFFE, 2) + number(2, 2) + number(44_100, 4)
        bytes += number(176_400, 4) + number(4, 2) + number(16, 2)
        if let extended { bytes += number(22, 2) + number(16, 2) + number(3, 4) + number(extended, 16) }
        return chunk("fmt ", bytes)
    }

    private static func file(_ kind: String, size: Int = 0xFFFF_FFFF, _ chunks: [UInt8], dataSize: Int) -> [UInt8] {
        Array(kind.utf8) + number(size, 4) + Array("WAVE".utf8) + chunks + Array("data".utf8) + number(dataSize, 4)
    }

    private static let long = chunk("ds64", number(1 << 40, 8) + number(1 << 39, 8) + number(1 << 37, 8) + number(0, 4))
    private static let odd = chunk("JUNK", [1, 2, 3])

    @Test(arguments: [
        ("RIFF", format(), 800, 800 as UInt64), ("RIFF", odd + format(), 0, 0),
        ("RIFF", format() + chunk("fact", [1, 2, 3, 4]), 0xFFFF_FFFF, 0xFFFF_FFFF),
        ("RIFF", long + format(extended: 1), 0xFFFF_FFFF, 0xFFFF_FFFF), ("RF64", format(extended: 1), 800, 800),
        ("RF64", long + format(), 0xFFFF_FFFF, 1 << 39), ("BW64", long + odd + format(), 0, 1 << 39),
        ("RF64", long + format(extended: 1), 800, 800), ("RF64", format(), 0xFFFF_FFFF, 0xFFFF_FFFF),
    ])
    func `kind, format and lengths`(kind: String, chunks: [UInt8], dataSize: Int, stated: UInt64) throws {
        let bytes = Self.file(kind, chunks, dataSize: dataSize)
        let header = try #require(WaveHeader(bytes + [1, 2]))
        #expect(header.kind.rawValue == kind)
        #expect(header.data?.start == bytes.count && header.dataBytes == stated)
        #expect(header.fileBytes == (stated == 1 << 39 ? 1 << 40 : 0xFFFF_FFFF))
        let format = try #require(header.format)
        #expect((format.tag, format.channels, format.sampleRate) == (1, 2, 44_100))
        #expect((format.frameBytes, format.bits) == (4, 16))
        // The start of the header alone gives the same.
        for count in 12..<bytes.count {
            let part = try #require(WaveHeader(Array(bytes[..<count])), "\(count) bytes")
            #expect(part.kind == header.kind && part.data == nil)
            #expect(part.format.map { $0.tag == 1 && $0.bits == 16 } ?? true)
        }
    }

    @Test func `numbers of RIFX are big-endian`() throws {
        let format: [UInt8] = [0, 1, 0, 1, 0, 0, 0x1F, 0x40, 0, 0, 0x3E, 0x80, 0, 2, 0, 16]
        let bytes = Array("RIFX".utf8) + [0, 0, 0, 36] + Array("WAVEfmt ".utf8) + [0, 0, 0, 16] + format
        let header = try #require(WaveHeader(bytes + Array("data".utf8) + [0, 0, 1, 0]))
        #expect(header.dataBytes == 256 && header.fileBytes == 36)
        #expect(header.format?.sampleRate == 8000 && header.format?.bits == 16)
    }

    @Test func `a header ends where it is said to, and at other bytes`() throws {
        #expect(WaveHeader(Array("RIFF....AVI ".utf8)) == nil && WaveHeader(Array("RIFF....WAV".utf8)) == nil)
        let late = Self.file("RIFF", Self.chunk("JUNK", [UInt8](repeating: 0, count: 100)) + Self.format(), dataSize: 8)
        let header = try #require(WaveHeader(late, limit: 100))
        #expect(header.format == nil && header.data == nil && header.end == 120)
        #expect(WaveHeader(late, limit: 144)?.data != nil)
    }

    @Test(arguments: [
        (0x7FFF_F000, 0, true), (0x7FFF_FFFF, 1 << 29, true), (0x7FFF_F000, 1 << 30, false), (800, 0, false),
        (0xFFFF_FFFF, 1 << 31, true), (Int.max, 1 << 31, true), (1 << 39, 1 << 31, false),
    ])
    func `sizes that say nothing are those of pipes`(size: Int, present: Int, isOne: Bool) {
        #expect(PipeSize.isOne(size, present: present) == isOne)
    }
}
