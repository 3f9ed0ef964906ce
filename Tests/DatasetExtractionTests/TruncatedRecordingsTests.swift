import AudioDecoding
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import ClipFeatures
@testable import Concurrency
@testable import DatasetExtraction
@testable import DatasetInspection
@testable import LiveAnalysis

/// `--truncated keep` and `--non-finite zero`: what they store, and that files made with and without them never mix.
struct TruncatedRecordingsTests {
    private let fixture: ExtractionFixture
    private let manifest: String
    private static let keep = RecordingPolicy(truncated: .keep)
    private static let zero = RecordingPolicy(nonFinite: .zero)

    /// Six recordings, of which one is cut off in the middle and one holds a sample that is not a number.
    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 4000, seed: number) }
        try fixture.record("whole.wav", samples: 8000, seed: 9)
        try fixture.bytes("whole.wav").prefix(44 + 2 * 5000).write(to: URL(filePath: fixture.folder.path("cut.wav")))
        var noise = RandomSource(seed: 5)
        var samples = noise.samples(4000)
        samples[1234] = .nan
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "nan.wav")
        manifest = """
            path,id,start,end
            0.wav,a,,
            cut.wav,cut,,
            1.wav,b,,
            cut.wav,before,0.1,0.5
            cut.wav,across,0.5,0.9
            cut.wav,behind,0.7,0.9
            2.wav,c,,
            nan.wav,nan,,
            3.wav,d,,

            """
    }

    private func file(
        _ policy: RecordingPolicy, _ output: String = "features.h5", jobs: Int = 2
    ) throws -> FeatureReader {
        _ = try fixture.extraction(manifest, output: output, jobs: jobs, policy: policy).run()
        return try FeatureReader(path: fixture.folder.path(output))
    }

    @Test func `a cut recording fails with both lengths, except what lies before the cut`() throws {
        let summary = try fixture.extraction(manifest).run()
        let file = try FeatureReader(path: summary.output)
        #expect(file.formatVersion == "1.1" && !file.storesTruncated && !file.storesZeroedSamples)
        let failures = Dictionary(uniqueKeysWithValues: try file.allFailures().map { ($0.id, $0.failure) })
        #expect(Set(failures.keys) == ["cut", "across", "behind", "nan"])
        let cut = FailureRecord(.cutOff(CutOff(promised: 1, present: 0.625)))
        for id in ["cut", "across", "behind"] {
            #expect(failures[id] == cut)
        }
        #expect(
            summary.account.remarks == [
                Remark(kind: .recordingsCutLater, source: "recordings", count: 1, first: ["before"])
            ])
        let whole = try fixture.extract("path,id,start,end\nwhole.wav,before,0.1,0.5\n", output: "whole.h5")
        #expect(try file.features(id: "before") == whole.features(id: "before"))
    }

    @Test(arguments: [1, 3])
    func `the samples before the cut are kept, and the file says of which clips`(jobs: Int) throws {
        let file = try file(Self.keep, jobs: jobs)
        #expect(file.formatVersion == "1.1" && file.storesTruncated && !file.storesZeroedSamples)
        #expect(try file.verify().isEmpty)
        let truncated = try file.allClips().filter(\.isTruncated)
        #expect(truncated.map(\.id) == ["cut", "across"])
        #expect(truncated.map(\.duration) == [0.625, 0.125])
        #expect(try file.allFailures().map(\.id) == ["behind", "nan"])
        let whole = try fixture.extract("path,id,end\nwhole.wav,cut,0.625\n", output: "whole.h5")
        #expect(try file.features(id: "cut") == whole.features(id: "cut"))
        #expect(try DatasetSummary(of: file).truncatedClips == 2 && DatasetSummary(of: whole).truncatedClips == nil)
        // Every other clip's rows are those of a file that keeps nothing.
        let strict = try self.file(RecordingPolicy(), "strict.h5")
        for clip in try strict.allClips() {
            #expect(try file.features(id: clip.id) == strict.features(id: clip.id))
        }
    }

    @Test func `samples that are not numbers become 0, and the file says how many`() throws {
        let summary = try fixture.extraction(manifest, policy: Self.zero).run()
        let file = try FeatureReader(path: summary.output)
        #expect(file.formatVersion == "1.1" && !file.storesTruncated && file.storesZeroedSamples)
        #expect(try file.allClips().filter { $0.zeroedSamples > 0 }.map(\.id) == ["nan"])
        #expect(try file.clip(id: "nan").zeroedSamples == 1)
        #expect(summary.account.count(of: .samplesZeroed) == 1)
        #expect(try file.verify().isEmpty)
        let found = try DatasetSummary(of: file)
        #expect(found.zeroedClips == 1 && found.zeroedSamples == 1)
    }

    private static let pairs = [
        (RecordingPolicy(), keep), (keep, RecordingPolicy()), (RecordingPolicy(), zero), (zero, keep),
        (keep, RecordingPolicy(truncated: .keep, nonFinite: .zero)),
    ]

    @Test(arguments: pairs)
    func `a file made in another way is neither up to date nor appended to`(
        made: RecordingPolicy, asked: RecordingPolicy
    ) throws {
        _ = try file(made)
        let bytes = try fixture.bytes("features.h5")
        #expect(try fixture.extraction(manifest, policy: made).run().wasUpToDate)
        let differences = made.differences(from: asked)
        for append in [false, true] {
            let extraction = try fixture.extraction(
                manifest + (append ? "0.wav,e,,\n" : ""), append: append, policy: asked)
            let error = #expect(throws: ExtractionError.self) { try extraction.run() }
            #expect(!append || error?.obstacle == .differences(differences))
            #expect(try extraction.dryRun().obstacle != nil)
            #expect(try fixture.bytes("features.h5") == bytes)
        }
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, policy: asked).run() }
        #expect(error?.outputDifference == .made(differences, follows: true))
        let same = #expect(throws: ExtractionError.self) {
            try fixture.extraction(manifest, append: true, policy: asked).run()
        }
        #expect(same?.obstacle == .differences(differences))
    }

    @Test(arguments: [RecordingPolicy(), keep, RecordingPolicy(truncated: .keep, nonFinite: .zero)])
    func `a run that goes on makes the same bytes, and not with clips of another policy`(policy: RecordingPolicy) throws
    {
        // Long enough for a run to be stopped while it reads the recording.
        let rows = (0..<400).map { "\($0 % 4).wav,more-\($0),," }
        let many = manifest + rows.joined(separator: "\n") + "\n"
        let extraction = try fixture.extraction(many, policy: policy)
        let done = try fixture.interrupt(extraction, after: 20)
        guard done < extraction.source.clipCount else { return }
        let other = policy == Self.keep ? RecordingPolicy() : Self.keep
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(many, policy: other).run() }
        #expect(error?.differences == policy.differences(from: other))
        _ = try fixture.extraction(many, policy: policy).run()
        _ = try fixture.extraction(many, output: "whole.h5", policy: policy).run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }

    @Test func `--append keeps what the file says of its clips`() throws {
        let policy = RecordingPolicy(truncated: .keep, nonFinite: .zero)
        _ = try fixture.extraction(manifest, policy: policy).run()
        let grown = manifest + "cut.wav,again,,\n"
        _ = try fixture.extraction(grown, append: true, policy: policy).run()
        let file = try FeatureReader(path: fixture.folder.path("features.h5"))
        let whole = try fixture.extraction(grown, output: "whole.h5", policy: policy).run()
        #expect(try file.allClips() == FeatureReader(path: whole.output).allClips())
        #expect(try file.verify().isEmpty && file.formatVersion == "1.1")
    }

    @Test func `a survey names recordings that are cut off, and counts what would be kept`() throws {
        func survey(_ policy: RecordingPolicy) throws -> ClipSurvey {
            let manifest = try fixture.extraction(manifest).source
            return try ClipSurvey.take(
                manifest, root: fixture.folder.url.path, audio: AudioConfiguration(sampleRate: nil), policy: policy,
                workers: WorkerRange(usual: 2))
        }
        let cut = ClipFailure.cutOff(CutOff(promised: 1, present: 0.625))
        let strict = try survey(RecordingPolicy())
        #expect(strict.problems.map(\.id) == ["cut", "across", "behind"])
        #expect(strict.problems.allSatisfy { $0.reason == cut.reason })
        #expect(strict.beforeCut == 1 && strict.truncated == 0)
        let keeping = try survey(Self.keep)
        #expect(keeping.problems.map(\.id) == ["behind"] && keeping.beforeCut == 1 && keeping.truncated == 2)
    }

    @Test func `a filter refuses a cut recording, or filters the samples before the cut`() throws {
        func filter(_ input: String, _ policy: RecordingPolicy) throws -> FilteringSummary {
            try RecordingFilter(
                input: fixture.folder.path(input), output: fixture.folder.path("out.wav"),
                configuration: DCTFilterConfiguration(mode: .bandPass, low: .bin(0), high: .bin(1024)),
                overwriting: true, policy: policy
            ).run(cancellation: Cancellation())
        }
        let error = #expect(throws: FilteringError.self) { try filter("cut.wav", RecordingPolicy()) }
        guard case .recording(fixture.folder.path("cut.wav"), .cutOff(let cut))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cut.promised == 1)
        let kept = try filter("cut.wav", Self.keep)
        #expect(kept.frames == 5000 && kept.cutOff?.promised == 1 && kept.zeroedSamples == 0)
        #expect(throws: FilteringError.self) { try filter("nan.wav", Self.keep) }
        #expect(try filter("nan.wav", Self.zero).zeroedSamples == 1)
    }

    @Test func `live sound of a cut recording is refused, or played as far as it goes`() throws {
        func play(_ name: String, _ policy: RecordingPolicy) throws -> LiveSummary.Track {
            let request = LiveRequest(.recording(path: fixture.folder.path(name)), speed: 0, policy: policy)
            let cancellation = Cancellation()
            let session = try LiveSession(
                [LiveInput(request, cancellation: cancellation)], configuration: ExtractionFixture.configuration(),
                json: "{}",
                cancellation: cancellation)
            try session.begin()
            return try session.finish().tracks[0]
        }
        let error = #expect(throws: LiveError.self) { try play("cut.wav", RecordingPolicy()) }
        guard case .input(_, let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.cut?.promised == 1)
        let kept = try play("cut.wav", Self.keep)
        #expect(kept.seconds == 0.625 && kept.failure == nil && kept.cutOff?.promised == 1)
        #expect(try play("nan.wav", RecordingPolicy()).failure != nil)
        let zeroed = try play("nan.wav", Self.zero)
        #expect(zeroed.seconds == 0.5 && zeroed.failure == nil && zeroed.zeroedSamples == 1)
    }
}

extension RecordingPolicy {
    /// What is otherwise in a run with another policy.
    fileprivate func differences(from other: RecordingPolicy) -> [Difference] {
        (truncated == other.truncated
            ? [] : [.truncated(before: truncated.rawValue, now: other.truncated.rawValue)])
            + (nonFinite == other.nonFinite
                ? [] : [.nonFinite(before: nonFinite.rawValue, now: other.nonFinite.rawValue)])
    }
}
