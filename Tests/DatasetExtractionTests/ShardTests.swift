import FeatureModel
import FileIO
import Foundation
import Manifests
import TestSupport
import Testing

@testable import ClipSpool
@testable import DatasetExtraction

struct ShardTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manifest(_ paths: [String]) throws -> Manifest {
        let rows = paths.enumerated().map { "\($1),\($0)\n" }.joined()
        return try Manifest.scan(path: folder.write("path,id\n" + rows, to: "manifest.csv"), format: .csv)
    }

    private func parts(_ paths: [String], of count: Int) throws -> [[Int]] {
        let source = try manifest(paths)
        return try (1...count).map { number in
            let clips = try ShardClips(try #require(Shard(number: number, count: count)), of: source)
            let own = paths.indices.filter(clips.contains)
            #expect(own.count == clips.count)
            return own
        }
    }

    @Test(arguments: [1, 2, 3, 10, 97, 500, 1000])
    func `each clip is in one part, with all of its recording, in order of first appearance`(count: Int) throws {
        var random = RandomSource(seed: UInt64(count))
        // More recordings than the first table of hashes has room for.
        let paths = (0..<2000).map { _ in "r\(Int(random.next() % 1400)).wav" }
        let parts = try parts(paths, of: count)
        #expect(parts.joined().sorted() == Array(paths.indices))
        // The rule, written down another way: recordings in order, each behind the clips of those before.
        var order: [String] = []
        for path in paths where !order.contains(path) { order.append(path) }
        var before = 0
        for path in order {
            let own = paths.indices.filter { paths[$0] == path }
            #expect(own.allSatisfy(parts[before * count / paths.count].contains))
            before += own.count
        }
    }

    @Test func `parts of recordings with one clip each differ by one clip at most`() throws {
        for count in [1, 7, 64, 100] {
            let sizes = try parts((0..<100).map { "\($0).wav" }, of: count).map(\.count)
            #expect(sizes.max()! - sizes.min()! <= 1 && sizes.reduce(0, +) == 100)
        }
        // More parts than clips: as many are empty.
        let sizes = try parts((0..<10).map { "\($0).wav" }, of: 25).map(\.count)
        #expect(sizes.filter { $0 == 1 }.count == 10 && sizes.filter { $0 == 0 }.count == 15)
    }

    @Test func `a shard's name says which it is, and other names are not those of shards`() {
        for (number, count) in [(1, 1), (3, 16), (99_999, 100_000), (1_000_000, 1_000_000)] {
            let shard = Shard(number: number, count: count)
            #expect(shard.map { Shard(folderName: $0.folderName) } == shard && shard != nil)
        }
        #expect(Shard(number: 3, count: 16)?.folderName == "00003-of-00016")
        for name in [
            "", "3-of-16", "00003-of-0016", "00017-of-00016", "00000-of-00016", "00003-of-00016-of-00016",
            "00003 of 00016", "+0003-of-00016",
        ] {
            #expect(Shard(folderName: name) == nil, "\(name)")
        }
        #expect(Shard(number: 0, count: 3) == nil && Shard(number: 4, count: 3) == nil)
        #expect(Shard(number: 1, count: 1_000_001) == nil && Shard(number: .min, count: .max) == nil)
    }

    @Test func `the first attempt that is complete gets the shard's name`() throws {
        let folders = ShardFolders(output: folder.url.path + "/f.h5")
        try folders.make()
        try folders.make()
        let shard = try #require(Shard(number: 2, count: 3))
        let attempts = try (0..<3).map { _ in
            let spool = try Spool(folder: folders.newAttempt(at: shard))
            try spool.start(identity: "{}")
            return spool
        }
        #expect(Set(attempts.map(\.folder)).count == 3)
        #expect(try folders.contents().map(\.isAttempt) == [true, true, true])
        #expect(try folders.complete(attempts[1].folder, of: shard))
        #expect(try !folders.complete(attempts[0].folder, of: shard))
        // As if the server had renamed it and its answer was lost.
        #expect(try !folders.complete(attempts[1].folder, of: shard))
        #expect(try folders.usable() == [folders.folder(of: shard)])
        #expect(try folders.contents().map(\.isAttempt) == [false, true, true])
        // One that somebody has begun to delete never counts.
        unlink(attempts[2].folder + "/" + SpoolNote.identity.rawValue)
        #expect(try !folders.complete(attempts[2].folder, of: try #require(Shard(number: 3, count: 3))))
        folders.remove(try folders.contents())
        #expect(FileStatus(path: folders.path) == nil)
    }

    @Test func `a shard without its description does not count`() throws {
        let folders = ShardFolders(output: folder.url.path + "/f.h5")
        try folders.make()
        try FileManager.default.createDirectory(
            atPath: folders.folder(of: try #require(Shard(number: 1, count: 3))), withIntermediateDirectories: false)
        #expect(try folders.contents().count == 1)
        #expect(try folders.usable().isEmpty)
    }

    @Test(arguments: [0, 1, 65_533, 65_534, 1_048_573])
    func `positions in files of shards fit the index`(file: Int) {
        let index = SpoolIndex(clips: 2)
        let position = SpoolPosition(file: file, offset: (1 << 44) - 1)
        index[0] = .spooled(position, rows: .max >> 32)
        index[1] = .failed(position)
        #expect(index[0] == .spooled(position, rows: .max >> 32) && index[1] == .failed(position))
        #expect(SpoolPosition.files.contains(file))
    }
}
