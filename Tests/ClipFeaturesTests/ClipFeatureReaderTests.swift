import AudioDecoding
import ExtractionSupport
import FeatureModel
import SignalProcessing
import TestSupport
import Testing

@testable import ClipFeatures

struct ClipFeaturesTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    /// Rows that need the clip's mean, its peak, or both; all at 8 kHz.
    private func configurations() throws -> [FeatureConfiguration] {
        let mel = TransformConfiguration.mel(try MelConfiguration(bins: 12), deltas: try DeltaConfiguration(order: 2))
        let cepstra = TransformConfiguration.mfcc(
            try CepstrumConfiguration(bins: 5, bank: MelConfiguration(bins: 12), zeroth: .energy))
        return try [(mel, true, nil), (mel, false, 20.0), (mel, true, 3.5), (cepstra, true, 12.25)].map {
            transform, removeDC, top in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 8000), condition: ConditionConfiguration(removeDC: removeDC),
                frame: FrameConfiguration(
                    length: .samples(200), hop: .samples(80), fftLength: 256, align: .center, pad: .edge),
                transform: transform, scale: ScaleConfiguration(kind: .db, topDB: top))
        }
    }

    @Test func `rows of a clip are those of the library, however few may be kept for a second pass`() throws {
        var noise = try fixture.record("a.wav", samples: 30_000, encoding: .float32, seed: 3)[0]
        // Quiet at the beginning, so that the peak is known late; not around zero, so that the mean counts.
        noise = noise.enumerated().map { ($0 < 20_000 ? 0.01 : 1) * $1 + 0.2 }
        try fixture.folder.writeWave([noise], sampleRate: 8000, encoding: .float32, to: "a.wav")
        let path = fixture.folder.path("a.wav")
        for configuration in try configurations() {
            let plan = try FeaturePlan(configuration, sampleRate: 8000)
            let expected = try plan.features(of: noise)
            try #require(expected.rows == 376)
            for maximumKept in [0, 1000, 1 << 22] {
                let features = try ClipFeatureReader(plan, maximumKept: maximumKept)
                // Twice, since a worker goes on to the next clip.
                for _ in 0..<2 {
                    var (values, decoded): ([Float], Int) = ([], 0)
                    let found = try features.read(
                        Clip(index: 0, id: "a", path: path), path: path, decoded: { decoded += $0.count },
                        receive: { rows throws(ClipFailure) in values.append(contentsOf: rows) })
                    #expect(values == expected.values, "\(maximumKept) values kept")
                    #expect(features.sampleCount == 30_000 && found.duration == 3.75)
                    #expect(decoded == 30_000, "the samples' checksum takes in each sample once")
                }
            }
        }
    }

    @Test func `values that depend on the whole clip are computed clip by clip, for any number of jobs`() throws {
        var manifest = "id,path\n"
        var signals: [[Float]] = []
        for clip in 0..<7 {
            signals.append(
                try fixture.record("\(clip).wav", samples: 700 + 900 * clip, seed: clip, gain: 0.9 / Float(1 + clip))[0]
            )
            manifest += "\(clip),\(clip).wav\n"
        }
        for configuration in try configurations() {
            let raw = try FeatureConfiguration(
                audio: configuration.audio, condition: configuration.condition, frame: configuration.frame,
                transform: configuration.transform, scale: configuration.scale, normalize: .none)
            let plan = try FeaturePlan(raw, sampleRate: 8000)
            for jobs in [1, 3] {
                let file = try fixture.extract(manifest, raw, output: "\(raw.hashValue)-\(jobs).h5", jobs: jobs)
                #expect(file.axis == plan.axis)
                for (clip, signal) in signals.enumerated() {
                    #expect(try file.features(id: "\(clip)") == plan.features(of: signal).values, "clip \(clip)")
                }
            }
        }
    }

    @Test func `the check for a stop is called several times in every pass over a clip`() throws {
        try fixture.record("a.wav", samples: 100_000, encoding: .float32)
        let path = fixture.folder.path("a.wav")
        let clip = Clip(index: 0, id: "a", path: path)
        for configuration in try configurations() {
            let plan = try FeaturePlan(configuration, sampleRate: 8000)
            let features = try ClipFeatureReader(plan, maximumKept: 1000)
            var asked = 0
            func read(stopAt last: Int) throws(ClipFailure) {
                asked = 0
                _ = try features.read(
                    clip, path: path,
                    check: { () throws(ClipFailure) in
                        asked += 1
                        if asked == last { throw ClipFailure.stopped }
                    }, receive: { _ throws(ClipFailure) in })
            }
            try read(stopAt: .max)
            // A pass for the mean, one for the peak, and a second one over a clip whose rows were not kept.
            let passes = (plan.needsSurvey ? 1 : 0) + (plan.needsWholeClip ? 2 : 1)
            let all = asked
            try #require(all >= 5 * passes)
            for last in 1...all {
                let failure = #expect(throws: ClipFailure.self) { try read(stopAt: last) }
                #expect(failure?.reason == "stopped" && asked == last)
            }
        }
    }

    @Test func `a clip too short for a frame says how many samples it takes`() throws {
        try fixture.record("short.wav", samples: 79)
        let frame = try FrameConfiguration(length: .samples(400), hop: .samples(160), fftLength: 512, align: .kaldi)
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000), frame: frame, transform: .fft(bins: nil),
            scale: ScaleConfiguration(), normalize: .none)
        let file = try fixture.extract("path\nshort.wav\n", configuration)
        let failure = try #require(try file.allFailures().first?.failure)
        #expect(failure == FailureRecord(.tooShort(minimum: 80, sampleRate: 8000, found: 79)))
        try fixture.record("short.wav", samples: 80)
        #expect(try fixture.extract("path\nshort.wav\n", configuration, output: "80.h5").rows == 1)
    }
}
