import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Which clips that failed are tried again by a later run.
struct FailedClipsAgainTests {
    private let fixture: ExtractionFixture
    private static let manifest = "id,path\na,0.wav\nnan,nan.wav\nb,1.wav\ngone,gone.wav\ntext,text.wav\n"
    private static let grown = manifest + "new,0.wav\n"

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<2 { try fixture.record("\(number).wav", samples: 5000, seed: number) }
        try recordNaN(.nan)
        try recordText(isRecording: false)
    }

    /// A recording with one sample to choose, always of the same size and time.
    private func recordNaN(_ sample: Float) throws {
        var noise = RandomSource(seed: 7)
        var samples = noise.samples(4000)
        samples[1000] = sample
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "nan.wav")
        try setTime(of: "nan.wav")
    }

    /// A recording, or a text in its place, always of the same size and time.
    private func recordText(isRecording: Bool) throws {
        try fixture.record("text.wav", samples: 4200, seed: 9)
        let count = try fixture.bytes("text.wav").count
        if !isRecording { try RawFile.write(Data(repeating: 0x61, count: count), to: fixture.folder.path("text.wav")) }
        try setTime(of: "text.wav")
    }

    private func setTime(of name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: fixture.folder.path(name))
    }

    enum Store: CaseIterable, Sendable {
        case spool, shards, attempt, append, appendNothing, sync, syncNothing, retryFailed, syncRetryingFailed

        /// Clips that still fail once all recordings can be read, with unchanged size and time of two of them.
        var stillFails: [String] { self == .spool || self == .shards ? ["nan"] : [] }
    }

    private func leave(_ store: Store) throws {
        let extraction = try fixture.extraction(Self.manifest)
        switch store {
        case .spool: try fixture.stopBeforeAssembly(extraction)
        case .shards, .attempt:
            try fixture.computeShards(1, of: extraction)
            guard store == .attempt else { return }
            let folder = fixture.folder.path("features.h5.shards/00001-of-00001")
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".attempt")
        default: #expect(try extraction.run().failures == 3)
        }
    }

    private func run(_ store: Store) throws -> ExtractionSummary {
        switch store {
        case .spool, .shards, .attempt:
            let extraction = try fixture.extraction(Self.manifest)
            if store == .attempt { _ = try extraction.run(try #require(Shard(number: 1, count: 1))) }
            return try extraction.run()
        case .append: return try fixture.extraction(Self.grown, append: true).run()
        case .appendNothing: return try fixture.extraction(Self.manifest, append: true).run()
        case .sync: return try fixture.extraction(Self.grown, sync: true).run()
        case .syncNothing: return try fixture.extraction(Self.manifest, sync: true).run()
        case .retryFailed: return try fixture.extraction(Self.manifest, retriesFailed: true).run()
        case .syncRetryingFailed: return try fixture.extraction(Self.grown, sync: true, retriesFailed: true).run()
        }
    }

    @Test(arguments: Store.allCases)
    func `a resumed run tries those again that could not be opened, and the others try all`(store: Store) throws {
        try leave(store)
        try fixture.record("gone.wav", samples: 4500, seed: 8)
        try recordNaN(0.5)
        try recordText(isRecording: true)
        let summary = try run(store)
        let file = try FeatureReader(path: summary.output)
        #expect(try file.allFailures().map(\.id) == store.stillFails)
        if let changes = summary.changes { #expect(changes.count(.retried) == 3 && changes.count(.failing) == 0) }
        #expect(try file.verify().isEmpty)
    }

    @Test(arguments: [NormalizeConfiguration.Scope.none, .dataset, .clip])
    func `where nothing has changed, sync compares samples, append and retry-failed compute again, and no byte changes`(
        scope: NormalizeConfiguration.Scope
    ) throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: scope))
        func extraction(append: Bool = false, sync: Bool = false, retriesFailed: Bool = false) throws -> Extraction {
            try fixture.extraction(
                Self.manifest, configuration, append: append, sync: sync, retriesFailed: retriesFailed)
        }
        let made = try extraction().run()
        let before = try fixture.bytes("features.h5")
        let sync = try extraction(sync: true).run()
        #expect(sync.wasUpToDate && sync.changes?.count(.failing) == 3 && sync.changes?.count(.retried) == 0)
        let append = try extraction(append: true).run()
        #expect(append.keptClips == 2 && append.failures == 3)
        for sync in [false, true] {
            let retried = try extraction(sync: sync, retriesFailed: true).run()
            #expect(retried.changes?.count(.retried) == 3 && retried.changes?.count(.failing) == 0)
            #expect(retried.failures == 3 && retried.firstFailures == made.firstFailures)
        }
        #expect(try fixture.bytes("features.h5") == before)
        // The first command is still that of the file.
        #expect(try extraction().run().wasUpToDate)
    }

    @Test func `a file with a clip that has failed no longer is still normalised by the statistics from before`() throws
    {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        _ = try fixture.extraction(Self.manifest, configuration).run()
        try fixture.record("gone.wav", samples: 4500, seed: 8)
        _ = try fixture.extraction(Self.manifest, configuration, retriesFailed: true).run()
        #expect(try FeatureReader(path: fixture.folder.path("features.h5")).statisticsSource != "")
    }

    @Test(arguments: [false, true])
    func `with a comparison of samples, a resumed run finds that a clip fails no longer`(verifyInputs: Bool) throws {
        try leave(.spool)
        try recordNaN(0.5)
        let summary = try fixture.extraction(Self.manifest, verifyInputs: verifyInputs).run()
        #expect(summary.failures == (verifyInputs ? 2 : 3))
    }
}
