import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import DatasetExtraction

struct ExtractionTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    private func plan(_ configuration: FeatureConfiguration) throws -> FeaturePlan {
        try FeaturePlan(configuration, sampleRate: 8000)
    }

    /// Mean and deviation of the population.
    private func moments(_ values: [Float]) -> (mean: Double, deviation: Double) {
        let count = Double(values.count)
        let mean = values.reduce(0.0) { $0 + Double($1) } / count
        let squares = values.reduce(0.0) { $0 + pow(Double($1) - mean, 2) }
        return (mean, (squares / count).squareRoot())
    }

    @Test func `the file holds what the plan makes of the samples, clip by clip, and all that the manifest says`()
        throws
    {
        let mono = try fixture.record("mono.wav", samples: 2000, seed: 1)
        let stereo = try fixture.record("stereo.wav", samples: 3001, channels: 2, seed: 2)
        let float = try fixture.record("float.wav", samples: 40_000, encoding: .float32, seed: 3)
        let configuration = try ExtractionFixture.configuration()
        let file = try fixture.extract(
            """
            id,path,label,split,start,end,channel,note,a/b
            m,mono.wav,wren,train,,,,"eins, zwei",x
            s,stereo.wav,owl,test,,,,,
            right,stereo.wav,,,,,1,é,
            part,float.wav,owl,train,0.5,2.25,,,
            whole,float.wav,wren,test,,,0,,y
            """, configuration)

        let plan = try plan(configuration)
        let mix = zip(stereo[0], stereo[1]).map { 0.5 * ($0 + $1) }
        let expected: [(id: String, samples: [Float])] = [
            ("m", mono[0]), ("s", mix), ("right", stereo[1]), ("part", Array(float[0][4000..<18_000])),
            ("whole", float[0]),
        ]
        var row = 0
        for (clip, (id, samples)) in zip(try file.allClips(), expected) {
            let features = try plan.features(of: samples)
            #expect(clip.id == id && clip.frameStart == row && clip.frameCount == features.rows)
            #expect(try file.features(of: clip).values == features.values, "\(id)")
            row += features.rows
        }
        #expect(file.rows == row && file.clipCount == 5 && file.failureCount == 0)
        let clips = try file.allClips()
        #expect(clips.map(\.path) == ["mono.wav", "stereo.wav", "stereo.wav", "float.wav", "float.wav"])
        #expect(
            clips.map(\.label) == ["wren", "owl", "", "owl", "wren"] && clips.map(\.labelIndex) == [1, 0, -1, 0, 1])
        #expect(clips.map(\.split) == ["train", "test", "", "train", "test"])
        #expect(clips.map(\.start) == [0, 0, 0, 0.5, 0])
        let durations: [Double] = [0.25, 0.375125, 0.375125, 1.75, 5]
        #expect(clips.map(\.duration) == durations)
        #expect(clips.map(\.channels) == [1, 2, 2, 1, 1] && clips.allSatisfy { $0.sampleRate == 8000 })
        #expect(file.extraColumns == ["a_b", "note"])
        #expect(clips.map(\.extra) == [["x", "eins, zwei"], ["", ""], ["", "é"], ["", ""], ["y", ""]])
        #expect(file.labels == ["owl", "wren"] && file.axis == plan.axis)
        #expect(file.framePeriod == 0.016 && file.firstFrameTime == 0.016)
        #expect(try file.verify().isEmpty)
    }

    @Test(arguments: NormalizeConfiguration.Method.allCases, NormalizeConfiguration.Axis.allCases)
    func `rows are normalised by the statistics of the fit split alone`(
        method: NormalizeConfiguration.Method, axis: NormalizeConfiguration.Axis
    ) throws {
        var manifest = "id,path,split\n"
        var samples: [[Float]] = []
        for clip in 0..<6 {
            samples += try fixture.record(
                "\(clip).wav", samples: 1500 + 300 * clip, seed: clip, gain: 0.1 + 0.1 * Float(clip))
            manifest += "\(clip),\(clip).wav,\(clip % 3 == 0 ? "fold-2" : "other")\n"
        }
        let configuration = try ExtractionFixture.configuration(
            normalize: NormalizeConfiguration(method: method, axis: axis, fit: "fold-2"))
        let file = try fixture.extract(manifest, configuration)
        let plan = try plan(configuration)
        let raw = try samples.map { try plan.features(of: $0) }

        let fitted = [raw[0], raw[3]]
        let rows = fitted.reduce(0) { $0 + $1.rows }
        #expect(file.fit == "fold-2" && file.statistics.count == rows)
        var (means, deviations, least, most): ([Double], [Double], [Float], [Float]) = ([], [], [], [])
        for bin in 0..<12 {
            let values = fitted.flatMap { matrix in (0..<matrix.rows).map { matrix[$0, bin] } }
            let (mean, deviation) = moments(values)
            means.append(mean)
            deviations.append(deviation)
            least.append(values.min() ?? 0)
            most.append(values.max() ?? 0)
            #expect(abs(file.statistics.mean[bin] - mean) < 1e-9)
            #expect(abs(file.statistics.standardDeviation[bin] - deviation) < 1e-9)
        }
        #expect(file.statistics.minimum == least && file.statistics.maximum == most)

        if axis == .all {
            let (mean, deviation) = moments(fitted.flatMap(\.values))
            (means, deviations) = (Array(repeating: mean, count: 12), Array(repeating: deviation, count: 12))
            least = Array(repeating: least.min() ?? 0, count: 12)
            most = Array(repeating: most.max() ?? 0, count: 12)
        }
        for clip in 0..<6 {
            let found = try file.features(id: "\(clip)")
            for (index, (value, raw)) in zip(found, raw[clip].values).enumerated() {
                let bin = index % 12
                let (low, high) = (Double(least[bin]), Double(most[bin]))
                let right: Double =
                    switch method {
                    case .zscore: (Double(raw) - means[bin]) / deviations[bin]
                    case .mean: Double(raw) - means[bin]
                    case .minmax: (Double(raw) - low) / (high - low)
                    case .range: 2 * (Double(raw) - low) / (high - low) - 1
                    }
                guard abs(Double(value) - right) <= 1e-5 * max(1, abs(right)) else {
                    Issue.record("clip \(clip), value \(index): \(value) instead of \(right)")
                    break
                }
            }
        }
        #expect(try file.verify().isEmpty)
    }

    @Test func `without a split column, statistics are those of all clips`() throws {
        for clip in 0..<3 { try fixture.record("\(clip).wav", seed: clip) }
        let file = try fixture.extract(
            "path\n0.wav\n1.wav\n2.wav\n", ExtractionFixture.configuration(normalize: NormalizeConfiguration()))
        #expect(file.fit.isEmpty && file.statistics.count == file.rows)
    }

    @Test func `clip by clip, each clip has mean 0 and deviation 1`() throws {
        try fixture.record("loud.wav", samples: 9000, seed: 1, gain: 0.9)
        try fixture.record("quiet.wav", samples: 5000, seed: 2, gain: 0.001)
        let file = try fixture.extract(
            "id,path\nl,loud.wav\nq,quiet.wav\n",
            ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip)))
        for id in ["l", "q"] {
            let matrix = try file.features(of: file.clip(id: id))
            for bin in 0..<12 {
                let (mean, deviation) = moments((0..<matrix.rows).map { matrix[$0, bin] })
                #expect(abs(mean) < 1e-5 && abs(deviation - 1) < 1e-4, "\(id), bin \(bin)")
            }
        }
        #expect(file.statistics.count == file.rows)
    }

    @Test func `a recording at another rate is resampled to the configured one`() throws {
        try fixture.record("fast.wav", samples: 16_000, rate: 16_000)
        let clip = try #require(try fixture.extract("path\nfast.wav\n").allClips().first)
        #expect(clip.sampleRate == 16_000 && clip.duration == 1)
        #expect(clip.frameCount == 61)
    }

    @Test func `the summary and the progress count what the file holds`() throws {
        try fixture.record("a.wav", samples: 8000)
        try fixture.record("b.wav", samples: 4000)
        let progress = ExtractionProgress()
        let summary = try fixture.extraction("path\na.wav\ngone.wav\nb.wav\n").run(progress: progress)
        #expect(summary.clips == 2 && summary.failures == 1 && summary.bins == 12 && !summary.wasUpToDate)
        #expect(summary.rows == 61 + 30)
        #expect(summary.audioSeconds == 1.5)
        #expect(summary.bytes == (try fixture.bytes("features.h5").count))
        #expect(
            summary.firstFailures.map(\.description) == [
                "gone.wav (gone): \(ClipFailure.cannotOpen(ClipFailureTable.gone))"
            ])
        let end = progress.snapshot
        #expect(end.phase == .finished && end.total == 3 && end.done == 3 && end.failed == 1)
        #expect(abs(end.audioSeconds - 1.5) < 1e-3)
    }
}
