import Testing

@testable import Archives

struct GzipCompressorTests {
    private func packed(_ pieces: [[UInt8]]) throws -> [UInt8] {
        let gzip = try GzipCompressor()
        var packed: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            gzip.pack(piece, isLast: index == pieces.count - 1) { packed.append(contentsOf: $0) }
        }
        return packed
    }

    private func unpacked(_ packed: [UInt8], count: Int) throws -> [UInt8] {
        let gzip = try GzipDecompressor()
        var output = [UInt8](repeating: 0, count: count + 1)
        var written = 0
        try packed.withUnsafeBytes { input in
            try output.withUnsafeMutableBytes { written = try gzip.unpack(input, into: $0).written }
        }
        #expect(gzip.mayEnd)
        return Array(output.prefix(written))
    }

    @Test(arguments: [0, 1, 1000, 1 << 20]) func `packed bytes are unpacked unchanged`(count: Int) throws {
        var state: UInt32 = 1
        let bytes = (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let one = try packed([bytes])
        #expect(try unpacked(one, count: count) == bytes)
        #expect(Array(one.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        let middle = count / 3
        let several = try packed([Array(bytes[..<middle]), [], Array(bytes[middle...]), []])
        #expect(try unpacked(several, count: count) == bytes)
    }
}
