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
    func `half a surrogate pair and an odd byte are no valid UTF-8`(broken: [UInt8]) throws {
        let source = UTF16Bytes(
            Pieces(utf16("ab", isBigEndian: false) + broken, seed: 1), start: [], isBigEndian: false)
        let bytes = try all(source, seed: 1)
        #expect(bytes.starts(with: Array("ab".utf8)) && String(validating: bytes, as: UTF8.self) == nil)
    }

    @Test func `the byte order is told without a mark, and other encodings are not UTF-16`() {
        #expect(UTF16Bytes.isBigEndian(utf16("path", isBigEndian: false)) == false)
        #expect(UTF16Bytes.isBigEndian(utf16("path", isBigEndian: true)) == true)
        for bytes in [
            Array("path,label".utf8), [], [0xFF, 0xFE, 0, 0, 0x70, 0, 0, 0], [0xEF, 0xBB, 0xBF, 0x70],
            [0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            #expect(UTF16Bytes.isBigEndian(bytes) == nil, "\(bytes)")
        }
    }

    /// What the program gzip makes of bytes.
    private func gzip(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> [UInt8] {
        let url = URL(filePath: folder.path("plain"))
        try Data(bytes).write(to: url)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-c", url.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let packed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(packed)
    }

    @Test(arguments: 0..<6)
    func `what gzip packed comes back, in members and pieces of any size`(seed: Int) throws {
        let folder = try TemporaryFolder()
        let parts = [3000, 0, 1, 400_000].map { Array(text($0 / (seed + 1), seed: seed).utf8) }
        let packed = try parts.flatMap { try gzip($0, folder) } + [UInt8](repeating: 0, count: seed * 100)
        #expect(try all(GzipBytes(Pieces(packed, seed: seed), name: "m"), seed: seed) == parts.flatMap(\.self))
    }

    @Test func `every cut of a packed text, and every flipped bit that matters, is an error`() throws {
        let text = Array(text(200, seed: 1).utf8)
        let packed = try gzip(text, TemporaryFolder())
        for count in 1..<packed.count {
            #expect(throws: ManifestError.self, "\(count)") {
                try all(GzipBytes(Pieces(Array(packed[..<count]), seed: count), name: "m"), seed: count)
            }
        }
        // Ten bytes of header hold a time and the name of a system.
        for bit in (10 * 8)..<(packed.count * 8) {
            var bytes = packed
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            // The name of the file stands in the header.
            guard let found = try? all(GzipBytes(Pieces(bytes, seed: bit), name: "m"), seed: bit) else { continue }
            #expect(found == text, "bit \(bit)")
        }
    }
}
