import ClipSpool
import Concurrency
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetExtraction

/// `veery extract --dry-run`: what it says is what a run then does, and looking changes nothing.
struct RunPlanTests {
    private let fixture: ExtractionFixture
    private let clips = 60
    private let manifest: String

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 20_000 + 1000 * number, seed: number) }
        // Every seventh clip fails.
        manifest =
            "id,path\n"
            + (0..<clips).map { "\($0),\($0 % 7 == 6 ? "gone-\($0)" : "\($0 % 5)").wav\n" }.joined()
    }

    /// The plan of a run that would start; makes sure that planning changes nothing.
    private func look(_ extraction: Extraction) throws -> RunPlan {
        let before = try fixture.state()
        let (plan, obstacle) = try extraction.dryRun()
        #expect(obstacle == nil)
        #expect(try fixture.state() == before)
        return plan
    }

    /// Looks where a run would not begin, and makes sure that it would say the same.
    private func refusal(_ extraction: Extraction) throws -> any Error {
        let before = try fixture.state()
        let obstacle = try #require(try extraction.dryRun().obstacle)
        #expect(try fixture.state() == before)
        let error = try #require(#expect(throws: (any Error).self) { try extraction.run() })
        #expect("\(error)" == obstacle)
        return error
    }

    private func interrupt(_ configuration: FeatureConfiguration? = nil, scratch: String? = nil) throws -> Int {
        let done = try fixture.interrupt(
            fixture.extraction(manifest, configuration, jobs: 1, scratch: scratch), after: 20)
        try #require((17..<clips * 6 / 7).contains(done), "the run ended before it was stopped")
        return done
    }

    @Test func `where nothing is, all clips are left`() throws {
        let plan = try look(fixture.extraction(manifest))
        #expect(plan.output == .absent && plan.clipsLeft == clips)
        #expect(plan.resumed == nil && plan.keptClips == 0)
    }

    @Test(arguments: [false, true]) func `an interrupted run's clips are counted as the next run counts them`(
        isScratch: Bool
    ) throws {
        let scratch = isScratch ? fixture.folder.path("scratch") : nil
        if let scratch { try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true) }
        let done = try interrupt(scratch: scratch)
        let extraction = try fixture.extraction(manifest, scratch: scratch)
        let plan = try look(extraction)
        #expect(plan.resumed?.done == done && plan.resumed?.changedCount == 0)
        #expect(plan.clipsLeft == clips - done)
        // A record that is cut off counts no more.
        let spool = try #require(plan.resumed).folder
        let path = spool + "/clips-0.spool"
        try RawFile.write(Data(contentsOf: URL(filePath: path)).dropLast(1), to: path)
        let cut = try #require(try look(extraction).resumed).done
        // Unless it is that of a clip that could not be opened, and is tried again anyway.
        #expect([done - 1, done].contains(cut))

        let fresh = try look(fixture.extraction(manifest, scratch: scratch, fresh: true))
        #expect(try fresh.resumed == nil && fresh.discardedClips >= cut)
        #expect(fresh.clipsLeft == clips)

        try fixture.record("3.wav", samples: 12_000, seed: 70)
        let changed = try look(extraction)
        let (kept, again) = try #require(changed.resumed.map { ($0.done, $0.changedCount) })
        #expect(again > 0 && kept == cut - again && changed.clipsLeft == clips - kept)
        #expect(try extraction.run().resumedClips == kept)
    }

    @Test func `a plan gives the error that would keep the run from starting`() throws {
        _ = try interrupt()
        let wider = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 13, high: 4000)), scale: ScaleConfiguration(),
            normalize: NormalizeConfiguration(scope: .none))
        let spool = fixture.folder.path("features.h5.spool")
        #expect(
            try refusal(fixture.extraction(manifest, wider)) as? ExtractionError
                == .otherRun(folder: spool, differences: [.setting("transform.bins", before: "12", now: "13")]))
        #expect(
            try refusal(fixture.extraction(manifest + "x,1.wav\n")) as? ExtractionError
                == .otherRun(folder: spool, differences: [.manifest(before: clips, now: clips + 1)]))
        let scratch = fixture.folder.path("scratch")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        #expect(
            try refusal(fixture.extraction(manifest, scratch: scratch)) as? ExtractionError
                == .clipsElsewhere(kept: spool, isBesideOutput: true, exists: true))
        #expect(try look(fixture.extraction(manifest, scratch: scratch, fresh: true)).discarded != nil)

        try FileManager.default.moveItem(atPath: fixture.folder.path("2.wav"), toPath: fixture.folder.path("aside.wav"))
        guard
            case ExtractionError.missingRecordings(spool, let count, "2.wav") = try refusal(
                fixture.extraction(manifest))
        else {
            Issue.record("another error")
            return
        }
        #expect(count > 0)
        try FileManager.default.moveItem(atPath: fixture.folder.path("aside.wav"), toPath: fixture.folder.path("2.wav"))

        try RawFile.write(Data("?".utf8), to: fixture.folder.path("features.h5.spool/run.json"))
        #expect((try refusal(fixture.extraction(manifest)) as? ExtractionError)?.differences == [.unreadable])

        let held = try Spool(folder: spool)
        #expect(
            try refusal(fixture.extraction(manifest)) as? StorageError == .busy(path: spool, owner: Int(getpid())))
        held.unlock()
    }

    @Test func `clips of a scratch folder that is gone are missed`() throws {
        let scratch = fixture.folder.path("scratch")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        _ = try interrupt(scratch: scratch)
        func isElsewhere(_ extraction: Extraction, exists: Bool) throws -> Bool {
            guard case ExtractionError.clipsElsewhere(_, false, exists) = try refusal(extraction) else { return false }
            return true
        }
        #expect(try isElsewhere(fixture.extraction(manifest), exists: true))
        try FileManager.default.removeItem(atPath: scratch)
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        #expect(try isElsewhere(fixture.extraction(manifest, scratch: scratch), exists: false))
    }

    @Test func `an append keeps and extracts so many clips, also after an interruption`() throws {
        let first = manifest.split(separator: "\n").prefix(31).joined(separator: "\n") + "\n"
        let made = try fixture.extraction(first).run()
        #expect(made.failures == 4 && made.clips == 26)
        let extraction = try fixture.extraction(manifest, jobs: 1, append: true)
        let plan = try look(extraction)
        #expect(plan.output == .grows)
        #expect(plan.keptClips == 26 && (plan.base?.rows ?? 0) == made.rows && plan.clipsLeft == 34)
        #expect((0..<clips).filter(plan.keeps) == (0..<30).filter { $0 % 7 != 6 })
        let survey = try ClipSurvey.take(
            extraction.source, root: fixture.folder.url.path, audio: extraction.plan.configuration.audio,
            plan: extraction.plan, workers: WorkerRange(usual: 2), isLeftOut: { plan.keeps($0) })

        let done = try fixture.interrupt(extraction, after: 10)
        try #require(done < 34, "the run ended before it was stopped")
        let resumed = try look(extraction)
        #expect(resumed.keptClips == 26 && resumed.resumed?.done == done && resumed.clipsLeft == 34 - done)
        // The clips are those of an append, and of no other run.
        #expect(
            (try refusal(fixture.extraction(manifest, overwrite: true)) as? ExtractionError)?.differences
                == [.base(before: true, now: false)])
        let summary = try extraction.run()
        #expect(summary.keptClips == 26 && summary.resumedClips == done)
        #expect(summary.clips == 26 + survey.clips && summary.rows == (plan.base?.rows ?? 0) + survey.rows)
        #expect(abs((summary.audioSeconds ?? 0) - (plan.base?.seconds ?? 0) - survey.seconds) < 1e-9)

        // What had failed is tried again.
        #expect(try look(extraction).clipsLeft == 8)
        let missing = try refusal(fixture.extraction("id,path\n1,1.wav\n", append: true)) as? ExtractionError
        #expect(missing?.obstacle?.missingClips?.examples.first?.clip.id == "0")
        let whole = "id,path\na,1.wav\nb,2.wav\n"
        _ = try fixture.extraction(whole, overwrite: true).run()
        let same = try look(fixture.extraction(whole, append: true))
        #expect(same.output == .upToDate && same.clipsLeft == 0)
        #expect(try fixture.extraction(whole, append: true).run().wasUpToDate)
    }

    @Test func `an existing output is replaced, left alone or an obstacle`() throws {
        _ = try fixture.extraction(manifest).run()
        #expect(try look(fixture.extraction(manifest)).output == .comparable)
        #expect(try fixture.extraction(manifest).run().wasUpToDate)
        let other = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip))
        #expect(
            (try refusal(fixture.extraction(manifest, other)) as? ExtractionError)?.outputDifference
                == .made([.setting("normalize.scope", before: "none", now: "clip")], follows: true))
        #expect(try look(fixture.extraction(manifest, other, overwrite: true)).output == .replaced)
        try RawFile.write(Data("my notes".utf8), to: fixture.folder.path("features.h5"))
        #expect(
            try refusal(fixture.extraction(manifest, overwrite: true)) as? ExtractionError
                == .notReplaceable(path: fixture.folder.path("features.h5")))
    }
}
