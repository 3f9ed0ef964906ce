import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// `--append` keeps clips only while their recordings are what they were: the rule that a run without it goes by.
struct StaleRecordingTests {
    private let fixture: ExtractionFixture
    private let small = "id,path,label,split\n" + (0..<12).map { "c\($0),\($0 % 6).wav,a,train\n" }.joined()
    private let grown: String

    init() throws {
        fixture = try ExtractionFixture()
        grown = small + (0..<400).map { "n\($0),\($0 % 6).wav,a,train\n" }.joined()
        for number in 0..<6 { try record(number) }
    }

    /// Writes a recording, always with the same size and time of change: what is found out is found in its samples.
    private func record(_ number: Int, replaced: Bool = false) throws {
        let name = "\(number).wav"
        try fixture.record(name, samples: 4000 + 700 * number, seed: number + (replaced ? 100 : 0))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: fixture.folder.path(name))
    }

    /// What a run that refuses says, which is what a dry run says, too.
    private func refusal(_ extraction: Extraction) throws -> ExtractionError? {
        let error = #expect(throws: ExtractionError.self) { try extraction.run() }
        #expect(try extraction.dryRun().obstacle == error?.description)
        return error
    }

    @Test(arguments: [NormalizeConfiguration.Scope.none, .clip, .dataset])
    func `a recording that was replaced is named with new clips and without`(scope: NormalizeConfiguration.Scope) throws
    {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: scope))
        _ = try fixture.extraction(small, configuration).run()
        let older = try fixture.bytes("features.h5")
        try record(2, replaced: true)
        let path = fixture.folder.path("features.h5")
        for manifest in [small, grown] {
            let error = try refusal(fixture.extraction(manifest, configuration, append: true))
            #expect(error == .staleClips(path: path, count: 2, recordings: ["2.wav"]))
            #expect(try fixture.bytes("features.h5") == older)
            #expect(try fixture.leftovers() == ["features.h5"])
        }
        // The same rule without it.
        let plain = #expect(throws: ExtractionError.self) { try fixture.extraction(small, configuration).run() }
        #expect(plain?.outputDifference == .changedRecording(path: "2.wav", follows: true))

        // The two ways out.
        try record(2)
        #expect(try fixture.extraction(small, configuration, append: true).run().wasUpToDate)
        try record(2, replaced: true)
        _ = try fixture.extraction(small, configuration, overwrite: true).run()
        let summary = try fixture.extraction(grown, configuration, append: true).run()
        #expect(summary.keptClips == 12 && summary.clips == 412)
    }

    @Test func `of many replaced recordings the first are named, whatever the number of threads`() throws {
        let many = "path\n" + (0..<9).map { "long-\($0).wav\n" }.joined()
        for number in 0..<9 { try fixture.record("long-\(number).wav", samples: 3000, seed: number) }
        _ = try fixture.extraction(many).run()
        for number in 0..<9 where number != 1 { try fixture.record("long-\(number).wav", samples: 3000, seed: 50) }
        for jobs in [1, 4] {
            let error = try refusal(fixture.extraction(many, jobs: jobs, append: true))
            #expect(
                error
                    == .staleClips(
                        path: fixture.folder.path("features.h5"), count: 8,
                        recordings: [0, 2, 3, 4, 5].map { "long-\($0).wav" } + ["…"]))
        }
    }

    @Test func `an interrupted append notices what was replaced meanwhile, and keeps its clips`() throws {
        _ = try fixture.extraction(small).run()
        let older = try fixture.bytes("features.h5")
        _ = try fixture.extraction(grown, append: true).run()
        let expected = try fixture.bytes("features.h5")
        try older.write(to: URL(filePath: fixture.folder.path("features.h5")))

        let done = try fixture.interrupt(fixture.extraction(grown, jobs: 1, append: true), after: 60)
        try #require(done < 400, "the run ended before it was stopped")
        try record(5, replaced: true)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(grown, append: true).run() }
        guard case .staleClips(_, 2, ["5.wav"]) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.bytes("features.h5") == older)
        #expect(try fixture.leftovers() == ["features.h5", "features.h5.spool"])
        try record(5)
        let summary = try fixture.extraction(grown, append: true).run()
        #expect(summary.resumedClips > 0)
        #expect(try fixture.bytes("features.h5") == expected)
    }

    @Test func `the same samples at another rate are another recording, with --append and without`() throws {
        let samples = try fixture.record("rate.wav", samples: 8000, seed: 7)
        _ = try fixture.extraction("path\nrate.wav\n").run()
        try fixture.folder.writeWave(samples, sampleRate: 16_000, encoding: .pcm16, to: "rate.wav")
        #expect(
            try refusal(fixture.extraction("path\nrate.wav\n", append: true))
                == .staleClips(path: fixture.folder.path("features.h5"), count: 1, recordings: ["rate.wav"]))
        let plain = #expect(throws: ExtractionError.self) { try fixture.extraction("path\nrate.wav\n").run() }
        #expect(plain?.outputDifference == .changedRecording(path: "rate.wav", follows: true))
    }

    @Test func `a segment is compared by its own samples`() throws {
        let part = "id,path,start,end\na,0.wav,0,0.25\n"
        _ = try fixture.extraction(part).run()
        // The recording has grown behind the segment.
        var samples = try fixture.record("0.wav", samples: 4000, seed: 0)
        samples[0] += [Float](repeating: 0.25, count: 2000)
        try fixture.folder.writeWave(samples, sampleRate: 8000, encoding: .pcm16, to: "0.wav")
        let more = part + "b,0.wav,0.3,0.6\n"
        #expect(try fixture.extraction(part, append: true).run().wasUpToDate)
        samples[0][1000] = 0.9
        try fixture.folder.writeWave(samples, sampleRate: 8000, encoding: .pcm16, to: "0.wav")
        guard case .staleClips(_, 1, ["0.wav"]) = try refusal(fixture.extraction(more, append: true)) else {
            Issue.record("expected the clip to be stale")
            return
        }
    }

    @Test func `clips whose recordings are gone are kept, and that is said`() throws {
        _ = try fixture.extraction(small).run()
        for number in [3, 4] { try FileManager.default.removeItem(atPath: fixture.folder.path("\(number).wav")) }
        let extraction = try fixture.extraction(small + "new,1.wav,a,train\n", append: true)
        let (plan, obstacle) = try extraction.dryRun()
        #expect(plan.missing.count == 4 && plan.missing.first == "3.wav" && obstacle == nil)
        let summary = try extraction.run()
        #expect(summary.keptClips == 12 && summary.clips == 13)
        #expect(summary.warnings == [plan.missing.warningOfMissing])
        let again = try fixture.extraction(small + "new,1.wav,a,train\n", append: true).run()
        #expect(again.wasUpToDate && again.warnings == summary.warnings)
        // What is there is compared all the same.
        try record(5, replaced: true)
        guard case .staleClips(_, 2, ["5.wav"]) = try refusal(extraction) else {
            Issue.record("expected the clips of 5.wav to be stale")
            return
        }
    }
}
