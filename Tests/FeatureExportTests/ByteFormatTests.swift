import Testing

@testable import FeatureExport

struct ByteFormatTests {
    private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    @Test(arguments: [[], [7], [3, 80], [2, 3, 4]]) func `an NPY's header ends with a line break at a multiple of 64`(
        extents: [Int]
    ) {
        let header = ArrayHeader.bytes(descr: "<f4", extents: extents)
        #expect(header.count % 64 == 0 && header.last == UInt8(ascii: "\n"))
        #expect(Array(header.prefix(8)) == [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0])
        #expect(Int(header[8]) + Int(header[9]) * 256 == header.count - 10)
        let shape = ["()", "(7,)", "(3, 80)", "(2, 3, 4)"][extents.count]
        let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': \(shape), }"
        #expect(text(header.dropFirst(10)).hasPrefix(dictionary))
    }

    @Test func `a name is escaped where the format does not allow it`() {
        let name = "a b/c.d%e\tf\u{A0}ü\\\u{2028}\u{7F}"
        #expect(text(EscapedName.escape(name, .kaldi)) == "a%20b/c.d%25e%09f%C2%A0ü\\%E2%80%A8%7F")
        #expect(text(EscapedName.escape(name, .webDataset)) == "a%20b%2Fc%2Ed%25e%09f%C2%A0ü%5C%E2%80%A8%7F")
    }

    @Test func `stored zlib has the checksum of RFC 1950`() {
        let stream = Array("abc".utf8).withUnsafeBytes { StoredZlib.bytes(of: $0) }
        #expect(stream == [0x78, 1, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0x02, 0x4D, 0x01, 0x27])
        let long = [UInt8](repeating: 7, count: 70_000).withUnsafeBytes { StoredZlib.bytes(of: $0) }
        #expect(long.count == 2 + 5 + 65_535 + 5 + 4465 + 4)
        #expect(Array([UInt8]().withUnsafeBytes { StoredZlib.bytes(of: $0) }.suffix(4)) == [0, 0, 0, 1])
    }

    @Test(arguments: [92, 93, 101, 300, 988, 989])
    func `a long name is in a pax header, whose length counts itself`(length: Int) {
        let name = [UInt8](repeating: UInt8(ascii: "n"), count: length)
        let bytes = TarHeader.bytes(name: name, size: 5)
        guard length > 100 else {
            #expect(bytes.count == 512)
            return
        }
        #expect(bytes[156] == UInt8(ascii: "x") && bytes.count % 512 == 0)
        let record = bytes[512...].prefix { $0 != UInt8(ascii: "\n") }
        let stated = Int(text(record.prefix { $0 != UInt8(ascii: " ") }))
        #expect(stated == record.count + 1)
        #expect(text(record).hasSuffix("path=" + text(name)))
        #expect(bytes[bytes.count - 512 + 156] == UInt8(ascii: "0"))
    }

    @Test func `a member beyond 8 GiB has its size in a pax header`() {
        let bytes = TarHeader.bytes(name: Array("a".utf8), size: 1 << 33)
        #expect(text(bytes[512..<532]).hasPrefix("19 size=8589934592\n"))
    }
}
