import DatasetExtraction
import ExtractionSupport
import FeatureModel
import Foundation
import TestSupport
import Testing

/// Which runs write their rows once, at their final offsets, and that the file does not depend on it.
struct RowsWrittenOnceTests {
    private let fixture: ExtractionFixture
    private static let manifest = "id,path\n" + (0..<24).map { "\($0),\($0 % 4).wav\n" }.joined()
    private static let older = "id,path\n" + (0..<12).map { "\($0),\($0 % 4).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 12_000 + 900 * number, seed: number) }
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path("scratch"), withIntermediateDirectories: false)
    }

    enum Run: CaseIterable {
        case plain, appendWithoutFile, syncWithoutFile
        case overShards, append, sync, set, scratch
        case rounded, compressed, fixed, patches, clip, dataset

        var writesOnce: Bool { [.plain, .appendWithoutFile, .syncWithoutFile].contains(self) }
        var needsOlderFile: Bool { self == .append || self == .sync }

        func configuration() throws -> FeatureConfiguration {
            switch self {
            case .rounded: try ExtractionFixture.configuration(store: StoreConfiguration(element: .float16))
            case .compressed: try ExtractionFixture.configuration(store: StoreConfiguration(compression: .deflate))
            case .fixed: try ExtractionFixture.configuration(duration: 1, store: StoreConfiguration(layout: .fixed))
            case .patches: try ExtractionFixture.configuration(patches: PatchesConfiguration(length: 4))
            case .clip: try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip))
            case .dataset: try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
            default: try ExtractionFixture.configuration()
            }
        }
    }

    /// Bytes of the file that rows are written to at their final offsets, wherever it is; nil: there is none.
    private func rowsInPlace() throws -> Int? {
        let root = fixture.folder.url.path
        let path = try FileManager.default.subpathsOfDirectory(atPath: root).first { $0.hasSuffix(".spool/rows") }
        return try path.map { try fixture.bytes($0).count }
    }

    @Test(arguments: Run.allCases)
    func `rows are written once without a resumed run, a base, a set and a scratch folder, and the bytes are the same`(
        run: Run
    ) throws {
        let configuration = try run.configuration()
        if run.needsOlderFile { _ = try fixture.extraction(Self.older, configuration).run() }
        if run == .overShards {
            let first = try #require(Shard(number: 1, count: 2))
            _ = try fixture.extraction(Self.manifest, configuration).run(first)
        }
        let extraction = try fixture.extraction(
            Self.manifest, configuration, scratch: run == .scratch ? fixture.folder.path("scratch") : nil,
            append: run == .append || run == .appendWithoutFile, sync: run == .sync || run == .syncWithoutFile
        ).with { $0.files = run == .set ? 2 : nil }
        try fixture.stopBeforeAssembly(extraction)
        #expect(try (rowsInPlace() != nil) == run.writesOnce)
        _ = try extraction.run()

        let copied = try fixture.extraction(
            Self.manifest, configuration, output: "whole.h5", scratch: fixture.folder.path("scratch")
        ).with { $0.files = run == .set ? 2 : nil }
        _ = try copied.run()
        for ending in run == .set ? ["-00001-of-00002.h5", "-00002-of-00002.h5"] : [".h5"] {
            #expect(try fixture.bytes("features" + ending) == fixture.bytes("whole" + ending))
        }
    }

    @Test func `a resumed run writes no more rows in place`() throws {
        let done = try fixture.interrupt(fixture.extraction(Self.manifest, jobs: 1), after: 6)
        try #require((6..<20).contains(done), "the run ended before it was stopped")
        let before = try #require(try rowsInPlace())
        try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest))
        #expect(try rowsInPlace() == before)
        #expect(try fixture.extraction(Self.manifest).run().resumedClips == 24)
        _ = try fixture.extraction(Self.manifest, output: "whole.h5", scratch: fixture.folder.path("scratch")).run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
