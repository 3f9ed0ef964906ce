import Annotations
import Concurrency
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetExtraction

/// Files and sets that are made of shards have the bytes of one run, whatever the shards' number and order.
struct ShardRunTests {
    private let fixture: ExtractionFixture
    private static let clips = 60
    /// Recordings of which one is missing and one damaged, with clips that are not always next to one another.
    private let manifest: String

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<24 where number != 17 {
            try fixture.record("\(number).wav", samples: 3000 + 300 * (number % 7), seed: number)
        }
        try RawFile.write(Data("RIFF and nothing more".utf8), to: fixture.folder.path("11.wav"))
        let whole = (0..<24).map { "\($0),\($0).wav,,,l\($0 % 3),\($0 % 5 == 0 ? "test" : "train")\n" }
        let parts = (0..<12).map { "\($0)a,\($0).wav,0.1,0.3,part,train\n" }
        let late = (0..<24).map { "\($0)z,\($0).wav,0.2,,late,train\n" }
        manifest = "id,path,start,end,label,split\n" + (whole + parts + late).joined()
    }

    enum Form: CaseIterable, Sendable {
        case dataset, none, clipDeflated, fixedHalf, patches

        func configuration() throws -> FeatureConfiguration {
            let scope: NormalizeConfiguration.Scope =
                switch self {
                case .dataset, .fixedHalf, .patches: .dataset
                case .none: .none
                case .clipDeflated: .clip
                }
            return try ExtractionFixture.configuration(
                duration: self == .fixedHalf ? 0.5 : nil, normalize: NormalizeConfiguration(scope: scope),
                patches: self == .patches ? PatchesConfiguration(length: 6, hop: 3) : .standard,
                store: StoreConfiguration(
                    layout: self == .fixedHalf ? .fixed : .packed, element: self == .fixedHalf ? .float16 : .float32,
                    compression: self == .clipDeflated ? .deflate : .none))
        }
    }

    private func shuffled(_ count: Int, seed: Int) -> [Int] {
        var random = RandomSource(seed: UInt64(seed))
        return (1...count).shuffled(using: &random)
    }

    @Test(arguments: [1, 3, 8, 60], Form.allCases)
    func `any number of shards, in any order, make the file of one run`(count: Int, form: Form) throws {
        let extraction = try fixture.extraction(manifest, form.configuration())
        var (clips, failures) = (0, 0)
        // Most of many shards are missing, and five of the fourteen have clips: the run computes the others itself.
        for number in shuffled(count, seed: count).prefix(14) {
            let shard = try #require(Shard(number: number, count: count))
            let summary = try extraction.run(shard)
            #expect(!summary.wasDone && summary.resumedClips == 0)
            #expect(try extraction.run(shard).wasDone)
            clips += summary.clips
            failures += summary.failures
        }
        #expect(count > 14 ? (1..<Self.clips).contains(clips) : clips == Self.clips && failures == 5)
        #expect(try fixture.leftovers() == ["features.h5.shards"])
        let summary = try extraction.run()
        // Clips that could not be opened are tried again.
        #expect(summary.resumedClips == clips - failures && summary.failures == 5)
        _ = try fixture.extraction(manifest, form.configuration(), output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test(arguments: [(1, 3), (5, 1), (5, 7)], Form.allCases)
    func `tasks write the files of a set in any order, with the bytes of one run`(
        counts: (shards: Int, files: Int), form: Form
    ) throws {
        let extraction = try fixture.extraction(manifest, form.configuration(), files: counts.files)
        try fixture.computeShards(counts.shards, of: extraction)
        let order = shuffled(counts.files, seed: counts.files)
        for number in order {
            #expect(try !fixture.folder.names().contains("features.index.json"))
            let summary = try extraction.run(try #require(SetFile(number: number, count: counts.files)))
            #expect(!summary.wasDone && (summary.index != nil) == (number == order.last))
        }
        let found = try fixture.outputs()
        for name in found.keys { try FileManager.default.removeItem(atPath: fixture.folder.path(name)) }
        _ = try extraction.run()
        #expect(try fixture.outputs() == found && found.count == counts.files + 1)
    }

    @Test func `labels of frames are those of one run`() throws {
        let times = AnnotationTimes(seconds: AnnotationTimes.Range(start: 0.1, end: 0.2))
        let marks = (0..<24).map { ("\($0).wav", [FrameAnnotations.Mark(times: times, label: "x\($0 % 2)")]) }
        let extraction = try fixture.extraction(manifest).with { $0.frameAnnotations = FrameAnnotations(marks) }
        try fixture.computeShards(2, of: extraction)
        _ = try extraction.run()
        let whole = fixture.folder.path("whole.h5")
        _ = try extraction.with { $0.output = whole }.run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try FeatureReader(path: whole).header.frameLabelNames == ["x0", "x1"])
    }

    @Test func `an attempt that was stopped counts for the run as a whole, and then for its shard`() throws {
        let extraction = try fixture.extraction(manifest, jobs: 1).with { $0.longestStay = .zero }
        let shard = try #require(Shard(number: 1, count: 2))
        let cancellation = Cancellation()
        let stopped = #expect(throws: StoppedExtraction.self) {
            let progress = ExtractionProgress { if $0 >= 9 { cancellation.cancel() } }
            _ = try extraction.run(shard, progress: progress, cancellation: cancellation)
        }
        let done = try #require(stopped).done
        #expect(done >= 9 && done < Self.clips / 2)
        let shards = fixture.folder.path("features.h5.shards")
        try FileManager.default.copyItem(atPath: shards, toPath: fixture.folder.path("whole.h5.shards"))
        #expect(try fixture.extraction(manifest, output: "whole.h5").run().resumedClips == done)
        #expect(try extraction.run(shard).resumedClips == done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shards) == ["00001-of-00002"])
        _ = try extraction.run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }

    @Test func `an interrupted run with shards takes up shards that were done since`() throws {
        let extraction = try fixture.extraction(manifest, jobs: 1)
        let shards = try [1, 3].map { try #require(Shard(number: $0, count: 3)) }
        let first = try extraction.run(shards[0])
        let done = try fixture.interrupt(extraction, after: first.clips + 5)
        try #require(done < Self.clips, "the run ended before it was stopped")
        let last = try extraction.run(shards[1])
        let plan = try extraction.dryRun().plan
        #expect(try #require(plan.resumed).done >= first.clips - first.failures + last.clips - last.failures)
        #expect(try extraction.run().resumedClips == plan.resumed?.done)
        #expect(try fixture.leftovers() == ["features.h5"])
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }

    @Test func `clips of shards count where a scratch folder is given`() throws {
        let scratch = fixture.folder.path("scratch")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
        let shard = try fixture.extraction(manifest).run(try #require(Shard(number: 1, count: 2)))
        let summary = try fixture.extraction(manifest, scratch: scratch).run()
        #expect(summary.resumedClips == shard.clips - shard.failures)
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try fixture.leftovers() == ["features.h5"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
    }

    @Test func `damage in a shard costs clips, not bytes, and is named`() throws {
        let extraction = try fixture.extraction(manifest, jobs: 1)
        try fixture.computeShards(3, of: extraction)
        let name = "features.h5.shards/00002-of-00003/clips-0.spool"
        var bytes = try fixture.bytes(name)
        bytes[bytes.count / 2] ^= 1
        try RawFile.write(bytes, to: fixture.folder.path(name))
        var notice: ResumptionNotice?
        let summary = try extraction.run(announce: { notice = $0 })
        #expect(summary.resumedClips > 0 && summary.resumedClips < Self.clips - 5)
        #expect(notice?.damaged.count == 1 && notice?.damaged.first?.hasSuffix(name) == true)
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }

    @Test func `a task of a set reads the rows of its own shards, and damage in others does not stop it`() throws {
        let extraction = try fixture.extraction(manifest, jobs: 1, files: 4)
        try fixture.computeShards(4, of: extraction)
        let name = "features.h5.shards/00004-of-00004/clips-0.spool"
        var bytes = try fixture.bytes(name)
        for offset in stride(from: 5000, to: bytes.count, by: 500) { bytes[offset] ^= 1 }
        try RawFile.write(bytes, to: fixture.folder.path(name))
        let errors = try (1...4).map { number in
            thrownCase { _ = try extraction.run(try #require(SetFile(number: number, count: 4))) }
        }
        #expect(errors.first == .some(nil) && errors.contains("damaged"), "\(errors)")
        // What mends it is the command that computes what is missing. It keeps the files that are there.
        let first = try fixture.state()["features-00001-of-00004.h5"]
        _ = try extraction.run()
        #expect(try fixture.state()["features-00001-of-00004.h5"] == first)
        let found = try fixture.outputs()
        for name in found.keys { try FileManager.default.removeItem(atPath: fixture.folder.path(name)) }
        _ = try extraction.run()
        #expect(try fixture.outputs() == found)
    }

    @Test func `a recording that has changed since its shard was done is read again`() throws {
        let extraction = try fixture.extraction(manifest)
        try fixture.computeShards(2, of: extraction)
        try fixture.record("5.wav", samples: 4400, seed: 99)
        var notice: ResumptionNotice?
        let summary = try extraction.run(announce: { notice = $0 })
        // Three clips of it, and those that could not be opened.
        #expect(summary.resumedClips == Self.clips - 5 - 3 && notice?.changedCount == 3)
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
