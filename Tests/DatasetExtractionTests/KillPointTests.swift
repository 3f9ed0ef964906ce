import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Whenever a run is killed, the same command makes the same files and leaves nothing else.
struct KillPointTests {
    private let fixture: ExtractionFixture
    private static let older = "id,path,split\n" + (0..<10).map { "\($0),\($0 % 5).wav,train\n" }.joined()
    private static let manifest =
        older + (10..<30).map { "\($0),\($0 == 17 ? "gone" : "\($0 % 5)").wav,train\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 9000 + 700 * number, seed: number) }
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path("scratch"), withIntermediateDirectories: false)
    }

    enum Command: CaseIterable, Sendable {
        case plain, normalised, scratch, append, sync, renewing, set, overShards
    }

    enum Moment: CaseIterable, Sendable {
        /// Before the output has its name: some clips or all are done, and a part of the file.
        case someClips, allClips, partOfFile
        /// After that: nothing is deleted yet, the description of the run, some of its clips, all but the lock.
        case named, withoutIdentity, withoutSomeClips, withoutClips

        var isNamed: Bool { ![.someClips, .allClips, .partOfFile].contains(self) }
    }

    private func extraction(_ command: Command, _ manifest: String = Self.manifest, jobs: Int = 2) throws -> Extraction
    {
        let scope: NormalizeConfiguration.Scope = [.plain, .append, .sync].contains(command) ? .none : .dataset
        return try fixture.extraction(
            manifest, ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: scope)), jobs: jobs,
            scratch: command == .scratch ? fixture.folder.path("scratch") : nil, append: command == .append,
            sync: command == .sync || command == .renewing, renewsStatistics: command == .renewing
        ).with { $0.files = command == .set ? 3 : nil }
    }

    /// Makes what is there before the command.
    private func prepare(_ command: Command) throws {
        switch command {
        case .append, .sync, .renewing:
            _ = try extraction(command, Self.older).with { $0.update = .none }.run()
        case .overShards:
            _ = try extraction(command).run(try #require(Shard(number: 1, count: 2)))
        case .plain, .normalised, .scratch, .set: break
        }
    }

    /// Deletes all outputs and what belongs to them.
    private func clear() throws {
        for name in try fixture.folder.names() where name.hasPrefix("features") {
            try FileManager.default.removeItem(atPath: fixture.folder.path(name))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("scratch")) {
            try FileManager.default.removeItem(atPath: fixture.folder.path("scratch/" + name))
        }
    }

    /// The folders of the run: that beside the output, and the one with its clips.
    private func folders() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.url.path)
            .filter { $0.hasSuffix(".spool") && !$0.contains("clips-") }.map(fixture.folder.path)
    }

    private func delete(_ isDeleted: (String) -> Bool) throws {
        for folder in try folders() {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where isDeleted(name) {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
        }
    }

    private func kill(_ command: Command, at moment: Moment, outputs: [String: Data?]) throws {
        guard moment != .someClips else {
            // Clips of shards count as done from the start.
            _ = try fixture.interrupt(extraction(command, jobs: 1), after: command == .overShards ? 22 : 4)
            return
        }
        try fixture.stopBeforeAssembly(extraction(command))
        if moment == .partOfFile {
            let whole = outputs.values.compactMap(\.self).max { $0.count < $1.count } ?? Data()
            try RawFile.write(
                whole.prefix(whole.count / 2), to: fixture.folder.path("features.h5.spool/features.h5"))
        }
        guard moment.isNamed else { return }
        for (name, bytes) in outputs { try bytes.map { try RawFile.write($0, to: fixture.folder.path(name)) } }
        // This file has become the output.
        try delete { $0 == "rows" }
        switch moment {
        case .withoutIdentity: try delete { ["run.json", "elsewhere"].contains($0) }
        case .withoutSomeClips: try delete { ["run.json", "elsewhere", "clips-0.spool"].contains($0) }
        case .withoutClips: try delete { $0 != "lock" }
        default: break
        }
    }

    @Test(arguments: Command.allCases, Moment.allCases)
    func `the same command ends in the same files`(command: Command, moment: Moment) throws {
        try prepare(command)
        _ = try extraction(command).run()
        let expected = try fixture.outputs()
        try clear()
        try prepare(command)
        try kill(command, at: moment, outputs: expected)

        let summary = try extraction(command).run()
        #expect(try fixture.outputs() == expected)
        // An append tries again what has failed.
        if moment.isNamed, command != .append { #expect(summary.wasUpToDate && summary.resumedClips == 0) }
    }

    @Test(arguments: [false, true])
    func `rows that became the output are found, whatever else was deleted, and the file is kept`(
        isFollowing: Bool
    ) throws {
        let command = isFollowing ? Command.sync : .plain
        try prepare(command)
        _ = try extraction(command).run()
        let expected = try fixture.outputs()
        try clear()
        try prepare(command)
        try kill(command, at: .named, outputs: expected)
        func inode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: fixture.folder.path("features.h5"))[.systemFileNumber]
                as? Int
        }
        let before = try inode()
        #expect(try extraction(command).run().wasUpToDate)
        #expect(try inode() == before)
    }

    @Test func `the clips that are left say that the output is right, without the recordings`() throws {
        _ = try extraction(.plain).run()
        let expected = try fixture.outputs()
        try clear()
        try kill(.plain, at: .named, outputs: expected)
        try FileManager.default.removeItem(atPath: fixture.folder.path("1.wav"))
        #expect(thrownCase { try extraction(.plain).run() } == "missingRecordings")
        #expect(try extraction(.plain).with { $0.keepMissing = true }.run().wasUpToDate)
        #expect(try fixture.outputs() == expected)
    }

    /// Shards whose clips are in the output, and whose deletion was interrupted.
    @Test(arguments: [0, 1, 2], [true, false])
    func `shards that are half deleted are deleted by the same command and by any task`(
        deleted: Int, isTask: Bool
    ) throws {
        try fixture.computeShards(2, of: extraction(.overShards))
        let copy = fixture.folder.path("copy")
        let shards = fixture.folder.path("features.h5.shards")
        try FileManager.default.copyItem(atPath: shards, toPath: copy)
        _ = try extraction(.overShards).run()
        let expected = try fixture.outputs()
        try FileManager.default.moveItem(atPath: copy, toPath: shards)
        let first = shards + "/00001-of-00002"
        if deleted == 1 { try FileManager.default.removeItem(atPath: first + "/run.json") }
        if deleted == 2 { try FileManager.default.removeItem(atPath: first) }
        if isTask {
            // A task leaves them to the run, and computes nothing.
            #expect(try extraction(.overShards).run(try #require(Shard(number: 1, count: 2))).isInOutput)
        }
        #expect(try extraction(.overShards).run().wasUpToDate)
        #expect(try fixture.outputs() == expected)
    }

    /// The files of a set, one after another, and then its index.
    @Test(arguments: 0...3) func `a set of which some files are written is completed`(written: Int) throws {
        _ = try extraction(.set).run()
        let expected = try fixture.outputs()
        try clear()
        try fixture.stopBeforeAssembly(extraction(.set))
        for number in 1...3 where number <= written {
            let name = "features-0000\(number)-of-00003.h5"
            try RawFile.write(try #require(expected[name] ?? nil), to: fixture.folder.path(name))
        }
        _ = try extraction(.set).run()
        #expect(try fixture.outputs() == expected)
    }

    @Test(arguments: 0...2)
    func `files of an older set that were not deleted yet are deleted by the same command`(left: Int) throws {
        _ = try extraction(.set).with { $0.files = 2 }.run()
        let older = try fixture.outputs()
        _ = try extraction(.set).with { $0.overwrite = true }.run()
        let expected = try fixture.outputs()
        #expect(expected.count == 4)
        // The older index is kept under this name until its files are deleted.
        try RawFile.write(
            try #require(older["features.index.json"] ?? nil), to: fixture.folder.path("features.index.json.replaced"))
        for number in 1...2 where number > 2 - left {
            let name = "features-0000\(number)-of-00002.h5"
            try RawFile.write(try #require(older[name] ?? nil), to: fixture.folder.path(name))
        }
        #expect(try extraction(.set).run().wasUpToDate)
        #expect(try fixture.outputs() == expected)
    }

    @Test func `files of an older set are kept where the newer one has not got its index yet`() throws {
        _ = try extraction(.set).with { $0.files = 2 }.run()
        let older = try fixture.outputs()
        let newer = try extraction(.set).with { $0.overwrite = true }
        try RawFile.write(
            try #require(older["features.index.json"] ?? nil), to: fixture.folder.path("features.index.json.replaced"))
        #expect(thrownCase { try extraction(.set).run() } == "outputExists")
        for name in older.keys { #expect(try fixture.outputs()[name] == older[name]) }
        _ = try newer.run()
        #expect(try fixture.outputs().count == 4)
    }
}
