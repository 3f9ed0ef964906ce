import FileIO
import Foundation
import TestSupport
import Testing

@testable import Archives

/// Zips whose end states another number of members, another length of their list, or another start than they have.
struct ZipListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A zip of members `0`, `1` … of one byte each, their own number.
    private static func zip(_ count: Int) -> SmallZip {
        var zip = SmallZip()
        for index in 0..<count { zip.add("\(index)", [UInt8(truncatingIfNeeded: index)]) }
        return zip
    }

    /// The zip with another number in its end, where there is no comment.
    private static func stating(_ value: Int, at offset: Int, _ width: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let start = bytes.count - 22 + offset
        bytes.replaceSubrange(start..<start + width, with: SmallZip.number(value, width))
        return bytes
    }

    @Test func `more than 65,535 members are listed where the end keeps their number in 16 bits`() throws {
        let archive = try folder.archive("a.zip", Self.zip(65_546).finished())
        #expect(archive.count == 65_546 && archive.problem == nil)
        #expect(try archive.bytes("65545") == [9] && archive.bytes("0") == [0])
    }

    @Test func `a number of members that is too small hides none, one that is too large is a problem`() throws {
        let bytes = Self.zip(3).finished()
        let small = try folder.archive("s.zip", Self.stating(1, at: 10, 2, bytes))
        #expect(try small.count == 3 && small.problem == nil && small.bytes("2") == [2])
        let large = try folder.archive("l.zip", Self.stating(4, at: 10, 2, Self.long(3)))
        #expect(large.count == 3 && large.problem?.words == "its list of members ends after 3 of 4")
    }

    /// A zip whose list has space for more entries: they have comments.
    private static func long(_ count: Int) -> [UInt8] {
        var zip = SmallZip()
        for index in 0..<count { zip.add("\(index)" + String(repeating: "x", count: 60), [1]) }
        return zip.finished()
    }

    @Test func `a list that is shorter than stated, or that of another zip, is an error`() throws {
        let bytes = Self.zip(3).finished()
        let entry = 47
        let size = 3 * entry
        for stated in [entry, 2 * entry] {
            #expect(throws: ArchiveError.self) {
                try folder.archive("s.zip", Self.stating(stated, at: 12, 4, Self.stating(1, at: 10, 2, bytes)))
            }
        }
        #expect(try folder.archive("w.zip", Self.stating(size, at: 12, 4, bytes)).count == 3)
        // The second of two zips, and one in a zip that is cut off.
        #expect(throws: ArchiveError.self) { try folder.archive("2.zip", bytes + Self.zip(2).finished()) }
        var outer = SmallZip()
        outer.add("inner.zip", bytes)
        let cut = Array(outer.bytes)
        #expect(throws: ArchiveError.self) { try folder.archive("c.zip", cut) }
    }

    @Test func `a zip may follow other bytes`() throws {
        for count in [1, 511, 512, 513, 70_000] {
            let archive = try folder.archive("p.zip", [UInt8](repeating: 7, count: count) + Self.zip(3).finished())
            #expect(try archive.count == 3 && archive.bytes("2") == [2], "\(count)")
            // A signature of the program may follow it.
            let signed = [UInt8](repeating: 7, count: count) + Self.zip(3).finished() + [10, 10, 10]
            #expect(try folder.archive("s.zip", signed).bytes("2") == [2], "\(count)")
        }
        #expect(throws: ArchiveError.neither) { try folder.archive("n.zip", [UInt8](repeating: 7, count: 2000)) }
        // What the system says of reading is not an answer. A folder cannot be read.
        let unreadable = try SharedFile(path: folder.url.path)
        do throws(ArchiveError) {
            _ = try ZipIndexer.indexAfterOtherBytes(unreadable, size: 2000)
            Issue.record("a folder is no zip")
        } catch {
            #expect(error.isTransient)
        }
    }

    @Test func `a signature may follow the list`() throws {
        let zip = Self.zip(2)
        var bytes = zip.finished()
        let end = Array(bytes.suffix(22))
        bytes = bytes.dropLast(22) + [0x50, 0x4B, 5, 5, 3, 0, 1, 2, 3] + end
        let archive = try folder.archive("s.zip", Self.stating(2 * 47 + 9, at: 12, 4, bytes))
        #expect(archive.count == 2 && archive.problem == nil)
    }

    @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    func `beyond 4 GiB without ZIP64, offsets are counted on in any order`(order: [Int]) throws {
        let turn = 1 << 32
        let zip = Self.zip(3)
        var parts = zip.bytes
        let last = parts.suffix(parts.count / 3)
        parts.removeLast(last.count)
        // The third member is 4 GiB further on, its offset modulo that before those of the others.
        var directory = Array(zip.finished().dropFirst(zip.bytes.count).dropLast(22))
        directory.replaceSubrange(2 * 47 + 42..<2 * 47 + 46, with: SmallZip.number(5, 4))
        let list = order.flatMap { directory[$0 * 47..<$0 * 47 + 47] }
        let end = Self.stating(5 + last.count, at: 16, 4, zip.finished()).suffix(22)
        let url = folder.url.appending(path: "w.zip")
        try Data(parts).write(to: url)
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64(turn + 5))
        try file.write(contentsOf: Data(last) + Data(list) + Data(end))
        try file.close()
        let archive = try Archive(path: folder.path("w.zip"))
        #expect(try archive.count == 3 && archive.bytes("1") == [1] && archive.bytes("2") == [2])
    }

    @Test func `beyond 4 GiB without ZIP64, a member may follow one that is longer than that`() throws {
        let turn = 1 << 32
        let zip = Self.zip(2)
        let first = zip.bytes.prefix(zip.bytes.count / 2)
        let second = zip.bytes.dropFirst(first.count)
        // 5 GiB after the first one: the offset modulo 4 GiB is not less than that of the first.
        let gap = 1 << 30
        var directory = Array(zip.finished().dropFirst(zip.bytes.count).dropLast(22))
        directory.replaceSubrange(47 + 42..<47 + 46, with: SmallZip.number(gap, 4))
        let end = Self.stating(gap + second.count, at: 16, 4, zip.finished()).suffix(22)
        let url = folder.url.appending(path: "l.zip")
        try Data(first).write(to: url)
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64(turn + gap))
        try file.write(contentsOf: Data(second) + Data(directory) + Data(end))
        try file.close()
        #expect(try Archive(path: folder.path("l.zip")).bytes("1") == [1])
    }
}
