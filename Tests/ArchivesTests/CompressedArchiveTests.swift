import FileIO
import Foundation
import Platform
import TestSupport
import Testing

@testable import Archives

@Suite(.serialized)
struct CompressedArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 17) }
    }

    private static let data = noise(3000)
    private static let tar =
        SmallTar.member("a.wav", data) + SmallTar.member("b.wav", [1, 2])
        + SmallTar.member("c.wav", noise(2000, seed: 2)) + SmallTar.end

    @Test(arguments: [[1, 1], [1, 100_000], [100_000, 1], [7, 13]])
    func `pieces of any size are unpacked alike, several frames too`(sizes: [Int]) throws {
        let data = Self.noise(5000)
        let forms: [(any Decompressor, [UInt8])] = [
            (try GzipDecompressor(), Packed.gzip(data) + Packed.gzip([]) + Packed.gzip([9]) + [0, 0, 0]),
            (
                try ZstdDecompressor(),
                Packed.zstd(data) + Packed.zstd([]) + [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 7] + Packed.zstd([9])
            ),
            (try DeflateDecompressor(), Packed.deflated(data + [9])),
        ]
        for (decompressor, packed) in forms {
            var (found, position) = ([UInt8](), 0)
            var output = [UInt8](repeating: 0, count: sizes[1])
            while true {
                let input = Array(packed[position...].prefix(sizes[0]))
                let step = try input.withUnsafeBytes { input in
                    try output.withUnsafeMutableBytes { try decompressor.unpack(input, into: $0) }
                }
                position += step.taken
                found += output[..<step.written]
                if step.taken == 0, step.written == 0, position == packed.count { break }
                try #require(step.taken > 0 || step.written > 0 || position < packed.count)
            }
            #expect(found == data + [9] && decompressor.mayEnd)
        }
    }

    @Test(arguments: ["a.tar.gz", "a.tar.zst"])
    func `every flipped bit of a compressed tar is found before a byte is handed out`(name: String) throws {
        let packed = name.hasSuffix("gz") ? Packed.gzip(Self.tar) : Packed.zstd(Self.tar)
        #expect(try folder.archive(name, packed).bytes("a.wav") == Self.data)
        var refused = 0
        for index in stride(from: 0, to: packed.count, by: 7) {
            var damaged = packed
            damaged[index] ^= 1 << UInt8(index % 8)
            guard let archive = try? folder.archive(name, damaged) else {
                refused += 1
                continue
            }
            // What does not belong to the data: the time in gzip's header, for example.
            #expect(try archive.bytes("a.wav") == Self.data && archive.bytes("b.wav") == [1, 2], "byte \(index)")
        }
        #expect(refused > packed.count / 7 - 10)
    }

    @Test(arguments: ["a.tar.gz", "a.tar.zst"])
    func `of an archive that is cut off or damaged, what right checksums cover is read`(name: String) throws {
        let pack = name.hasSuffix("gz") ? { Packed.gzip($0) } : Packed.zstd
        let whole = pack(Self.tar)
        for count in stride(from: 8, to: whole.count, by: 5) {
            #expect(throws: ArchiveError.cutOffPacked, "\(count)") { try folder.archive(name, Array(whole[..<count])) }
        }
        // Two parts, the first with all of the first two members.
        let parts = [pack(Array(Self.tar[..<5000])), pack(Array(Self.tar[5000...]))]
        #expect(try folder.archive(name, parts[0] + parts[1]).bytes("c.wav") == Self.noise(2000, seed: 2))
        for index in parts[1].indices.dropFirst() {
            var damaged = parts[0] + parts[1]
            if index % 2 == 0 { damaged.removeLast(index) } else { damaged[parts[0].count + index] ^= 1 }
            let archive = try folder.archive(name, damaged)
            #expect(try archive.bytes("a.wav") == Self.data && archive.bytes("b.wav") == [1, 2])
            guard let reason = archive.reason("c.wav") else {
                #expect(try archive.bytes("c.wav") == Self.noise(2000, seed: 2))
                continue
            }
            #expect(reason.contains("compressed"), "\(reason)")
        }
    }

    @Test func `members of a zip are checked one by one`() throws {
        var zip = SmallZip()
        zip.add("a.wav", Self.data)
        zip.add("b.wav", Self.data, isDeflated: true)
        zip.add("c/", [])
        zip.add("l.wav", [1], mode: 0o120777)
        zip.add("e.wav", [1, 2], flags: 1)
        zip.add("m.wav", [1, 2], method: 14)
        zip.add("b.wav", [5, 6], isDeflated: true)
        for bytes in [zip.finished(), zip.finished(comment: "PK\u{5}\u{6}, and more of it")] {
            let archive = try folder.archive("z.zip", bytes)
            #expect(try archive.bytes("a.wav") == Self.data && archive.bytes("./b.wav") == [5, 6])
            #expect(archive.reason("l.wav") == ArchiveSentence.notRegular("a symbolic link"))
            #expect(archive.reason("c") == ArchiveSentence.notRegular("a folder"))
            #expect(archive.reason("e.wav") == ArchiveSentence.encrypted)
            #expect(archive.reason("m.wav")?.contains("method 14") == true)
        }
        var damaged = zip.finished()
        damaged[35 + 100] ^= 1
        let archive = try folder.archive("d.zip", damaged)
        #expect(archive.reason("a.wav") == ArchiveSentence.otherChecksum)
        #expect(try archive.bytes("b.wav") == [5, 6])
        #expect(throws: ArchiveError.self) { try folder.archive("c.zip", Array(zip.finished().dropLast(5))) }
    }

    @Test func `whatever the bytes of a zip are, nothing traps`() throws {
        var zip = SmallZip()
        zip.add("a.wav", Self.data, isDeflated: true)
        zip.add("b.wav", [1, 2, 3])
        let whole = zip.finished()
        var random = RandomSource(seed: 9)
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<3 {
                // The list of members, mostly.
                let index = whole.count - 1 - Int(random.next() % (random.next() % 4 == 0 ? UInt64(whole.count) : 130))
                bytes[index] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let archive = try? folder.archive("r.zip", bytes) else { continue }
            for name in archive.names {
                guard let part = try? archive.part(name) else { continue }
                #expect([Self.data, [1, 2, 3]].contains(try part.file.bytes(at: part.offset, part.count)))
            }
        }
    }

    @Test func `an archive is opened once for all threads, and again when it has changed`() throws {
        try Data(Packed.gzip(Self.tar)).write(to: folder.url.appending(path: "a.tar.gz"))
        let path = folder.path("a.tar.gz")
        let first = try OpenArchives.archive(path)
        #expect(try OpenArchives.archive(path) === first)
        let name = path + "::a.wav"
        #expect(RecordingPath.exists(name) && !RecordingPath.exists(path + "::x.wav") && RecordingPath.exists(path))
        #expect(!RecordingPath.exists(folder.path("b.tar::a.wav")))
        let stamp = FileStamp(recording: name)
        #expect(stamp != .absent && stamp == FileStamp(recording: name))
        try Data(Packed.gzip(Self.tar + [0])).write(to: folder.url.appending(path: "a.tar.gz"))
        #expect(try OpenArchives.archive(path) !== first)
        #expect(FileStamp(recording: name) != stamp)
        #expect(FileStamp(recording: folder.path("b.tar::a.wav")) == .absent)
        #expect(FileStamp(recording: path) == FileStamp(path: path))
    }

    @Test func `the stamp of a member in place tells its offset and length, and whether it is there`() throws {
        try Data(Self.tar).write(to: folder.url.appending(path: "a.tar"))
        let stamps = ["a", "b", "c"].map { FileStamp(recording: folder.path("a.tar::\($0).wav")) }
        #expect(Set(stamps).count == 3 && !stamps.contains(.absent))
        #expect(FileStamp(recording: folder.path("a.tar::d.wav")) == .absent)
    }

    @Test func `unpacked data is in a file without a name, in the folder of the settings`() throws {
        func archive(_ settings: Unpacking.Settings) throws -> Archive {
            try folder.archive("a.tar.gz", Packed.gzip(Self.tar), unpacking: settings)
        }
        #expect(throws: ArchiveError.self) { try archive(Unpacking.Settings(folder: folder.path("none"))) }
        #expect(try archive(Unpacking.Settings(folder: folder.url.path)).bytes("b.wav") == [1, 2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.tar.gz"])
        #expect(throws: ArchiveError.stopped) { try archive(Unpacking.Settings(shouldStop: { true })) }
    }

    @Test func `an archive is unpacked to at most 1 GiB or a hundred times its size`() {
        #expect(Unpacking.limit(packed: 1000) == 1 << 30 && Unpacking.limit(packed: 1 << 30) == 100 << 30)
        #expect(Unpacking.limit(packed: .max) == .max)
    }
}
