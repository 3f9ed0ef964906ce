import DatasetExtraction
import DatasetInspection
import ExtractionSupport
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

/// Recordings that have changed since the output was made, and files of a set that are not its own: tasks see them as the whole run does.
struct ChangedOutputTests {
    private let fixture: ExtractionFixture
    /// Each recording of equal length, so that files of a set may be taken for one another.
    private let manifest = "id,path\n" + (0..<12).map { "\($0),\($0 / 3).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 6000, seed: number) }
    }

    private func shard(_ number: Int) throws -> Shard { try #require(Shard(number: number, count: 2)) }
    private func member(_ number: Int) throws -> SetFile { try #require(SetFile(number: number, count: 2)) }
    private func path(_ number: Int) -> String { "features-0000\(number)-of-00002.h5" }

    /// A set of two files, normalised by the statistics of other recordings, which say nothing of its own.
    private func set(overwrite: Bool = false) throws -> Extraction {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        if try !fixture.folder.names().contains("older.h5") {
            try fixture.record("older.wav", samples: 7000, seed: 40)
            _ = try fixture.extraction("path\nolder.wav\n", configuration, output: "older.h5").run()
        }
        let statistics = try ImportedStatistics(path: fixture.folder.path("older.h5"))
        return try fixture.extraction(
            manifest, configuration, overwrite: overwrite, statistics: statistics, files: 2)
    }

    @Test func `a shard over an output looks at its own recordings, and at no others`() throws {
        _ = try fixture.extraction(manifest).run()
        try fixture.record("3.wav", samples: 6000, seed: 9)
        let (plain, overwriting) = (try fixture.extraction(manifest), try fixture.extraction(manifest, overwrite: true))
        #expect(thrownCase { try plain.run() } == "outputExists")
        #expect(thrownCase { try plain.run(shard(2)) } == "outputExists")
        #expect(try plain.run(shard(1)).isInOutput)
        let summary = try overwriting.run(shard(2))
        #expect(!summary.wasDone && summary.clips == 6)
        #expect(try overwriting.run().resumedClips == 6)
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `a set is renewed by tasks alone, whichever of their recordings have changed`() throws {
        _ = try set().run()
        try fixture.record("3.wav", samples: 6000, seed: 9)
        #expect(thrownCase { try set().run(member(2)) } == "outputExists")
        #expect(try set().run(member(1)).index != nil)
        let renewed = try set(overwrite: true)
        #expect(thrownCase { try renewed.run(member(1)) } == "missingShards")
        for number in 1...2 { #expect(try !renewed.run(shard(number)).wasDone) }
        // Without leave to replace it, no task takes the older set for the work of these shards, or deletes them.
        for number in 1...2 { #expect(thrownCase { try set().run(member(number)) } == "outputExists") }
        #expect(try renewed.run(member(1)).index == nil)
        let last = try renewed.run(member(2))
        #expect(!last.wasDone && last.index != nil)
        #expect(try !fixture.folder.names().contains("features.h5.shards"))
        let bytes = try (1...2).map { try fixture.bytes(path($0)) }
        for name in [path(1), path(2), "features.index.json"] {
            try FileManager.default.removeItem(atPath: fixture.folder.path(name))
        }
        _ = try set().run()
        #expect(try (1...2).map { try fixture.bytes(path($0)) } == bytes)
    }

    @Test func `a file that is left of other recordings does not become one of a set`() throws {
        _ = try set().run()
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.index.json"))
        try FileManager.default.removeItem(atPath: fixture.folder.path(path(1)))
        try fixture.record("3.wav", samples: 6000, seed: 9)
        for number in 1...2 { _ = try set().run(shard(number)) }
        let first = try set().run(member(1))
        let other = SetObstacle.otherFile(path: fixture.folder.path(path(2)), .otherClips, number: 2, count: 2)
        #expect(first.index == nil && first.obstacle == other)
        #expect(try fixture.folder.names().contains("features.h5.shards"))
        let second = try set(overwrite: true).run(member(2))
        #expect(!second.wasDone && second.index != nil)
        #expect(try set().run().wasUpToDate)
        #expect(try !fixture.folder.names().contains("features.h5.shards"))
    }

    @Test func `a file of a set that was put in place of another is noticed, whatever its length`() throws {
        _ = try set().run()
        let (one, two) = (fixture.folder.path(path(1)), fixture.folder.path(path(2)))
        try #require(try fixture.bytes(path(1)).count == fixture.bytes(path(2)).count)
        try FileManager.default.removeItem(atPath: two)
        try FileManager.default.copyItem(atPath: one, toPath: two)
        let reader = try FeatureReader(path: fixture.folder.path("features.index.json"))
        #expect(throws: StorageError.self) { try reader.checkMembers() }
        #expect(thrownCase { try DatasetSummary(of: reader) } == "changedFileOfSet")
        #expect(
            thrownCase { try ImportedStatistics(path: fixture.folder.path("features.index.json")) }
                == "changedFileOfSet")
        #expect(thrownCase { try set().run(shard(1)) } == "changedFileOfSet")
        #expect(thrownCase { try set().run(member(1)) } == "changedFileOfSet")
        #expect(thrownCase { try set().run() } == "outputExists")
        _ = try set(overwrite: true).run()
        #expect(try set().run().wasUpToDate)
    }

    @Test func `a recording that cannot be opened while it is compared is no reason to take the set as it is`() throws {
        _ = try set().run()
        _ = try? FileManager.default.removeItem(atPath: fixture.folder.path("3.wav"))
        // A folder cannot be read as a recording.
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path("3.wav"), withIntermediateDirectories: false)
        for task in 1...2 {
            let isOwn = task == 2
            #expect(thrownCase { try set().run(member(task)) } == (isOwn ? "outputExists" : nil))
            #expect(thrownCase { try set().run(shard(task)) } == (isOwn ? "outputExists" : nil))
        }
    }

    @Test func `--strict over a file with losses leaves nothing behind`() throws {
        try fixture.record("long.wav", samples: 6000, seed: 5)
        var bytes = try fixture.bytes("long.wav")
        // Samples that the header does not count.
        bytes += Data(repeating: 0x55, count: 1600)
        try RawFile.write(bytes, to: fixture.folder.path("long.wav"))
        let made = try fixture.extraction("path\nlong.wav\n")
        _ = try made.run()
        #expect(thrownCase { try made.with { $0.isStrict = true }.run() } == "losses")
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `of settings that follow from each other only the first is named`() throws {
        _ = try fixture.extraction(manifest).run()
        let other = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(64), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(),
            normalize: NormalizeConfiguration(scope: .none))
        for isSync in [false, true] {
            let extraction = try fixture.extraction(manifest + "new,0.wav\n", other, append: !isSync, sync: isSync)
            let error = #expect(throws: ExtractionError.self) { try extraction.run() }
            guard case .differences(let differences)? = error?.obstacle else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(differences.contains(.setting("frame.hop", before: "128", now: "64")))
            // The rate is another, too: words name the settings alone.
            #expect(error?.description.contains("sample rate") == false, "\(error?.description ?? "")")
        }
    }
}
