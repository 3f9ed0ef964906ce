import DatasetChecks
import FeatureModel
import Foundation
import Manifests
import Messages
import Presentation
import SignalProcessing
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction
@testable import DatasetInspection
@testable import FeatureStorage
@testable import veery

struct ReportSchemaTests {
    /// The names of the properties that a value is written with.
    private func keys(_ value: some Encodable) throws -> Set<String> {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder.reports([]).encode(value))
        return Set(try #require(json as? [String: Any]).keys)
    }

    /// A feature file of two good clips and two bad ones, and the summary of its extraction.
    private func extracted(_ folder: TemporaryFolder, _ preset: Preset = .logMel) throws -> (
        path: String, extraction: Extraction, summary: ExtractionSummary
    ) {
        for name in ["tone-16k.wav", "stereo-8k.wav"] {
            try FileManager.default.copyItem(
                at: Fixtures.folder.appending(path: name), to: folder.url.appending(path: name))
        }
        let manifest = try folder.write(
            "path,label,split,note\ntone-16k.wav,tone,train,x\nstereo-8k.wav,,test,\nnone.wav,a,train,\nm.csv,b,train,\n",
            to: "m.csv")
        let configuration = try preset.configuration()
        let options = ExtractionOptions(
            output: folder.path("f.h5"), root: folder.url.path, jobs: 2)
        let json = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        let extraction = try Extraction(
            configuration, json: json, source: Manifest.scan(path: manifest, format: .csv), options: options)
        let summary = try extraction.run(progress: ExtractionProgress(), cancellation: Cancellation())
        return (folder.path("f.h5"), extraction, summary)
    }

    @Test func `inspect`() throws {
        let folder = try TemporaryFolder()
        let made = try extracted(folder)
        let schema = try Schema("inspect")
        let reader = try FeatureReader(path: made.path)
        let summary = try DatasetSummary(of: reader)
        #expect(summary.clips == 2 && summary.failures == 2 && summary.splits.count == 2)
        #expect(try schema.problems(summary) == [])
        let absent: Set = [
            "frames", "common_length", "truncated_clips", "zeroed_clips", "zeroed_samples", "label_matrix",
            "frame_labels", "feature_channels", "files", "corrections_sha256", "configuration_files",
        ]
        #expect(try keys(summary) == schema.properties("summary").subtracting(absent))
        #expect(summary.statistics.frequency?.count == 80)
        #expect(try keys(summary.statistics) == schema.properties("statistics").subtracting(["coefficient"]))
        #expect(try keys(summary.durations) == schema.properties("durations"))
        #expect(try keys(try #require(summary.durations.histogram)) == schema.properties("histogram"))
        #expect(try keys(try #require(summary.labels.first)) == schema.properties("group"))
        #expect(try keys(try #require(summary.sampleRates.first)) == schema.properties("count"))
        #expect(try keys(try #require(summary.failuresByReason.first)) == schema.properties("failures"))
        #expect(try keys(try #require(summary.failuresByKind.first)) == schema.properties("failure_kind"))

        let sound = VerificationReport(file: made.path, clips: 2, findings: try reader.verify())
        #expect(sound.sound)
        #expect(try schema.problems(sound) == [])
        let damaged = VerificationReport(
            file: "f.h5", clips: 2,
            findings: [.init(clip: "a", description: "holds nan"), .init(clip: nil, description: "too few rows")])
        #expect(!damaged.sound)
        #expect(try schema.problems(damaged) == [])
        #expect(try keys(damaged) == schema.properties("verification"))
        let json = try JSONSerialization.jsonObject(with: JSONEncoder.reports([]).encode(damaged)) as? [String: Any]
        let findings = try #require(json?["findings"] as? [[String: Any]])
        #expect(findings.first.map { Set($0.keys) } == schema.properties("finding"))
        #expect(damaged.text == "f.h5: damaged:\n  clip 'a': holds nan\n  too few rows\n")
    }

    @Test func `inspect, with clips of a common length`() throws {
        let schema = try Schema("inspect")
        var summary = try SampleSummary.make(frames: 98, commonLength: CommonLength(seconds: 1))
        // And where recordings that are cut off or hold infinite samples are kept.
        (summary.truncatedClips, summary.zeroedClips, summary.zeroedSamples) = (2, 1, 7)
        #expect(try schema.problems(summary) == [])
        // And where clips have several labels, and frames have labels.
        summary.labelMatrix = LabelMatrixSummary(
            labels: summary.labels, labelsPerClip: [.init(value: 1, clips: 4)], frequent: [0, 1],
            together: [[3, 0], [0, 1]])
        summary.frameLabels = FrameLabelSummary(
            labels: [.init(name: "owl", frames: 7)], unlabelled: 2, frames: 9,
            annotationsSHA256: String(repeating: "0f", count: 32))
        summary.files = 8
        summary.correctionsSHA256 = String(repeating: "0f", count: 32)
        #expect(try schema.problems(summary) == [])
        #expect(
            try keys(summary) == schema.properties("summary").subtracting(["feature_channels", "configuration_files"]))
        #expect(try keys(try #require(summary.labelMatrix)) == schema.properties("label_matrix"))
        #expect(try keys(try #require(summary.frameLabels)) == schema.properties("frame_labels"))
        #expect(try keys(try #require(summary.commonLength)) == schema.properties("common_length"))
    }

    @Test func `inspect, where columns are cepstral coefficients`() throws {
        let folder = try TemporaryFolder()
        let summary = try DatasetSummary(of: FeatureReader(path: extracted(folder, .htkMFCC).path))
        let schema = try Schema("inspect")
        #expect(try schema.problems(summary) == [])
        #expect(try keys(summary.statistics) == schema.properties("statistics").subtracting(["frequency"]))
        let orders = Array(1...12) + [0]
        #expect(summary.statistics.coefficient == orders + orders + orders)
        #expect(summary.units == "cepstrum of ln(power)")
    }

    /// A remark of every kind.
    private static let account: Account = {
        var account = Account()
        for kind in Remark.Kind.allCases { account.add(kind, source: "s", "'n' (a reason)", count: 2) }
        return account
    }()

    @Test func `each line of an account is a sentence of its own, losses first and ten at most`() throws {
        let lines = RemarkWords.lines(Self.account)
        #expect(lines.count == RemarkWords.maximumLines + 1 && lines[0].hasPrefix("left out: s: 2 files"))
        #expect(lines[10].hasPrefix("remark: ") && lines[10].hasSuffix(": --json has all"))
        let losses = Remark.Kind.allCases.filter(\.isLoss)
        #expect(RemarkWords.losses(Self.account).count == losses.count && Set(lines).count == lines.count)
        #expect(!losses.contains { !$0.isShown })
    }

    @Test func `extract, with and without a run, and check`() throws {
        let folder = try TemporaryFolder()
        let made = try extracted(folder)
        let schema = try Schema("extraction-report")
        let report = ExtractionReport(summary: made.summary, account: Self.account)
        #expect(try schema.problems(report) == [])
        #expect(try keys(report) == schema.properties("extraction").subtracting(["sync"]))
        #expect(report.text.contains("2 clips failed:\n  none.wav: open: "))
        let upToDate = ExtractionReport(
            summary: ExtractionSummary(
                wasUpToDate: true, output: "f.h5", clips: 1, failures: 0, firstFailures: [], rows: 10, bins: 80,
                bytes: 999,
                audioSeconds: nil, elapsedSeconds: 0.1), account: Account())
        #expect(try schema.problems(upToDate) == [])
        #expect(upToDate.text == "f.h5 is up to date: 1 clip, 10 frames × 80 bins, 999 bytes")

        func failed(_ failure: FailureRecord) -> String {
            let stored = StoredFailure(id: "a", path: "a", failure: failure)
            return ExtractionReport(
                summary: ExtractionSummary(
                    wasUpToDate: false, output: "f.h5", clips: 1, failures: 1, firstFailures: [stored], rows: 10,
                    bins: 80,
                    bytes: 999, audioSeconds: nil, elapsedSeconds: 0.1), account: Account(), source: "m.csv"
            ).text
        }
        // By the kind, not by the words, in which names of files are.
        let unit = "(--time-unit reads the times of m.csv in another unit)"
        #expect(
            failed(FailureRecord(.segmentStartsLate(start: 9000, length: 10, likely: .milliseconds))).contains(unit))
        let archive = "a --time-unit.tar"
        #expect(!failed(FailureRecord(.cannotOpenMember("a", archive: archive, words: "", nil))).contains(unit))

        let manifest = try Manifest.scan(path: made.extraction.source.path, format: .csv)
        let plan = try FeaturePlan(Preset.logMel.configuration(), sampleRate: 16_000)
        let survey = try ClipSurvey.take(
            manifest, root: folder.url.path, audio: plan.configuration.audio, plan: plan,
            workers: WorkerRange(usual: 2))
        var runPlan = try made.extraction.dryRun().plan
        let planned = PlanReport(
            survey: survey, runPlan: runPlan, discardedClips: 0, obstacle: nil, plan: plan, output: "f.h5",
            account: Self.account)
        #expect(try schema.problems(planned) == [])
        #expect(try keys(planned) == schema.properties("plan").subtracting(["obstacle", "sync"]))
        let busy = StorageError.busy(path: "f.h5", owner: nil).description
        for output in [RunPlan.Output.absent, .upToDate, .comparable, .grows, .follows, .replaced] {
            runPlan.output = output
            let stopped = PlanReport(
                survey: survey, runPlan: runPlan, discardedClips: 0,
                obstacle: busy, plan: plan, output: "f.h5",
                account: Self.account)
            #expect(try schema.problems(stopped) == [])
            #expect(try keys(stopped) == schema.properties("plan").subtracting(["sync"]))
            #expect(stopped.text.hasSuffix("\nwould not run  \(busy)\n"))
        }
        #expect(planned.rows == made.summary.rows && planned.survey.problemCount == 2)

        let checkSchema = try Schema("check-report")
        var options = try DatasetCheck.Options(root: folder.url.path)
        options.workers = WorkerRange(usual: 2)
        let check = CheckReport(
            check: try DatasetCheck.run(manifest, options), manifest: manifest, account: Self.account)
        #expect(survey.sampleRates == [8000: 1, 16_000: 1] && survey.problemCount == 2)
        #expect(try checkSchema.problems(check) == [])
        #expect(try keys(check) == checkSchema.properties())
        #expect(try keys(try #require(survey.problems.first)) == checkSchema.properties("problem"))
        #expect(check.text.contains("none.wav (none): \(ClipFailure.cannotOpen(ClipFailureTable.gone))\n"))
        #expect(check.text.hasSuffix("\n2 problems\n"))
    }

    @Test func `a check's leaks are as the schema describes, and in the text`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            path,id,split,start,end
            a.wav,1,train,0,3
            a.wav,2,test,2,5
            b.wav,3,train,0,3
            b.wav,4,test,3,
            """, to: "m.csv")
        let manifest = try Manifest.scan(path: path, format: .csv)
        let found = try DatasetCheck.run(manifest, DatasetCheck.Options(root: folder.url.path))
        let leaks = found.leaks
        let check = CheckReport(check: found, manifest: manifest, account: Self.account)
        let schema = try Schema("check-report")
        #expect(try schema.problems(check) == [] && keys(check) == schema.properties())
        #expect(try keys(try #require(leaks.overlapping.first)) == schema.properties("finding"))
        #expect(try keys(try #require(leaks.overlapping.first?.parts.first)) == schema.properties("part"))
        #expect(leaks.overlappingClips == 2 && leaks.sharedRecordings == 1 && check.hasProblems)
        #expect(
            check.text.contains(
                """
                leak: 2 clips of 1 recording overlap in time with a clip of another split:
                  a.wav: \(leaks.overlapping.first?.words ?? "none")

                """), "\(check.text)")
        #expect(
            check.text.contains(
                """
                warning: 1 recording has clips in several splits, without overlap in time:
                  b.wav: '3' (train, 0–3 s) and '4' (test, from 3 s to the end)

                """), "\(check.text)")
        #expect(check.text.hasSuffix("\n4 problems, 2 leaking clips\n"), "\(check.text)")
    }

    @Test func `every event of progress is one line that the schema allows`() throws {
        let schema = try Schema("progress-event")
        let phases = (0...).prefix { ExtractionProgress.Phase(rawValue: $0) != nil }
            .compactMap(ExtractionProgress.Phase.init)
        #expect(phases.count == 4)
        for phase in phases {
            let snapshot = ExtractionProgress.Snapshot(
                phase: phase, total: 5, done: 2, failed: 1, audioSeconds: 1.5, resumed: 0, newAudioSeconds: 1.5)
            for left in [nil, 3.25] {
                let line = ProgressDisplay.event(snapshot, elapsed: 2, left: left)
                let event = try JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect(try schema.problems(json: event) == [])
                let keys = Set(try #require(event as? [String: Any]).keys)
                #expect(try schema.properties().subtracting(keys) == (left == nil ? ["seconds_left"] : []))
                #expect(!line.contains("\n") && line.hasPrefix("{"))
            }
        }
        let snapshot = ExtractionProgress.Snapshot(
            phase: .extracting, total: 5, done: 2, failed: 1, audioSeconds: 1.5, resumed: 1, newAudioSeconds: 1)
        let line =
            #"{"audio_seconds":1.5,"done":2,"elapsed_seconds":2,"failed":1,"phase":"extracting","resumed":1,"seconds_left":3,"total":5}"#
        #expect(ProgressDisplay.event(snapshot, elapsed: 2, left: 3) == line)
    }

    @Test(arguments: Preset.allCases)
    func `the configuration of every preset is valid`(preset: Preset) throws {
        #expect(try Schema("configuration").problems(preset.configuration()) == [])
    }

    @Test(arguments: TransformConfiguration.Kind.allCases)
    func `a configuration of every kind is valid`(kind: TransformConfiguration.Kind) throws {
        let schema = try Schema("configuration")
        for scale in ScaleConfiguration.Kind.allCases {
            let json = """
                {"condition": {"dct_filter": {"mode": "band_stop", "low": 45, "high": "9 bins"}},
                 "frame": {"length": "25 ms", "window": {"kind": "kaiser", "beta": 14}},
                 "transform": {"kind": "\(kind.rawValue)"}, "scale": {"kind": "\(scale.rawValue)", "limit": 5}}
                """
            // Some transforms do not allow some scales.
            let decoder = JSONDecoder()
            guard let found = try? decoder.decode(FeatureConfiguration.self, from: Data(json.utf8)) else { continue }
            #expect(try schema.problems(found) == [], "\(json)")
        }
    }

    @Test func `the checks of this test find what is wrong`() throws {
        let schema = try Schema("configuration")
        #expect(try !schema.problems(["frames": 1]).isEmpty)
        #expect(try !schema.problems(["frame": ["hop": 0]]).isEmpty)
        #expect(try !schema.problems(["scale": ["kind": "loud"]]).isEmpty)
        #expect(try !schema.problems(["transform": ["kind": "fft", "mel_scale": "htk"]]).isEmpty)
        #expect(try !schema.problems(["frame": ["window": "kaiser"]]).isEmpty)
        #expect(try !schema.problems(["scale": ["kind": "ln", "gain": "1"]]).isEmpty)
        #expect(try !Schema("progress-event").problems(["phase": "extracting"]).isEmpty)
        #expect(try schema.problems(["scale": ["kind": "db"]]).isEmpty)
    }

    @Test func `an estimated time has no more digits than seconds`() {
        let shown = [0, 0.4, 54, 59.6, 75].map(ProgressDisplay.estimate)
        #expect(shown == ["0 s", "0 s", "54 s", "1 min 00 s", "1 min 15 s"])
    }
}
