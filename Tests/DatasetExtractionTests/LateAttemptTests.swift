import DatasetExtraction
import ExtractionSupport
import FeatureModel
import Foundation
import TestSupport
import Testing

/// An attempt at a shard that stood still, as on a machine that was cut off, while others went on: it does no harm when it comes back.
struct LateAttemptTests {
    private let fixture: ExtractionFixture
    private let manifest = "id,path\n" + (0..<40).map { "\($0),\($0 % 5).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 5000 + 700 * number, seed: number) }
        _ = try fixture.extraction(manifest, output: "whole.h5").run()
    }

    private func shard(_ number: Int) throws -> Shard { try #require(Shard(number: number, count: 2)) }

    /// The names in the folder of shards; none if there is no such folder.
    private func shards() -> [String] {
        let path = fixture.folder.path("features.h5.shards")
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Begins shard 1 of 2, has something else done after some clips, and goes on.
    private func attempt(meanwhile: @escaping @Sendable () throws -> Void) throws -> ShardSummary {
        let summary = try fixture.run(fixture.extraction(manifest, jobs: 1), shard(1), after: 5) {
            #expect(throws: Never.self) { try meanwhile() }
        }
        return try #require(summary)
    }

    private func expectWhole() throws {
        _ = try fixture.extraction(manifest).run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `others have completed the shard`() throws {
        let (others, shard) = (try fixture.extraction(manifest), try shard(1))
        let summary = try attempt { _ = try others.run(shard) }
        #expect(summary.wasDone && !summary.isInOutput && shards() == ["00001-of-00002"])
        try expectWhole()
    }

    @Test func `others have completed the file, and deleted the attempt`() throws {
        let (others, shard) = (try fixture.extraction(manifest), try shard(1))
        let summary = try attempt {
            _ = try others.run(shard)
            _ = try others.run()
        }
        #expect(summary.wasDone && shards() == [])
        try expectWhole()
    }

    @Test func `others have completed the file, and not seen the attempt`() throws {
        let (from, to) = (fixture.folder.path("whole.h5"), fixture.folder.path("features.h5"))
        let summary = try attempt { try FileManager.default.copyItem(atPath: from, toPath: to) }
        #expect(summary.wasDone && summary.isInOutput && shards() == [])
        try expectWhole()
    }

    @Test(arguments: ["", "attempt", "run.json and lock"])
    func `others have deleted its folder, and nothing of their work is here yet`(gone: String) throws {
        let path = fixture.folder.path("features.h5.shards")
        let found = thrownCase {
            try attempt {
                let attempt = path + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: path).first))
                let paths =
                    switch gone {
                    case "": [path]
                    case "attempt": [attempt]
                    default: ["run.json", "lock"].map { attempt + "/" + $0 }
                    }
                for path in paths { try FileManager.default.removeItem(atPath: path) }
            }
        }
        #expect(found == "deletedAttempt")
        let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.url.path)
        #expect(!left.contains { $0.hasSuffix("run.json") }, "\(left)")
        try expectWhole()
    }

    /// A shard of another configuration, under another name.
    private func makeOther() throws -> (from: String, to: String) {
        let other = try fixture.extraction(manifest, ExtractionFixture.configuration(bins: 13), output: "other.h5")
        _ = try other.run(shard(1))
        return (fixture.folder.path("other.h5.shards"), fixture.folder.path("features.h5.shards"))
    }

    @Test func `a shard of another run does not count, and nothing that anybody has computed is gone`() throws {
        let (from, to) = try makeOther()
        let found = thrownCase {
            try attempt {
                try FileManager.default.moveItem(atPath: from + "/00001-of-00002", toPath: to + "/00001-of-00002")
            }
        }
        #expect(found == "otherRun" && shards().count == 2 && shards().first == "00001-of-00002")
        #expect(try !fixture.extraction(manifest, fresh: true).run(shard(1)).wasDone)
        #expect(shards() == ["00001-of-00002"])
        try expectWhole()
    }

    @Test func `a run leaves the shards of another alone that came meanwhile`() throws {
        let (from, to) = try makeOther()
        let files = try FileManager.default.subpathsOfDirectory(atPath: from).sorted()
        func contents(_ folder: String) -> [Data?] {
            files.map { try? Data(contentsOf: URL(filePath: folder + "/" + $0)) }
        }
        let bytes = contents(from)
        try fixture.run(fixture.extraction(manifest, jobs: 1), after: 5) {
            #expect(throws: Never.self) { try FileManager.default.moveItem(atPath: from, toPath: to) }
        }
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: to).sorted() == files && files.count > 3)
        #expect(contents(to) == bytes)
    }

    @Test func `several attempts at once make one shard`() throws {
        let (extraction, shard) = (try fixture.extraction(manifest, jobs: 1), try shard(1))
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            #expect(throws: Never.self) { try extraction.run(shard) }
        }
        #expect(shards() == ["00001-of-00002"])
        try expectWhole()
    }
}
