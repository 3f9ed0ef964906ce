import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Recordings that are missing although their clips have rows already.
struct MissingRecordingTests {
    private let fixture: ExtractionFixture
    private static let older = "id,path\n" + (0..<12).map { "\($0),\($0 % 3).wav\n" }.joined()
    private static let grown = older + "new,3.wav\n"

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 5000 + 400 * number, seed: number) }
    }

    /// Where the rows are.
    enum Store: CaseIterable, Sendable {
        case spool, shards, attempt, shardsOfSet
        case append, sync, retryFailed
        case output, set

        /// The error of a run without `keepMissing`.
        var refusal: String? {
            switch self {
            case .spool, .shards, .attempt: "missingRecordings"
            case .shardsOfSet: "staleShards"
            case .append, .sync, .retryFailed: nil
            case .output, .set: "outputExists"
            }
        }
        /// The error of a run with `keepMissing`.
        var refusalWhereKept: String? { self == .output || self == .set ? refusal : nil }
    }

    /// Puts rows there, removes a recording, and returns the run that continues, which returns its warnings.
    private func prepare(_ store: Store) throws -> (_ keepMissing: Bool) throws -> [String] {
        let plain = try fixture.extraction(Self.older)
        switch store {
        case .spool: try fixture.stopBeforeAssembly(plain)
        case .shards: try fixture.computeShards(2, of: plain)
        case .attempt:
            try fixture.computeShards(1, of: plain)
            // An attempt has a name of its own until it is complete.
            let folder = fixture.folder.path("features.h5.shards/00001-of-00001")
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".attempt")
        case .shardsOfSet: try fixture.computeShards(2, of: plain.with { $0.files = 1 })
        case .append, .sync, .retryFailed, .output: _ = try plain.run()
        case .set: _ = try plain.with { $0.files = 1 }.run()
        }
        try FileManager.default.removeItem(atPath: fixture.folder.path("1.wav"))
        return { [fixture] keepMissing in
            let old = try fixture.extraction(Self.older, keepMissing: keepMissing)
            switch store {
            case .spool, .shards, .output: return try old.run().warnings
            case .set: return try old.with { $0.files = 1 }.run().warnings
            case .attempt:
                _ = try old.run(try #require(Shard(number: 1, count: 1)))
                return try old.run().warnings
            case .shardsOfSet:
                _ = try old.with { $0.files = 1 }.run(try #require(SetMember(number: 1, count: 1)))
                return []
            case .append, .sync:
                return try fixture.extraction(
                    Self.grown, keepMissing: keepMissing, append: store == .append, sync: store == .sync
                ).run().warnings
            case .retryFailed: return try old.with { $0.update = .retryFailed }.run().warnings
            }
        }
    }

    @Test(arguments: Store.allCases)
    func
        `are an error for the rows of an interrupted run, and a warning for those of a file that is brought up to date`(
            store: Store
        ) throws
    {
        let run = try prepare(store)
        let before = try fixture.outputs()
        let path = store == .set || store == .shardsOfSet ? "features-00001-of-00001.h5" : "features.h5"
        func stored() throws -> Int {
            try FeatureReader(path: fixture.folder.path(path)).allClips().count { $0.path == "1.wav" }
        }
        if let refusal = store.refusal {
            #expect(thrownCase { try run(false) } == refusal)
            #expect(try fixture.outputs().keys.sorted() == before.keys.sorted())
            if let refusal = store.refusalWhereKept {
                #expect(thrownCase { try run(true) } == refusal)
                #expect(try fixture.outputs() == before)
                return
            }
            #expect(try run(true).isEmpty)
        } else {
            for keepMissing in [false, true] {
                let warnings = try run(keepMissing)
                #expect(warnings.count == 1 && warnings.first?.contains("1.wav") == true)
            }
        }
        #expect(try stored() == 4)
    }

    @Test(arguments: [Update.append, .sync])
    func `are an error for the rows of an interrupted update`(update: Update) throws {
        _ = try fixture.extraction(Self.older).run()
        let extraction = try fixture.extraction(Self.grown).with { $0.update = update }
        try fixture.stopBeforeAssembly(extraction)
        try FileManager.default.removeItem(atPath: fixture.folder.path("3.wav"))
        #expect(thrownCase { try extraction.run() } == "missingRecordings")
        let summary = try extraction.with { $0.keepMissing = true }.run()
        #expect(summary.resumedClips == 1 && summary.keptClips == 12 && summary.failures == 0)
    }

    @Test(arguments: [false, true], [false, true])
    func `recordings that vanish during a run in which a clip fails are an error after the work`(
        isShard: Bool, keepsMissing: Bool
    ) throws {
        try fixture.record("long.wav", samples: 3_000_000, seed: 8)
        // The first clip is done while the long one is read.
        let extraction = try fixture.extraction(
            "path\n0.wav\ngone.wav\nlong.wav\n", jobs: 1, keepMissing: keepsMissing)
        let shard = isShard ? Shard(number: 1, count: 1) : nil
        let recording = fixture.folder.path("0.wav")
        let found = thrownCase {
            try fixture.run(extraction, shard, after: 1) { try? FileManager.default.removeItem(atPath: recording) }
        }
        #expect(!FileManager.default.fileExists(atPath: recording))
        #expect(found == (keepsMissing ? nil : "missingRecordings"))
        guard !keepsMissing else { return }
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path("features.h5")))
        #expect(try extraction.with { $0.keepMissing = true }.run().clips == 2)
    }
}
