import FileIO
import Foundation
import TestSupport
import Testing

@testable import Archives

struct TarStreamTests {
    private static let long = String(repeating: "long/", count: 40) + "name.wav"

    /// Members of every form, and a second tar.
    private static let bytes: [UInt8] =
        SmallTar.member("a.wav", [1, 2, 3]) + SmallTar.member("./b/c.wav", [4])
        + SmallTar.member("x.wav", [5], prefix: "some/prefix")
        + SmallTar.member("././@LongLink", Array(long.utf8) + [0], type: "L")
        + SmallTar.member("long/", [UInt8](repeating: 7, count: 1500))
        + SmallTar.pax([("mtime", "1.5"), ("path", "ünï/名.wav")]) + SmallTar.member("n.wav", [8])
        + SmallTar.member("link.wav", type: "2") + SmallTar.member("none.wav") + SmallTar.end
        + SmallTar.member("second.wav", [9]) + SmallTar.end

    private static let members: [(name: String, bytes: [UInt8])] = [
        ("a.wav", [1, 2, 3]), ("b/c.wav", [4]), ("some/prefix/x.wav", [5]),
        (long, [UInt8](repeating: 7, count: 1500)), ("ünï/名.wav", [8]), ("link.wav", []), ("none.wav", []),
        ("second.wav", [9]),
    ]

    /// The members of a stream whose bytes come in pieces of a length, and the error that ends it.
    private func read(
        _ bytes: [UInt8], pieces: Int = 1 << 16, skipping: (Int) -> Bool = { _ in false }
    ) throws -> (members: [(name: String, bytes: [UInt8])], error: ArchiveError?) {
        let pipe = Pipe()
        let writer = Thread {
            for start in stride(from: 0, to: bytes.count, by: pieces) {
                let piece = bytes[start..<min(start + pieces, bytes.count)]
                guard (try? pipe.fileHandleForWriting.write(contentsOf: piece)) != nil else { break }
            }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        var members: [(name: String, bytes: [UInt8])] = []
        do throws(ArchiveError) {
            let stream = try TarStream(descriptor: pipe.fileHandleForReading.fileDescriptor, shouldStop: { false })
            while let member = try stream.next() {
                var content: [UInt8] = []
                if !skipping(members.count) {
                    try stream.read { content.append(contentsOf: $0) }
                    #expect(content.count == member.size)
                }
                members.append((member.shown, content))
            }
        } catch {
            return (members, error)
        }
        return (members, nil)
    }

    @Test(arguments: [1, 7, 100, 511, 512, 513, 4096, 1 << 16])
    func `members do not depend on how the stream is cut`(pieces: Int) throws {
        let (members, error) = try read(Self.bytes, pieces: pieces)
        #expect(error == nil && members.map(\.name) == Self.members.map(\.name))
        #expect(members.map(\.bytes) == Self.members.map(\.bytes))
    }

    @Test func `the unread rest of a member is skipped`() throws {
        for skipped in 0..<1 << Self.members.count where skipped % 7 == 0 {
            let (members, _) = try read(Self.bytes, skipping: { skipped >> $0 & 1 == 1 })
            let expected = Self.members.enumerated().map { skipped >> $0 & 1 == 1 ? [] : $1.bytes }
            #expect(members.map(\.bytes) == expected)
        }
    }

    @Test func `a stream that ends anywhere but behind the end of a tar is cut off, or may be`() throws {
        let tar = SmallTar.member("a.wav", [1, 2, 3]) + SmallTar.member("b.wav", [4]) + SmallTar.end
        for count in stride(from: 0, through: tar.count, by: 64) {
            let (members, error) = try read(Array(tar[..<count]))
            // Any zero after the last member ends a tar.
            guard count <= 2048 else {
                #expect(error == nil && members.count == 2, "\(count)")
                continue
            }
            let words =
                count == 0
                ? ArchiveSentence.nothing
                : count < 512
                    ? ArchiveError.notTar.words
                    : count % 1024 == 0 ? ArchiveSentence.endless(at: count) : ArchiveSentence.cutOff(at: count)
            #expect(error?.words == words, "\(count)")
        }
    }

    @Test(arguments: [true, false])
    func `the end of one tar is not that of the next`(isWhole: Bool) throws {
        let rest = isWhole ? SmallTar.member("b.wav", [4]) : SmallTar.pax([("path", "c.wav")])
        let bytes = SmallTar.member("a.wav", [1]) + SmallTar.end + rest
        let (members, error) = try read(bytes)
        let words = isWhole ? ArchiveSentence.endless(at: bytes.count) : ArchiveSentence.cutOff(at: bytes.count)
        #expect(members.first?.name == "a.wav" && error?.words == words)
    }

    @Test func `a damaged header ends it, and says where`() throws {
        var tar = SmallTar.member("a.wav", [1, 2, 3]) + SmallTar.member("b.wav", [4]) + SmallTar.end
        tar[1024 + 3] ^= 1
        let (members, error) = try read(tar)
        #expect(members.map(\.name) == ["a.wav"] && error?.words == ArchiveSentence.damagedHeader(at: 1024))
    }

    @Test func `what follows the end of a tar is read alike in a stream and in a file`() throws {
        let tar = SmallTar.member("a.wav", [1]) + SmallTar.end
        var damaged = SmallTar.member("b.wav", [2])
        damaged[3] ^= 1
        let packed = Packed.gzip(SmallTar.member("b.wav", [2]) + SmallTar.end)
        let follows: [([UInt8], String?)] = [
            ([], nil), ([0], nil), ([UInt8](repeating: 0, count: 17 << 20), nil),
            // Other programs do not look there.
            ([3], nil), ([UInt8](repeating: 3, count: 512), nil), ([UInt8](repeating: 3, count: 700), nil),
            (damaged, ArchiveSentence.damagedHeader(at: tar.count)),
            (Array(damaged.prefix(300)), ArchiveSentence.cutOff(at: tar.count + 300)),
            (packed, ArchiveSentence.cutOff(at: tar.count + packed.count)),
        ]
        let folder = try TemporaryFolder()
        for (bytes, words) in follows {
            let (members, error) = try read(tar + bytes)
            let archive = try folder.archive("a.tar", tar + bytes)
            #expect(members.map(\.name) == ["a.wav"] && archive.count == 1, "\(bytes.count)")
            #expect(error?.words == words && archive.problem?.words == words, "\(bytes.count)")
        }
        let second = [UInt8](repeating: 0, count: 17 << 20) + SmallTar.member("b.wav", [2]) + SmallTar.end
        #expect(try read(tar + second).members.count == 2)
        #expect(try folder.archive("b.tar", tar + second).count == 2)
    }

    @Test(arguments: [11..<12, 11..<13, 9..<17])
    func `zeros over a header within a tar are damage, in a stream and in a file`(blocks: Range<Int>) throws {
        let content = [UInt8](repeating: 7, count: 10 * 512)
        var tar = ["a.wav", "b.wav", "c.wav"].flatMap { SmallTar.member($0, content) } + SmallTar.end
        for byte in blocks.lowerBound * 512..<blocks.upperBound * 512 { tar[byte] = 0 }
        let (members, error) = try read(tar)
        let archive = try TemporaryFolder().archive("h.tar", tar)
        #expect(members.map(\.name) == ["a.wav"] && archive.names == ["a.wav"])
        let words = ArchiveSentence.damagedHeader(at: blocks.upperBound * 512)
        #expect(error?.words == words && archive.problem?.words == words)
    }

    @Test func `other bytes after a single block of zeros are damage`() throws {
        let tar = SmallTar.member("a.wav", [1]) + SmallTar.end.prefix(512)
        for (count, words) in [
            (512, ArchiveSentence.damagedHeader(at: tar.count)), (3, ArchiveSentence.cutOff(at: tar.count + 3)),
        ] {
            let bytes = tar + [UInt8](repeating: 3, count: count)
            #expect(try read(bytes).error?.words == words)
            #expect(try TemporaryFolder().archive("o.tar", bytes).problem?.words == words)
        }
    }

    @Test func `reading stops when it is asked to`() throws {
        let pipe = Pipe()
        #expect(throws: ArchiveError.stopped) {
            try TarStream(descriptor: pipe.fileHandleForReading.fileDescriptor, shouldStop: { true })
        }
        withExtendedLifetime(pipe) {}
    }
}
