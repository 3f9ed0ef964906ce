import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// An interrupted run whose clips lie in a scratch folder.
struct ScratchFolderTests {
    private let fixture: ExtractionFixture
    private let clips = 60
    private let manifest: String
    private var spool: String { fixture.folder.path("features.h5.spool") }

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 20_000 + 1000 * number, seed: number) }
        // Every seventh clip fails, each time.
        manifest =
            "id,path\n"
            + (0..<clips).map { "\($0),\($0 % 7 == 6 ? "gone-\($0)" : "\($0 % 5)").wav\n" }.joined()
    }

    /// The bytes of a file of the same clips that is made at one go.
    private func whole(_ configuration: FeatureConfiguration? = nil) throws -> Data {
        _ = try fixture.extraction(manifest, configuration, output: "whole.h5", overwrite: true).run()
        return try fixture.bytes("whole.h5")
    }

    /// Leaves an interrupted run with some of its clips done.
    private func interrupt(
        _ configuration: FeatureConfiguration? = nil, after: Int = 20, scratch: String? = nil
    ) throws -> Int {
        let done = try fixture.interrupt(
            fixture.extraction(manifest, configuration, jobs: 1, scratch: scratch), after: after)
        try #require((after * 6 / 7..<clips * 6 / 7).contains(done), "the run ended before it was stopped")
        return done
    }

    @Test func `a run is resumed in its scratch folder, and elsewhere only on request`() throws {
        for name in ["scratch", "other"] {
            try FileManager.default.createDirectory(
                at: fixture.folder.url.appending(path: name), withIntermediateDirectories: false)
        }
        let (scratch, other) = (fixture.folder.path("scratch"), fixture.folder.path("other"))
        let done = try interrupt(scratch: scratch)
        for elsewhere in [nil, other] {
            let error = #expect(throws: ExtractionError.self) {
                try fixture.extraction(manifest, scratch: elsewhere).run()
            }
            guard case .clipsElsewhere(let kept, false, true)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(kept.hasPrefix("\(scratch)/features.h5-"))
        }
        #expect(try fixture.extraction(manifest, scratch: scratch).run().resumedClips == done)
        #expect(try fixture.bytes("features.h5") == whole())
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
        #expect(try fixture.leftovers() == ["features.h5"])

        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        _ = try interrupt()
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, scratch: scratch).run() }
        #expect(
            error
                == .clipsElsewhere(
                    kept: fixture.folder.path("features.h5.spool"), isBesideOutput: true, exists: true))
        #expect(try fixture.extraction(manifest, scratch: scratch, fresh: true).run().resumedClips == 0)
        #expect(try fixture.bytes("features.h5") == whole())
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `a scratch folder that has vanished is named`() throws {
        let scratch = fixture.folder.url.appending(path: "scratch")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
        _ = try interrupt(scratch: scratch.path)
        try FileManager.default.removeItem(at: scratch)
        func isMissed(_ error: ExtractionError?) -> Bool {
            if case .clipsElsewhere(_, false, exists: false)? = error { true } else { false }
        }
        #expect(isMissed(#expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }))
        // As an unmounted disk looks.
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
        let empty = #expect(throws: ExtractionError.self) {
            try fixture.extraction(manifest, scratch: scratch.path).run()
        }
        #expect(isMissed(empty))
        _ = try fixture.extraction(manifest, fresh: true).run()
        #expect(try fixture.bytes("features.h5") == whole())
    }
}
