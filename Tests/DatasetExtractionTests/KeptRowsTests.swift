import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Rows that `--append` and `--sync` copy from the older file, in forms of the tensor that `AppendTests` and `SyncTests` do not have.
struct KeptRowsTests {
    private let fixture: ExtractionFixture
    private static let header = "id,path,start,end,split\n"
    private static let rows = (0..<16).map { number in
        let times = number % 3 == 2 ? "0.1,0.6" : ","
        return "c\(number),\(number % 5).wav,\(times),train\n"
    }
    private static let older = header + rows.joined()
    private static let new = ["n0,3.wav,0.2,0.5,train\n", "n1,4.wav,,,train\n", "n2,0.wav,0.05,,train\n"]
    /// All older clips in their order, with others before, between and after them.
    private static let grown =
        header + new[0] + rows[..<7].joined() + new[1] + rows[7...].joined() + new[2]
    /// Some older clips in another order, with others between them: neighbours go up, down, and leave gaps.
    private static let changed =
        header + [3, 4, 5, 9, 10].map { rows[$0] }.joined() + new[1]
        + [2, 1, 0, 15, 14, 12].map { rows[$0] }.joined() + new[0]

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 {
            try fixture.record("\(number).wav", samples: 6000 + 500 * number, channels: 2, seed: number)
        }
    }

    enum Form: CaseIterable, Sendable {
        case packed, patches, stackedPatches, overlappingPatches, channels, channelsFixed

        var patches: (length: Int, hop: Int, isStacked: Bool)? {
            switch self {
            case .packed, .channels, .channelsFixed: nil
            case .patches: (6, 6, false)
            case .stackedPatches: (6, 6, true)
            case .overlappingPatches: (6, 3, false)
            }
        }
        var hasChannels: Bool { self == .channels || self == .channelsFixed }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let form: Form, scope: NormalizeConfiguration.Scope
        let element: StoreConfiguration.Element, compression: StoreConfiguration.Compression
        let update: Update

        var testDescription: String { "\(form), \(scope), \(element), \(compression), \(update)" }

        /// Whether the file holds enough to find the statistics of each clip again.
        var tellsStatistics: Bool {
            scope == .clip || scope == .none && element == .float32 && form.patches == nil
        }
        /// Whether all clips are computed again for the statistics.
        var isMadeAnew: Bool { update == .sync && scope != .dataset && !tellsStatistics }

        func configuration() throws -> FeatureConfiguration {
            try ExtractionFixture.configuration(
                channels: form.hasChannels ? .all : .mix, duration: form == .channelsFixed ? 0.7 : nil,
                normalize: NormalizeConfiguration(scope: scope),
                patches: form.patches.map {
                    try PatchesConfiguration(length: $0.length, hop: $0.hop, stacked: $0.isStacked)
                } ?? .standard,
                store: StoreConfiguration(
                    layout: form == .channelsFixed ? .fixed : .packed, element: element, compression: compression))
        }
    }

    private static let cases: [Case] = Form.allCases.flatMap { form in
        [NormalizeConfiguration.Scope.none, .clip, .dataset].flatMap { scope in
            [
                (StoreConfiguration.Element.float32, StoreConfiguration.Compression.none), (.float16, .deflate),
            ].flatMap { element, compression in
                [Update.append, .sync].map {
                    Case(form: form, scope: scope, element: element, compression: compression, update: $0)
                }
            }
        }
    }

    @Test(arguments: cases)
    func `kept rows are those of a fresh run, to the bit`(of test: Case) throws {
        let configuration = try test.configuration()
        let manifest = test.update == .append ? Self.grown : Self.changed
        _ = try fixture.extraction(Self.older, configuration).run()
        // Files that are normalised keep their statistics.
        let given =
            test.scope == .dataset ? try ImportedStatistics(path: fixture.folder.path("features.h5")) : nil
        _ = try fixture.extraction(manifest, configuration, output: "whole.h5", statistics: given).run()

        let summary = try fixture.extraction(manifest, configuration).with { $0.update = test.update }.run()
        #expect(summary.keptClips == (test.isMadeAnew ? 0 : test.update == .append ? 16 : 11))
        #expect(summary.failures == 0)
        if test.scope != .dataset, test.tellsStatistics || test.isMadeAnew {
            #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        }
        let (found, whole) = (
            try FeatureReader(path: fixture.folder.path("features.h5")),
            try FeatureReader(path: fixture.folder.path("whole.h5"))
        )
        #expect(found.shape == whole.shape && found.configuration == whole.configuration)
        #expect(try found.allClips() == whole.allClips())
        // Rows that belong to no clip are not numbers.
        func bits(_ file: FeatureReader) throws -> [UInt32] { try file.rows(0..<file.rows).values.map(\.bitPattern) }
        #expect(try bits(found) == bits(whole))
        #expect(try found.verify().isEmpty)
    }
}
