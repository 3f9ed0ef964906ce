import CChecksums
import TestSupport
import Testing

@testable import FileIO

/// Bytes with their checksums, as Python gives them: `xxhash.xxh3_128_hexdigest(d)`, `xxhash.xxh3_64_hexdigest(d)`
/// (xxhash 4.1.0 of PyPI, xxHash 0.8.4) and `hashlib.sha256(d).hexdigest()` (Python 3.11).
struct KnownChecksum: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let xxh128: String
    let xxh64: String
    let sha256: String

    var testDescription: String { name }

    static let all = [
        KnownChecksum(
            name: "no bytes", bytes: [], xxh128: "99aa06d3014798d86001c324468d497f", xxh64: "2d06800538d394c2",
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        KnownChecksum(
            name: "a", bytes: Array("a".utf8), xxh128: "a96faf705af16834e6c632b61e964e1f", xxh64: "e6c632b61e964e1f",
            sha256: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
        KnownChecksum(
            name: "abc", bytes: Array("abc".utf8), xxh128: "06b05ab6733a618578af5f94892f3950",
            xxh64: "78af5f94892f3950",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        // bytes(range(256)) * 4
        KnownChecksum(
            name: "0…255, four times", bytes: (0..<1024).map { UInt8($0 % 256) },
            xxh128: "83885e853bb6640ca870f92984398d22", xxh64: "a870f92984398d22",
            sha256: "785b0751fc2c53dc14a4ce3d800e69ef9ce1009eb327ccf458afe09c242c26c9"),
        // bytes((i*7) % 251 for i in range(100003))
        KnownChecksum(
            name: "100,003 bytes", bytes: (0..<100_003).map { UInt8($0 * 7 % 251) },
            xxh128: "0c6e5368391df5d332a41d0ebc34d0b0", xxh64: "32a41d0ebc34d0b0",
            sha256: "adb88f7b4c6997396951be8cdb7c8d21e6f6640578db1dd56f8361306bab51f0"),
    ]
}

struct ChecksumTests {
    @Test(arguments: KnownChecksum.all)
    func `checksums of bytes in one piece equal Python's`(known: KnownChecksum) {
        known.bytes.withUnsafeBytes { bytes in
            #expect(XXH3Hash128.checksum(of: bytes).hex == known.xxh128)
            #expect(xxh3(bytes) == UInt64(known.xxh64, radix: 16))
            var sha256 = SHA256Hash()
            sha256.update(bytes)
            #expect(sha256.finish() == known.sha256)
        }
    }

    @Test(arguments: [
        "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "+123456789abcdef0123456789abcdef",
        "0123456789abcdef+123456789abcdef", "-0000000000000000000000000000000", "0123456789abcdeg0123456789abcdef",
    ])
    func `a text other than 32 hexadecimal digits is not a checksum`(text: String) {
        #expect(Checksum128(hex: text) == nil)
        #expect(Checksum128(hex: "0123456789abcdefFEDCBA9876543210")?.hex == "0123456789abcdeffedcba9876543210")
    }

    @Test(arguments: KnownChecksum.all)
    func `checksums do not depend on how the bytes are cut into pieces`(known: KnownChecksum) {
        var random = RandomSource(seed: 41)
        var xxh128 = XXH3Hash128()
        var sha256 = SHA256Hash()
        known.bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 0...700, using: &random))
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                xxh128.update(piece)
                sha256.update(piece)
                start = end
            }
        }
        #expect(xxh128.finish().hex == known.xxh128)
        #expect(sha256.finish() == known.sha256)
        // Asking for the result changes nothing.
        #expect(xxh128.finish().hex == known.xxh128)
        #expect(sha256.finish() == known.sha256)
    }

    @Test func `a hash that was reset has forgotten its bytes`() {
        var hash = XXH3Hash128()
        Array("something".utf8).withUnsafeBytes { hash.update($0) }
        hash.reset()
        Array("abc".utf8).withUnsafeBytes { hash.update($0) }
        #expect(hash.finish().hex == "06b05ab6733a618578af5f94892f3950")
    }

    @Test func `leading zeros are kept in hexadecimal`() {
        #expect(Checksum128(high: 1, low: 0xAB).hex == "000000000000000100000000000000ab")
    }

    @Test func `the checksums for this processor's instructions are libxxhash's, for every length and every cut`() {
        var random = RandomSource(seed: 42)
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        // All of the short ones, which have ways of their own, then around the blocks of 1024 and the buffer of 256.
        let lengths = Array(0...700) + [1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 4096, 10_000, 19_990]
        let sets = (1..<3).map { veery_xxh3_set($0) } + [veery_xxh3_best()]
        for set in sets.compactMap(\.self) { compare(set, bytes, lengths, &random) }
    }

    private func compare(
        _ set: UnsafePointer<veery_xxh3>, _ bytes: [UInt8], _ lengths: [Int], _ random: inout RandomSource
    ) {
        var hash = XXH3Hash128(set)
        bytes.withUnsafeBytes { bytes in
            for length in lengths {
                // Of any alignment.
                let start = length % 10
                let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
                guard let library = veery_xxh3_set(0) else { return }
                let expected = XXH3Hash128.checksum(of: whole, library)
                #expect(XXH3Hash128.checksum(of: whole, set) == expected, "\(length) bytes")
                for longest in [63, 300, 5000] {
                    hash.reset()
                    var index = 0
                    while index < length {
                        let end = min(length, index + Int.random(in: 0...longest, using: &random))
                        hash.update(UnsafeRawBufferPointer(rebasing: whole[index..<end]))
                        index = end
                    }
                    #expect(hash.finish() == expected, "\(length) bytes in pieces of up to \(longest)")
                }
            }
        }
    }
}
