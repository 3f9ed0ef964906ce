import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// Which rows of a clip count where several are there: those that were computed last.
struct AdmissionTests {
    private let fixture: ExtractionFixture
    private static let clips = 12
    private static let manifest = "id,path\n" + (0..<clips).map { "\($0),\($0 % 4).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 5000 + 300 * number, seed: number) }
    }

    /// Replaces a recording, and returns the bytes that a fresh run makes then.
    private func replaceRecording() throws -> Data {
        try fixture.record("1.wav", samples: 7000, seed: 9)
        _ = try fixture.extraction(Self.manifest, output: "whole.h5").run()
        return try fixture.bytes("whole.h5")
    }

    private func removeRecording() throws {
        try FileManager.default.removeItem(atPath: fixture.folder.path("1.wav"))
    }

    @Test(arguments: [false, true])
    func `rows that an interrupted sync computed anew count before those of the older file`(isGone: Bool) throws {
        _ = try fixture.extraction(Self.manifest).run()
        let expected = try replaceRecording()
        try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest, sync: true))
        // Without the recording, nothing would show that the older file's rows are out of date.
        if isGone { try removeRecording() }
        let summary = try fixture.extraction(Self.manifest, keepMissing: isGone, sync: true).run()
        #expect(summary.resumedClips == 3 && summary.keptClips == 9 && summary.clips == Self.clips)
        #expect(summary.warnings.isEmpty)
        #expect(try fixture.bytes("features.h5") == expected)
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `where a recording is again what it was, the older file's rows count`() throws {
        _ = try fixture.extraction(Self.manifest).run()
        let before = try fixture.bytes("features.h5")
        _ = try replaceRecording()
        try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest, sync: true))
        try fixture.record("1.wav", samples: 5300, seed: 1)
        let summary = try fixture.extraction(Self.manifest, sync: true).run()
        #expect(summary.keptClips == Self.clips && summary.resumedClips == 0)
        #expect(try fixture.bytes("features.h5") == before)
    }

    @Test(arguments: [false, true])
    func `rows that an interrupted run computed anew count before those of shards`(isGone: Bool) throws {
        try fixture.computeShards(3, of: fixture.extraction(Self.manifest))
        let expected = try replaceRecording()
        try fixture.stopBeforeAssembly(fixture.extraction(Self.manifest))
        if isGone { try removeRecording() }
        let summary = try fixture.extraction(Self.manifest, keepMissing: isGone).run()
        #expect(summary.resumedClips == Self.clips)
        #expect(try fixture.bytes("features.h5") == expected)
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `an append keeps the older file's rows and adds those of an interrupted append`() throws {
        let older = "id,path\n" + (0..<8).map { "\($0),\($0 % 4 == 3 ? "late" : "\($0 % 4)").wav\n" }.joined()
        let grown = older + (8..<12).map { "\($0),\($0 % 4).wav\n" }.joined()
        let made = try fixture.extraction(older).run()
        try #require(made.clips == 6 && made.failures == 2)
        try fixture.record("late.wav", samples: 6000, seed: 8)
        try fixture.stopBeforeAssembly(fixture.extraction(grown, append: true))
        let summary = try fixture.extraction(grown, append: true).run()
        #expect(summary.keptClips == 6 && summary.resumedClips == 6 && summary.clips == Self.clips)
        _ = try fixture.extraction(grown, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
