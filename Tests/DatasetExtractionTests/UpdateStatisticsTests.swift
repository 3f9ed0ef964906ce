import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// The statistics of a file that grows or follows its manifest: whose they are, and the order in which they are summed up.
///
/// Where those of each clip can be found again, all are summed up in the manifest's order, and the bytes are those of a fresh run:
/// that is tested by `AppendTests`, `SyncTests` and `KeptRowsTests`.
struct UpdateStatisticsTests {
    private let fixture: ExtractionFixture
    private static let header = "id,path,split\n"
    private static let older = (0..<5).map { "c\($0),\($0).wav,train\n" }
    private static let new = (5..<9).map { "n\($0),\($0).wav,train\n" }
    /// New clips before, between and after the older ones.
    private static let grown =
        header + [new[0], older[0], older[1], new[1], new[2], older[2], older[3], older[4], new[3]].joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<9 {
            try fixture.record(
                "\(number).wav", samples: 3000 + 711 * number, seed: number, gain: 0.05 + 0.1 * Float(number))
        }
    }

    /// Stores whose rows do not tell the statistics of a clip.
    enum Form: CaseIterable {
        case rounded, patches

        func configuration() throws -> FeatureConfiguration {
            switch self {
            case .rounded: try ExtractionFixture.configuration(store: StoreConfiguration(element: .float16))
            case .patches: try ExtractionFixture.configuration(patches: PatchesConfiguration(length: 4, hop: 2))
            }
        }
    }

    @Test(arguments: Form.allCases)
    func `where rows do not tell them, the older file's statistics come first, then those of new clips in order`(
        form: Form
    ) throws {
        let configuration = try form.configuration()
        let base = try fixture.extract(Self.header + Self.older.joined(), configuration).statistics
        func sum(_ first: BinStatistics, _ rows: [String]) throws -> BinStatistics {
            var sum = first
            for (number, row) in rows.enumerated() {
                sum.merge(
                    try fixture.extract(Self.header + row, configuration, output: "one-\(number).h5").statistics)
                try FileManager.default.removeItem(atPath: fixture.folder.path("one-\(number).h5"))
            }
            return sum
        }
        let expected = try sum(base, Self.new)
        // Sums of another order differ in last digits, so that the order shows.
        let swapped = try sum(base, Self.new.reversed())
        var newFirst = try sum(BinStatistics(bins: base.bins), Self.new)
        newFirst.merge(base)
        try #require(swapped.mean != expected.mean && newFirst.mean != expected.mean)

        let summary = try fixture.extraction(Self.grown, configuration, append: true).run()
        #expect(summary.keptClips == 5 && summary.clips == 9)
        let found = try FeatureReader(path: summary.output).statistics
        #expect(found.mean == expected.mean && found.count == expected.count)
        #expect(found.minimum == expected.minimum && found.maximum == expected.maximum)
        for (own, wanted) in zip(found.standardDeviation, expected.standardDeviation) {
            #expect(abs(own - wanted) <= 1e-12 * wanted)
        }
    }

    @Test(arguments: [Update.append, .sync])
    func `a file that is normalised keeps its statistics, and new clips are normalised by them`(update: Update) throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        let older = try fixture.extract(Self.header + Self.older.joined(), configuration)
        let (statistics, checksum) = (older.statistics, older.metadataChecksum)
        // What --stats-from makes of the same clips.
        _ = try fixture.extraction(
            Self.grown, configuration, output: "given.h5",
            statistics: ImportedStatistics(path: fixture.folder.path("features.h5"))
        ).run()
        let given = try FeatureReader(path: fixture.folder.path("given.h5"))

        let summary = try fixture.extraction(Self.grown, configuration).with { $0.update = update }.run()
        #expect(summary.keptClips == 5)
        let found = try FeatureReader(path: summary.output)
        #expect(found.statistics == statistics && found.fit == older.fit)
        #expect(found.statisticsSource == checksum)
        #expect(try found.allClips() == given.allClips())
        #expect(try found.rows(0..<found.rows).values == given.rows(0..<given.rows).values)
    }

    @Test func `statistics that are renewed are those of a fresh run`() throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        _ = try fixture.extraction(Self.header + Self.older.joined(), configuration).run()
        let summary = try fixture.extraction(Self.grown, configuration, sync: true, renewsStatistics: true).run()
        #expect(summary.keptClips == 0 && summary.changes?.replacesStatistics == true)
        _ = try fixture.extraction(Self.grown, configuration, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
