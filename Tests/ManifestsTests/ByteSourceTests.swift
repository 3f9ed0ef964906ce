import Foundation
import TestSupport
import Testing

@testable import Manifests

struct ByteSourceTests {
    /// Hands bytes over in pieces of any size.
    private final class Pieces: ByteSource {
        private var rest: ArraySlice<UInt8>
        private var random: RandomSource

        init(_ bytes: [UInt8], seed: Int) { (rest, random) = (bytes[...], RandomSource(seed: UInt64(seed))) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min([1, 2, 3, 7, 1000, 100_000].randomElement(using: &random) ?? 1, rest.count, buffer.count)
            buffer.copyBytes(from: rest.prefix(count))
            rest.removeFirst(count)
            return count
        }
    }

    /// All bytes of a source, read into buffers of any size.
    private func all(_ source: any ByteSource, seed: Int) throws -> [UInt8] {
        var random = RandomSource(seed: UInt64(seed))
        var bytes: [UInt8] = []
        while true {
            var piece = [UInt8](repeating: 0, count: [16, 17, 100, 70_000].randomElement(using: &random) ?? 16)
            let count = try piece.withUnsafeMutableBytes { try source.read(into: $0) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    /// A text with characters of one to four bytes.
    private func text(_ count: Int, seed: Int) -> String {
        var random = RandomSource(seed: UInt64(seed))
        let characters = [
            "a", ",", "\r\n", "é", "€", "鳥", "🐦", "\u{10FFFF}", "\u{FFFD}", "\u{7FF}", "\u{800}", "e\u{301}",
        ]
        return (0..<count).map { _ in characters.randomElement(using: &random) ?? "a" }.joined()
    }

    private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    @Test(arguments: 0..<12)
    func `UTF-16 becomes the text's UTF-8, however it is cut`(seed: Int) throws {
        let text = text([0, 1, 50, 30_000][seed % 4], seed: seed)
        for isBigEndian in [false, true] {
            let bytes = utf16("\u{FEFF}" + text, isBigEndian: isBigEndian)
            #expect(UTF16Bytes.isBigEndian(bytes) == isBigEndian)
            let start = Array(bytes.prefix(1 + seed))
            let source = UTF16Bytes(
                Pieces(Array(bytes.dropFirst(start.count)), seed: seed), start: start, isBigEndian: isBigEndian)
            #expect(try all(source, seed: seed) == Array("\u{FEFF}\(text)".utf8))
        }
    }

    @Test(arguments: [
        [0x3D, 0xD8], [0x26, 0xDC], [0x3D, 0xD8, 0x61, 0], [0x3D, 0xD8, 0x3D, 0xD8, 0x26, 0xDC], [0x61],
    ])
    func `half a surrogate pair and an odd byte are not valid UTF-8`(broken: [UInt8]) throws {
        let source = UTF16Bytes(
            Pieces(utf16("ab", isBigEndian: false) + broken, seed: 1), start: [], isBigEndian: false)
        let bytes = try all(source, seed: 1)
        #expect(bytes.starts(with: Array("ab".utf8)) && String(validating: bytes, as: UTF8.self) == nil)
    }

    @Test func `the byte order is found without a mark, and other encodings are not UTF-16`() {
        #expect(UTF16Bytes.isBigEndian(utf16("path", isBigEndian: false)) == false)
        #expect(UTF16Bytes.isBigEndian(utf16("path", isBigEndian: true)) == true)
        for bytes in [
            Array("path,label".utf8), [], [0xFF, 0xFE, 0, 0, 0x70, 0, 0, 0], [0xEF, 0xBB, 0xBF, 0x70],
            [0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            #expect(UTF16Bytes.isBigEndian(bytes) == nil, "\(bytes)")
        }
    }

    /// A member of RFC 1952 that stores bytes without compressing them. (No program does it here: a child of the tests would
    /// hold the locks of files that other tests have open.)
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let blocks = max(1, (bytes.count + 65_534) / 65_535)
        for block in 0..<blocks {
            let part = bytes[min(block * 65_535, bytes.count)..<min((block + 1) * 65_535, bytes.count)]
            member += [block == blocks - 1 ? 1 : 0] + little(part.count, 2) + little(~part.count & 0xFFFF, 2) + part
        }
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return member + little(Int(~crc), 4) + little(bytes.count, 4)
    }

    @Test(arguments: 0..<6)
    func `gzipped text is read back, in members and pieces of any size`(seed: Int) throws {
        let parts = [3000, 0, 1, 100_000].map { Array(text($0 / (seed + 1), seed: seed).utf8) }
        let packed = try parts.flatMap(stored) + Self.golden() + [UInt8](repeating: 0, count: seed * 100)
        let found = try all(GzipBytes(Pieces(packed, seed: seed), name: "m"), seed: seed)
        #expect(found == parts.flatMap(\.self) + Array(Self.goldenText.utf8))
    }

    /// By Python 3.11.7, `gzip.compress(text, mtime=0)` of `goldenText` in base64.
    private static func golden() throws -> [UInt8] {
        let base64 =
            "H4sIAAAAAAACA3XSuw3CUABD0T5TMECEsA0BVqF7SAhQoigFnzXYgC4jsAALMQIL3Nfe7sieyu3SDuV4GprV8lke7aHcx/77Ga/nxe/9m"
            + "hthNdZgXWPdYO2wbrHusO5ZUcGxTswT+8RAsVBMFBvFSLHSrHRlQ1aalWalWWlWmpVmpVkZVoaVqVyVlWFlWBlWhpVhZVj5B5BFNgOZAwAA"
        return Array(try #require(Data(base64Encoded: base64)))
    }

    private static let goldenText = "path,label\n" + (0..<40).map { "\($0).wav,Zaunkönig 🐦\n" }.joined()

    @Test func `every cut of a packed text, and every flipped bit that matters, is an error`() throws {
        let packed = try Self.golden()
        for count in 1..<packed.count {
            #expect(throws: ManifestError.self, "\(count)") {
                try all(GzipBytes(Pieces(Array(packed[..<count]), seed: count), name: "m"), seed: count)
            }
        }
        // Ten bytes of header hold a time and the name of a system; fewer than eight bits pad the last byte before the CRC.
        var unused: [Int] = []
        for bit in (10 * 8)..<(packed.count * 8) {
            var bytes = packed
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let found = try? all(GzipBytes(Pieces(bytes, seed: bit), name: "m"), seed: bit) else { continue }
            unused.append(bit)
            #expect(found == Array(Self.goldenText.utf8))
        }
        #expect(unused.count < 8 && unused.allSatisfy { $0 / 8 == packed.count - 9 }, "\(unused)")
    }
}
