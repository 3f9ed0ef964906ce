import FileIO
import Foundation
import TestSupport
import Testing

@testable import Archives

struct TarTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let long = String(repeating: "long/", count: 40) + "name.wav"

    @Test func `names of every form are found, the last of equal ones counts`() throws {
        let bytes =
            SmallTar.member("a.wav", [1, 2, 3]) + SmallTar.member("./b/c.wav", [4])
            + SmallTar.member("x.wav", [5], prefix: "some/prefix")
            + SmallTar.member("gnu.wav", [6], magic: "ustar  \0", prefix: "no prefix")
            + SmallTar.member("././@LongLink", Array(Self.long.utf8) + [0], type: "L") + SmallTar.member("long/", [7])
            + SmallTar.pax([("mtime", "1.5"), ("path", "ünï/名.wav")]) + SmallTar.member("n.wav", [8])
            + SmallTar.member("old.wav", [9], type: "\0", magic: "") + SmallTar.member("a.wav", [10, 11])
            + SmallTar.member("none.wav") + SmallTar.end
        let archive = try folder.archive("a.tar", bytes)
        let expected: [(String, [UInt8])] = [
            ("a.wav", [10, 11]), ("./a.wav", [10, 11]), ("b/c.wav", [4]), ("././b/c.wav", [4]),
            ("some/prefix/x.wav", [5]),
            ("gnu.wav", [6]), (Self.long, [7]), ("ünï/名.wav", [8]), ("old.wav", [9]), ("none.wav", []),
        ]
        for (name, data) in expected { #expect(try archive.bytes(name) == data, "\(name)") }
        #expect(archive.count == 8 && archive.problem == nil && archive.names.first == "a.wav")
        for name in ["b//c.wav", "B/c.wav", "n.wav", "", "."] {
            #expect(archive.reason(name) == ArchiveSentence.noMember, "\(name)")
        }
        // Equal to Unicode, but not by their bytes.
        #expect(archive.reason("ünï/名.wav".decomposedStringWithCanonicalMapping) != nil)
    }

    @Test func `several tars in one file are read as those of a stream, and each has to have its end`() throws {
        let first = SmallTar.member("a.wav", [1]) + SmallTar.end
        let gap = [UInt8](repeating: 0, count: 100 * 512)
        let both = try folder.archive("2.tar", first + gap + SmallTar.member("b.wav", [2]) + SmallTar.end + gap)
        #expect(try both.bytes("b.wav") == [2] && both.count == 2 && both.problem == nil)
        let open = first + SmallTar.member("b.wav", [2])
        let cut = try folder.archive("3.tar", open)
        #expect(try cut.bytes("b.wav") == [2] && cut.problem?.words == ArchiveSentence.endless(at: open.count))
        let zeros = try folder.archive("5.tar", first + [0, 0, 0])
        #expect(zeros.count == 1 && zeros.problem == nil)
    }

    @Test func `sizes beyond the octal digits are read, and those of a pax header count`() throws {
        var header = SmallTar.header("big.wav", size: 0)
        header.replaceSubrange(124..<136, with: [0x80] + [UInt8](repeating: 0, count: 6) + [0, 0x40, 0, 0, 0])
        let big = try folder.archive("b.tar", SmallTar.summed(header) + [1, 2, 3])
        #expect(
            big.reason("big.wav") == ArchiveSentence.cutOff(at: 515) + ArchiveSentence.partly(3, of: 1_073_741_824))
        let pax = SmallTar.pax([("size", "600")]) + SmallTar.header("p.wav", size: 0)
        let data = [UInt8](repeating: 7, count: 1024)
        let archive = try folder.archive("p.tar", pax + data + SmallTar.member("q.wav", [1]) + SmallTar.end)
        #expect(try archive.bytes("p.wav") == [UInt8](repeating: 7, count: 600) && archive.bytes("q.wav") == [1])
    }

    @Test func `a member that is not a regular file is refused by its kind`() throws {
        let kinds: [(Character, String)] = [
            ("1", "a hard link"), ("2", "a symbolic link"), ("3", "a device"), ("4", "a device"), ("5", "a folder"),
            ("6", "a pipe"), ("S", "a sparse file"), ("Z", "a part of a file, or something unknown"),
        ]
        let bytes = kinds.flatMap { type, _ in SmallTar.member("\(type).wav", type: type) }
        let sparse =
            SmallTar.pax([("GNU.sparse.major", "1"), ("GNU.sparse.name", "sparse.wav")]) + SmallTar.member("s/1", [1])
        let archive = try folder.archive("k.tar", bytes + sparse + SmallTar.member("../up.wav", [1]) + SmallTar.end)
        for (type, name) in kinds { #expect(archive.reason("\(type).wav") == ArchiveSentence.notRegular(name)) }
        #expect(archive.reason("sparse.wav") == archive.reason("S.wav"))
        #expect(archive.reason("../up.wav") == ArchiveSentence.leadsOut)
    }

    @Test func `a damaged header ends the list, which says so, and members before it are read`() throws {
        var bytes = SmallTar.member("a.wav", [1]) + SmallTar.member("b.wav", [2]) + SmallTar.end
        bytes[1024 + 3] ^= 1
        let archive = try folder.archive("d.tar", bytes)
        #expect(try archive.bytes("a.wav") == [1] && archive.problem?.words == ArchiveSentence.damagedHeader(at: 1024))
        #expect(
            archive.reason("b.wav")
                == "\(ArchiveSentence.noMember): \(ArchiveSentence.damagedHeader(at: 1024))\(ArchiveSentence.hidden)")
        bytes[3] ^= 1
        #expect(throws: ArchiveError.neither) { try folder.archive("e.tar", bytes) }
    }

    @Test func `a damaged tar is not read as the zip at its end`() throws {
        var zip = SmallZip()
        zip.add("z.wav", [9])
        var bytes = SmallTar.member("a.wav", [1]) + SmallTar.member("b.zip", zip.finished()) + SmallTar.end
        #expect(try folder.archive("w.tar", bytes).names == ["a.wav", "b.zip"])
        bytes[3] ^= 1
        #expect(throws: ArchiveError.inDamagedTar) { try folder.archive("d.tar", bytes) }
        #expect(throws: ArchiveError.inDamagedTar) { try folder.archive("e.tar", Array(bytes.dropLast(1024))) }
        // The header of the zip shows that it is a member.
        bytes.replaceSubrange(0..<512, with: repeatElement(7, count: 512))
        #expect(throws: ArchiveError.inDamagedTar) { try folder.archive("f.tar", bytes) }
    }

    @Test func `whatever the bytes are, nothing traps, and no part lies outside the archive`() throws {
        var random = RandomSource(seed: 5)
        let whole =
            SmallTar.member("a.wav", [1]) + SmallTar.pax([("path", "b"), ("size", "77")]) + SmallTar.member("x", [2])
            + SmallTar.member("L", Array("name\0".utf8), type: "L") + SmallTar.member("c.wav", [3]) + SmallTar.end
        for round in 0..<300 {
            var bytes = whole
            for _ in 0...(round % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            // Half of them with valid checksums, so that the damage reaches what reads the fields.
            if round % 2 == 0 {
                for offset in stride(from: 0, to: bytes.count - 1024, by: 512)
                where bytes[offset + 257] == UInt8(ascii: "u") {
                    let range = offset..<offset + 512
                    bytes.replaceSubrange(range, with: SmallTar.summed(Array(bytes[range])))
                }
            }
            guard let archive = try? folder.archive("r.tar", bytes) else { continue }
            for name in archive.names {
                guard let part = try? archive.part(name) else { continue }
                #expect(part.offset >= 0 && part.offset + part.count <= bytes.count)
            }
        }
    }
}
