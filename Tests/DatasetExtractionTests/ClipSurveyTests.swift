import Concurrency
import ExtractionSupport
import FeatureModel
import Foundation
import Manifests
import SignalProcessing
import TestSupport
import Testing

@testable import DatasetExtraction

struct ClipSurveyTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    private func survey(_ manifest: String, _ configuration: FeatureConfiguration, jobs: Int = 2) throws -> ClipSurvey {
        let extraction = try fixture.extraction(manifest, configuration)
        return try ClipSurvey.take(
            extraction.source, root: fixture.folder.url.path, audio: configuration.audio, plan: extraction.plan,
            workers: WorkerRange(usual: jobs))
    }

    @Test func `clips, seconds, rows, rates and channels are those of an extraction`() throws {
        try fixture.record("a.wav", samples: 4000)
        try fixture.record("b.wav", samples: 8000, channels: 2, rate: 16_000)
        let manifest = "id,path,start,end\na,a.wav,,\nb,b.wav,,\npart,a.wav,0.1,0.35\n"
        let survey = try survey(manifest, ExtractionFixture.configuration())
        #expect(survey.clips == 3 && survey.problemCount == 0 && survey.problems.isEmpty)
        #expect(abs(survey.seconds - 1.25) < 1e-9)
        #expect(survey.sampleRates == [8000: 2, 16_000: 1] && survey.channels == [1: 2, 2: 1])
        #expect(try survey.rows == fixture.extract(manifest).rows)
    }

    @Test func `a sum of durations depends neither on their order nor on who adds which`() {
        var random = RandomSource(seed: 3)
        // As Double, these sums differ in their last digits.
        let durations = (0..<1000).map { _ in Double(Int.random(in: 1...1_000_000, using: &random)) / 44_100 }
        func sum(_ durations: some Sequence<Double>) -> DurationSum {
            durations.reduce(into: DurationSum()) { $0 += $1 }
        }
        let whole = sum(durations)
        let (forwards, backwards): (Double, Double) = (durations.reduce(0, +), durations.reversed().reduce(0, +))
        #expect(forwards != backwards)
        #expect(abs(whole.seconds - forwards) < 1e-9)
        #expect(sum(Array(repeating: 1.0 / 3, count: 3)).seconds == 1)
        for workers in [1, 2, 7] {
            var merged = DurationSum()
            for worker in (0..<workers).reversed() {
                merged += sum(stride(from: worker, to: durations.count, by: workers).map { durations[$0] })
            }
            #expect(merged == whole)
            merged -= whole
            #expect(merged.seconds == 0)
        }
        #expect(sum([.nan, -1, .infinity, 0.5]).seconds == 1e11 + 0.5)
    }

    @Test(arguments: [1, 2, 7]) func `problems are those that an extraction has, in the manifest's order`(jobs: Int)
        throws
    {
        try fixture.record("good.wav", rate: 8000)
        try fixture.record("other.wav", rate: 11_025)
        try fixture.record("short.wav", samples: 100)
        try fixture.record("none.wav", samples: 0)
        let manifest = """
            id,path,start,channel
            0,good.wav,,
            1,gone.wav,,
            2,other.wav,,
            3,good.wav,7,
            4,good.wav,,1
            5,short.wav,,
            6,none.wav,,
            7,good.wav,,0
            """
        let configuration = try ExtractionFixture.configuration(rate: nil)
        let survey = try survey(manifest, configuration, jobs: jobs)
        #expect(survey.clips == 2 && survey.problemCount == 6)
        #expect(survey.problems.map(\.clip) == Array(1...6))
        let failures = try fixture.extract(manifest, configuration, jobs: jobs).allFailures()
        #expect(survey.problems.map(\.id) == failures.map(\.id))
        #expect(survey.problems.map(\.stage) == failures.map(\.failure.stage))
        #expect(survey.problems.map(\.reason) == failures.map(\.failure.reason))
    }

    @Test func `the first thousand problems are kept, and all are counted`() throws {
        try fixture.record("good.wav")
        let manifest = "id,path\n" + (0..<2500).map { "\($0),\($0 == 1200 ? "good" : "gone").wav\n" }.joined()
        let survey = try survey(manifest, ExtractionFixture.configuration(), jobs: 3)
        #expect(survey.clips == 1 && survey.problemCount == 2499)
        #expect(survey.problems.map(\.clip) == Array(0..<1000))
    }
}
