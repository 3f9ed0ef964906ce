import ArrayFiles
import AudioDecoding
import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

struct NoiseTests {
    private let recording: SampleRecording

    /// Without the digital silence of longer ones, in which dither is all that there is.
    init() throws { recording = try SampleRecording(seconds: 0.7) }

    private func samples(_ amplitude: Double, _ samples: [Float]? = nil) -> [Float] {
        var noise = GaussianNoise(seed: 99)
        return (samples ?? recording.samples).map { $0 + Float(amplitude * noise.next()) }
    }

    /// The recording with digital silence in it, of 0.2 s by default, and its path.
    private func silenced(_ silence: Range<Int> = 4000..<7200, value: Float = 0) throws -> (
        samples: [Float], path: String
    ) {
        var samples = recording.samples
        for index in silence { samples[index] = value }
        try recording.folder.writeWave([samples], sampleRate: SampleRecording.rate, to: "silenced.wav")
        return (samples, recording.folder.path("silenced.wav"))
    }

    /// The explanation by the preset itself: others are tried where it fails, which takes longer.
    private func explanation(
        _ matrix: FeatureMatrix, _ configuration: FeatureConfiguration, of path: String? = nil
    ) throws -> Explanation {
        let path = path ?? recording.path
        let array = NumericArray(shape: [matrix.rows, matrix.bins], values: matrix.values)
        let layout = try #require(
            ArrayLayout.candidates(array, rows: matrix.rows, bins: matrix.bins).first)
        let clip = Clip(index: 0, id: "a", path: path)
        let signals = try RecordingSignals(
            clip, path: path, audio: configuration.audio, policy: RecordingPolicy())
        let target = Target(layout, tolerance: ConformanceCheck.usualTolerance)
        let outcome = try ConformanceSearch.explanation(configuration, signals, target, jobs: 2)
        return try #require(outcome.explanation)
    }

    @Test(arguments: [
        (Preset.kaldiFBank, 1 / 32_768.0), (.kaldiFBank, 1e-5), (.parakeet, 1e-5), (.logMel, 1e-4),
    ])
    func `dither and its strength: Kaldi's, a third of it, and NeMo's before normalisation`(
        preset: Preset, amplitude: Double
    ) throws {
        let configuration = try SampleRecording.configuration(preset)
        let found = try explanation(
            recording.features(configuration, of: samples(amplitude)), configuration)
        #expect(found.variations.isEmpty && found.isComplete && found.fit.model == .exact)
        let ratio = try #require(found.random).amplitude / amplitude
        #expect((0.85...1.18).contains(ratio), "\(ratio)")
    }

    /// There it changes values by nearly their whole range.
    @Test(arguments: [Preset.kaldiFBank, .logMel])
    func `dither where the recording is digitally silent`(preset: Preset) throws {
        let configuration = try SampleRecording.configuration(preset)
        let (silent, path) = try silenced()
        let theirs = try recording.features(configuration, of: samples(1 / 32_768.0, silent))
        let found = try explanation(theirs, configuration, of: path)
        #expect(found.variations.isEmpty && found.isComplete && found.fit.model == .exact)
        let random = try #require(found.random)
        #expect((0.85...1.18).contains(random.amplitude * 32_768) && random.isAloneInSilence)
    }

    @Test func `digital silence is found in the rows that nothing else reaches`() throws {
        let plan = try FeaturePlan(SampleRecording.configuration(.kaldiFBank), sampleRate: 16_000)
        let (silent, _) = try silenced()
        let rows = SilentRows.rows(of: silent, plan)
        // Frames of 400 samples every 160, in transforms of 512 points.
        let first = try #require(rows.first)
        #expect(
            rows == Array(first..<first + rows.count) && (26...27).contains(first) && (16...18).contains(rows.count))
        let values = try recording.features(SampleRecording.configuration(.kaldiFBank), of: silent)
        for row in rows { #expect(values[row: row].elementsEqual(values[row: first])) }
        #expect(SilentRows.rows(of: recording.samples, plan).isEmpty && SilentRows.rows(of: [], plan).isEmpty)
        // All of a signal, and one that is shorter than a frame.
        let whole = [Float](repeating: 0.5, count: 1600)
        #expect(SilentRows.rows(of: whole, plan).last == 7 && SilentRows.rows(of: [0, 0, 0], plan).isEmpty)
    }

    /// A recording with 0.3 s of digital silence, and an array, whose difference is not explained completely.
    private func isOffInSilence(
        _ preset: Preset, _ changes: [(String, ConfigurationValue)] = [], silence: Float = 0,
        _ change: (_ silenced: [Float]) -> [Float]
    ) throws -> Bool {
        let (silent, path) = try silenced(3200..<8000, value: silence)
        let other = try SampleRecording.configuration(preset, changes)
        let matrix = try recording.features(other, of: change(silent))
        let subject = try Subject(
            .init(clip: Clip(index: 0, id: "a", path: path), path: path, arrayName: nil),
            NumericArray(shape: [matrix.rows, matrix.bins], values: matrix.values),
            SampleRecording.configuration(preset), policy: RecordingPolicy(),
            tolerance: ConformanceCheck.usualTolerance)
        return try #require(subject).isOffInSilence
    }

    /// Kaldi's features are without the mean of a frame.
    @Test(arguments: [(Preset.kaldiFBank, 0), (.logMel, 0), (.kaldiFBank, 0.25)] as [(Preset, Float)])
    func `noise in digital silence hides a wrong window, also where that is a constant`(preset: Preset, value: Float)
        throws
    {
        #expect(
            try isOffInSilence(preset, [("frame.window", .text("hamming"))], silence: value) {
                samples(1 / 32_768.0, $0)
            })
    }

    /// Other sound where the recording is silent: a sample of it, given its number in the silence and the sample that was there.
    private static let otherSounds: [(name: String, sample: @Sendable (_ index: Int, _ speech: Float) -> Float)] = [
        ("speech", { _, speech in speech }),
        ("faint speech", { _, speech in 0.003 * speech }),
        (
            "a chirp",
            { index, _ in
                let time = Double(index) / 16_000
                return Float(0.01 * sin(2 * .pi * (300 + 2000 * time) * time))
            }
        ),
        ("a hum", { index, _ in Float(1e-4 * sin(2 * .pi * 100 * Double(index) / 16_000)) }),
    ]

    @Test(arguments: otherSounds.indices, [Preset.kaldiFBank, .logMel])
    func `other sound in digital silence is not noise`(index: Int, preset: Preset) throws {
        let speech = recording.samples
        let found = try isOffInSilence(preset) { silenced in
            var samples = silenced
            for (offset, position) in (3200..<8000).enumerated() {
                samples[position] = Self.otherSounds[index].sample(offset, speech[position])
            }
            return samples
        }
        #expect(!found, "\(Self.otherSounds[index].name)")
    }

    @Test func `noise that fades in digital silence is not dither, nor is it where the rest is another recording`()
        throws
    {
        #expect(
            try !isOffInSilence(.kaldiFBank) { silenced in
                samples(1, silenced.map { _ in 0 }).enumerated().map { index, noise in
                    silenced[index]
                        + (3200..<8000 ~= index ? noise * Float(pow(10, -3 - Double(index - 3200) / 1600)) : 0)
                }
            })
        #expect(
            try !isOffInSilence(.kaldiFBank) { silenced in
                let noisy = samples(1 / 32_768.0, silenced)
                return noisy.indices.map { 3200..<8000 ~= $0 ? noisy[$0] : 0.7 * noisy[($0 + 900) % noisy.count] }
            })
    }

    @Test func `dither with a wrong window`() throws {
        let configuration = try SampleRecording.configuration(.kaldiFBank)
        let other = try SampleRecording.configuration(.kaldiFBank, [("frame.window", .text("hann"))])
        let found = try explanation(recording.features(other, of: samples(1 / 32_768.0)), configuration)
        #expect(found.random != nil && found.isComplete)
        #expect(found.variations.flatMap(\.assignments).map(\.text).contains("frame.window=hann"))
    }

    /// Damage that moves values as noise might, by the mean of the squares.
    private static let damage: [(name: String, change: @Sendable (FeatureMatrix) -> [Float])] = [
        (
            "one NaN",
            { matrix in
                var values = matrix.values
                values[377] = .nan
                return values
            }
        ),
        (
            "a row repeated",
            { matrix in
                var values = matrix.values
                values.replaceSubrange((30 * matrix.bins)..<(31 * matrix.bins), with: matrix[row: 29])
                return values
            }
        ),
        (
            "rows of zeros",
            { matrix in
                var values = matrix.values
                for index in (40 * matrix.bins)..<(45 * matrix.bins) { values[index] = 0 }
                return values
            }
        ),
        (
            // 8 bits are those of bfloat16, which are recognised.
            "a precision of 6 bits",
            { matrix in
                matrix.values.map { Float(bitPattern: ($0.bitPattern + 0x1_FFFF) & 0xFFFC_0000) }
            }
        ),
        (
            "the quiet fifth set to the minimum",
            { matrix in
                let ordered = matrix.values.sorted()
                let limit = ordered[ordered.count / 5]
                return matrix.values.map { $0 < limit ? ordered[0] : $0 }
            }
        ),
    ]

    @Test(arguments: damage.indices, [Preset.kaldiFBank, .whisper])
    func `damage is not noise`(index: Int, preset: Preset) throws {
        let configuration = try SampleRecording.configuration(preset)
        let right = try recording.features(configuration)
        let changed = FeatureMatrix(bins: right.bins, values: Self.damage[index].change(right))
        let found = try explanation(changed, configuration)
        #expect(found.random == nil && !found.isComplete, "\(Self.damage[index].name)")
    }

    @Test func `dither with one value missing, or with other rows, is not all that is wrong`() throws {
        let configuration = try SampleRecording.configuration(.kaldiFBank)
        let dithered = try recording.features(configuration, of: samples(1 / 32_768.0))
        var values = dithered.values
        values[100] = .nan
        #expect(try !explanation(FeatureMatrix(bins: 23, values: values), configuration).isComplete)
        let cut = FeatureMatrix(bins: 23, values: Array(dithered.values[..<(50 * 23)]))
        #expect(try !explanation(cut, configuration).isComplete)
    }

    /// An explanation is right for each part alone, not for all: the strengths of the parts differ.
    @Test(arguments: [0, 1 / 3.0])
    func `noise of low bins, of early rows, or of a third of the strength in them, is not dither`(share: Double) throws
    {
        let configuration = try SampleRecording.configuration(.kaldiFBank)
        let strong = try recording.features(configuration, of: samples(1 / 32_768.0))
        let weak = try recording.features(configuration, of: samples(share / 32_768.0))
        let isEarly: @Sendable (Int) -> Bool = { $0 / 23 < strong.rows / 2 }
        for isStrong in [isEarly, { $0 % 23 < 12 }] {
            let values = strong.values.indices.map { isStrong($0) ? strong.values[$0] : weak.values[$0] }
            let found = try explanation(FeatureMatrix(bins: 23, values: values), configuration)
            #expect(found.random == nil && !found.isComplete)
        }
    }

    @Test(arguments: [Preset.kaldiFBank, .whisper])
    func `a sample late is not noise`(preset: Preset) throws {
        let configuration = try SampleRecording.configuration(preset)
        let late = [0] + recording.samples.dropLast()
        let found = try explanation(recording.features(configuration, of: late), configuration)
        // Frames that start a sample early are the same, where no end of the signal is in them.
        #expect(found.random == nil && (!found.isComplete || found.variations.frameShift == -1))
    }

    @Test func `the noise of neighbouring seeds has nothing in common, at any distance`() {
        func numbers(_ seed: UInt64) -> [Double] {
            var noise = GaussianNoise(seed: seed)
            return (0..<4000).map { _ in noise.next() }
        }
        let (first, third) = (numbers(1), numbers(3))
        for distance in 0..<8 {
            let products = zip(first.dropFirst(distance), third).map { $0 * $1 }
            let mean: Double = products.reduce(0, +) / Double(products.count)
            #expect(abs(mean) < 0.1)
        }
        let power = first.reduce(0) { (sum: Double, x: Double) in sum + x * x } / 4000
        #expect(abs(power - 1) < 0.1)
    }
}
