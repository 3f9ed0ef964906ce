import ClipSpool
import ExtractionSupport
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import DatasetExtraction

/// Whatever a run meets with, the plan says beforehand: every situation goes through the dry run and through the run.
struct RunPlanSituationTests {
    /// What is on the disk, and what is asked for.
    enum Situation: CaseIterable, Sendable {
        case fresh, interrupted, interruptedInScratch, interruptedElsewhere, scratchGone, freshOption, changedRecording
        case missingRecording, keptMissing, otherConfiguration, otherManifest, unreadableIdentity, damagedSpool
        case upToDate, otherOutput, overwritten, damagedOutput, foreignFile, rowsBecameOutput
        case append, appendNothing, appendInterrupted, appendWithoutRecording
        case sync, syncNothing, syncInterrupted, syncBecameOutput, syncWithoutRecording, syncOtherConfiguration
        case syncDamagedOutput, retryFailed, retryFailedOtherManifest
        case liveRecording, held, missingFolder

        /// The row of the table of runs that it belongs to.
        var kind: RunKind {
            switch self {
            case .append, .appendNothing, .appendInterrupted, .appendWithoutRecording: .append
            case .sync, .syncNothing, .syncInterrupted, .syncBecameOutput, .syncWithoutRecording,
                .syncOtherConfiguration,
                .syncDamagedOutput:
                .sync
            case .retryFailed, .retryFailedOtherManifest: .retryFailed
            case .fresh, .interrupted, .interruptedInScratch, .interruptedElsewhere, .scratchGone, .freshOption,
                .changedRecording, .missingRecording, .keptMissing, .otherConfiguration, .otherManifest,
                .unreadableIdentity, .damagedSpool, .upToDate, .otherOutput, .overwritten, .damagedOutput, .foreignFile,
                .rowsBecameOutput, .liveRecording, .held, .missingFolder:
                .file
            }
        }
    }

    private static let clips = 40
    private let fixture: ExtractionFixture
    private let manifest: String

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 16_000 + 900 * number, seed: number) }
        manifest = Self.rows(Self.clips)
    }

    private static func rows(_ count: Int) -> String {
        "id,path\n" + (0..<count).map { "\($0),\($0 % 9 == 8 ? "gone-\($0)" : "\($0 % 4)").wav\n" }.joined()
    }

    private var spool: String { fixture.folder.path("features.h5.spool") }

    private func interrupt(scratch: String? = nil) throws {
        _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 1, scratch: scratch), after: 12)
    }

    private func scratchFolder() throws -> String {
        let path = fixture.folder.path("scratch")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Brings the situation about; returns the extraction that meets it, and what has to be kept alive meanwhile.
    private func prepare(_ situation: Situation) throws -> (Extraction, held: Spool?) {
        let other = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip))
        switch situation {
        case .fresh: break
        case .interrupted: try interrupt()
        case .interruptedInScratch:
            let scratch = try scratchFolder()
            try interrupt(scratch: scratch)
            return (try fixture.extraction(manifest, scratch: scratch), nil)
        case .interruptedElsewhere:
            try interrupt(scratch: try scratchFolder())
        case .scratchGone:
            let scratch = try scratchFolder()
            try interrupt(scratch: scratch)
            try FileManager.default.removeItem(atPath: scratch)
            return (try fixture.extraction(manifest, scratch: try scratchFolder()), nil)
        case .freshOption:
            try interrupt()
            return (try fixture.extraction(manifest, fresh: true), nil)
        case .changedRecording:
            try interrupt()
            try fixture.record("1.wav", samples: 9000, seed: 9)
        case .missingRecording, .keptMissing:
            try interrupt()
            try FileManager.default.removeItem(atPath: fixture.folder.path("1.wav"))
            return (try fixture.extraction(manifest, keepMissing: situation == .keptMissing), nil)
        case .otherConfiguration:
            try interrupt()
            let wider = try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 8000),
                frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
                transform: .mel(MelConfiguration(bins: 13, high: 4000)), scale: ScaleConfiguration(),
                normalize: NormalizeConfiguration(scope: .none))
            return (try fixture.extraction(manifest, wider), nil)
        case .otherManifest:
            try interrupt()
            return (try fixture.extraction(Self.rows(Self.clips + 1)), nil)
        case .unreadableIdentity:
            try interrupt()
            try RawFile.write(Data("?".utf8), to: spool + "/run.json")
        case .damagedSpool:
            try interrupt()
            let path = spool + "/clips-0.spool"
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes[bytes.count / 2] ^= 0x55
            try RawFile.write(bytes, to: path)
        case .upToDate: _ = try fixture.extraction(manifest).run()
        case .otherOutput, .overwritten:
            _ = try fixture.extraction(manifest).run()
            return (try fixture.extraction(manifest, other, overwrite: situation == .overwritten), nil)
        case .damagedOutput:
            _ = try fixture.extraction(manifest).run()
            var bytes = try fixture.bytes("features.h5")
            bytes[5000] ^= 0x55
            try RawFile.write(bytes, to: fixture.folder.path("features.h5"))
        case .foreignFile:
            try RawFile.write(Data("my notes".utf8), to: fixture.folder.path("features.h5"))
            return (try fixture.extraction(manifest, overwrite: true), nil)
        case .rowsBecameOutput:
            try interrupt()
            try FileManager.default.removeItem(atPath: spool + "/rows")
        case .append:
            _ = try fixture.extraction(Self.rows(20)).run()
            return (try fixture.extraction(manifest, append: true), nil)
        case .appendNothing:
            _ = try fixture.extraction(Self.rows(8)).run()
            return (try fixture.extraction(Self.rows(8), append: true), nil)
        case .appendInterrupted:
            _ = try fixture.extraction(Self.rows(20)).run()
            _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 1, append: true), after: 5)
            return (try fixture.extraction(manifest, append: true), nil)
        case .appendWithoutRecording:
            _ = try fixture.extraction(Self.rows(3)).run()
            try FileManager.default.removeItem(atPath: fixture.folder.path("2.wav"))
            return (try fixture.extraction(Self.rows(3) + "x,0.wav\n", append: true), nil)
        case .sync:
            _ = try fixture.extraction(Self.rows(20)).run()
            try fixture.record("1.wav", samples: 9000, seed: 9)
            let clips = (5..<30).reversed().map { "\($0),\($0 % 4).wav\n" }.joined()
            return (try fixture.extraction("id,path\n" + clips, sync: true), nil)
        case .syncNothing:
            _ = try fixture.extraction(manifest).run()
            return (try fixture.extraction(manifest, sync: true), nil)
        case .syncInterrupted:
            _ = try fixture.extraction(Self.rows(10)).run()
            try fixture.record("1.wav", samples: 9000, seed: 9)
            _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 1, sync: true), after: 5)
            return (try fixture.extraction(manifest, sync: true), nil)
        case .syncBecameOutput:
            // Killed after the file got its name, and before the folder was deleted.
            _ = try fixture.extraction(Self.rows(20)).run()
            _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 1, sync: true), after: 5)
            try FileManager.default.moveItem(atPath: spool, toPath: fixture.folder.path("kept"))
            _ = try fixture.extraction(manifest, sync: true).run()
            try FileManager.default.moveItem(atPath: fixture.folder.path("kept"), toPath: spool)
            return (try fixture.extraction(Self.rows(30), sync: true), nil)
        case .syncWithoutRecording:
            _ = try fixture.extraction(Self.rows(3)).run()
            try FileManager.default.removeItem(atPath: fixture.folder.path("2.wav"))
            return (try fixture.extraction(Self.rows(3) + "x,0.wav\n", sync: true), nil)
        case .syncOtherConfiguration:
            _ = try fixture.extraction(manifest).run()
            return (try fixture.extraction(manifest, other, sync: true), nil)
        case .syncDamagedOutput:
            _ = try fixture.extraction(manifest).run()
            var bytes = try fixture.bytes("features.h5")
            bytes[5000] ^= 0x55
            try RawFile.write(bytes, to: fixture.folder.path("features.h5"))
            return (try fixture.extraction(manifest, sync: true), nil)
        case .retryFailed:
            _ = try fixture.extraction(manifest).run()
            try fixture.record("gone-8.wav", samples: 9000, seed: 9)
            return (try fixture.extraction(manifest, retriesFailed: true), nil)
        case .retryFailedOtherManifest:
            _ = try fixture.extraction(manifest).run()
            return (try fixture.extraction(Self.rows(41), retriesFailed: true), nil)
        case .liveRecording:
            try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
            for name in ["lock", "live.json", "clips-0.spool"] { try RawFile.write(Data([1]), to: spool + "/" + name) }
        case .held: return (try fixture.extraction(manifest), try Spool(folder: spool))
        case .missingFolder: return (try fixture.extraction(manifest, output: "nowhere/features.h5"), nil)
        }
        return (try fixture.extraction(manifest), nil)
    }

    @Test(arguments: Situation.allCases)
    func `the run does what the plan says, and planning changes nothing`(situation: Situation) throws {
        let (extraction, held) = try prepare(situation)
        let before = try fixture.state()
        let (plan, obstacle) = try extraction.dryRun()
        #expect(try fixture.state() == before)
        if let obstacle {
            let error = #expect(throws: (any Error).self) { try extraction.run() }
            #expect("\(try #require(error))" == obstacle)
            held?.unlock()
            return
        }
        let refused: [Situation] = [
            .interruptedElsewhere, .scratchGone, .missingRecording, .otherConfiguration, .otherManifest,
            .unreadableIdentity, .otherOutput, .damagedOutput, .foreignFile, .liveRecording, .held,
            .syncOtherConfiguration, .syncDamagedOutput, .retryFailedOtherManifest,
        ]
        #expect(!refused.contains(situation))
        guard situation != .missingFolder else {
            #expect(throws: ExtractionError.self) { try extraction.checkOutput() }
            return
        }
        var notice: ResumptionNotice?
        let summary = try extraction.run(announce: { notice = $0 })
        #expect(summary.wasUpToDate == [.upToDate, .comparable].contains(plan.output))
        #expect(summary.wasUpToDate == [.upToDate, .appendNothing, .syncNothing].contains(situation))
        guard !summary.wasUpToDate else { return }
        #expect(notice?.done == plan.resumed?.done && notice?.changedCount == plan.resumed?.changedCount)
        #expect(summary.resumedClips == plan.resumed?.done ?? 0 && summary.keptClips == plan.keptClips)
        #expect(summary.clips + summary.failures - summary.keptClips - summary.resumedClips == plan.clipsLeft)
        let isResumed: [Situation] = [
            .interrupted, .interruptedInScratch, .changedRecording, .keptMissing, .damagedSpool, .appendInterrupted,
            .syncInterrupted,
        ]
        #expect((plan.resumed != nil) == isResumed.contains(situation))
        #expect((plan.discarded != nil) == (situation == .freshOption))
    }
}
