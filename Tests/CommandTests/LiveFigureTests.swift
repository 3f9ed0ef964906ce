import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import veery

struct LiveFigureTests {
    @Test(arguments: 0..<20)
    func `a smooth curve goes through its points, and never beyond its neighbours`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let values = random.samples(Int.random(in: 2...25, using: &random))
        let curve = SmoothCurve(values)
        for (index, value) in values.enumerated() {
            #expect(abs(curve.value(at: Double(index) / Double(values.count - 1)) - Double(value)) < 1e-9)
        }
        for step in 0...1000 {
            let position = Double(step) / 1000 * Double(values.count - 1)
            let index = min(Int(position), values.count - 2)
            let ends = [Double(values[index]), Double(values[index + 1])].sorted()
            let value = curve.value(at: Double(step) / 1000)
            #expect(value >= ends[0] - 1e-9 && value <= ends[1] + 1e-9)
        }
        #expect(SmoothCurve([3]).value(at: 0.5) == 3)
    }

    @Test func `a range rises at once, falls little by little, and never so far that silence is bright`() throws {
        let configuration = try Preset.logMel.configuration()
        let plan = try FeaturePlan(configuration, sampleRate: 16_000)
        let meter = ValueMeter(configuration, geometry: plan.geometry, isSpectrum: true)
        var range = LevelRange(meter)
        let silence = [Float](repeating: logf(1e-10), count: 10)
        range.follow(silence, elapsed: 1)
        #expect(range.level(silence[0]) == 0)
        range.follow([5], elapsed: 0.01)
        #expect(range.high >= 5 && range.high < 6)
        #expect(abs((range.high - range.low) - 60 * logf(10) / 10) < 1e-3)
        let high = range.high
        range.follow([-3], elapsed: 0.01)
        #expect(range.high == high)
        for _ in 0..<50 { range.follow([-3], elapsed: 0.3) }
        #expect(range.high < 0 && range.high >= -3)
        range.follow([.nan, -.infinity], elapsed: 0.3)
        #expect(range.high.isFinite && range.low.isFinite)
        let fixed = LevelRange(0...10)
        #expect(
            fixed.level(-5) == 0 && fixed.level(5) == 127 && fixed.level(50) == 255 && fixed.level(.infinity) == 255)
    }

    @Test func `magnitudes are shown in decibels, logarithms as they are`() throws {
        for (preset, value, shown) in [
            (Preset.mixerFFT, Float(0.1), Float(-20)), (.spectrogram, -7, -7), (.scrollingDCT, 12, 12),
            (.logMel, -3, -3),
        ] {
            let configuration = try preset.configuration()
            let plan = try FeaturePlan(configuration, sampleRate: 16_000)
            let meter = ValueMeter(configuration, geometry: plan.geometry, isSpectrum: true)
            #expect(abs(meter(value) - shown) < 1e-4)
            #expect(meter(0).isFinite)
        }
    }

    @Test(
        arguments: [
            Preset.logMel, .scrollingDCT, .musicalSpectrum, .mixerFFT,
        ], [10, 20, 43, 100])
    func `the labels of an axis are where their frequencies are, and apart`(preset: Preset, cells: Int) throws {
        let configuration = try preset.configuration()
        let plan = try FeaturePlan(configuration, sampleRate: Double(configuration.audio.sampleRate ?? 44_100))
        let labels = FrequencyLabels(plan.axis, bins: plan.bins)
        let found = labels.labels(cells: cells, spacing: 2)
        #expect(found.count >= 3)
        for label in found {
            let hertz =
                label.text.hasSuffix("k") ? (Double(label.text.dropLast()) ?? 0) * 1000 : Double(label.text) ?? 0
            let low = label.cell * plan.bins / cells
            let high = min((label.cell + 1) * plan.bins / cells + 1, plan.bins - 1)
            #expect(
                Double(plan.frequencies[max(low - 1, 0)]) <= hertz && hertz <= Double(plan.frequencies[high]),
                "\(label)")
        }
        for (first, second) in zip(found.sorted { $0.cell < $1.cell }, found.sorted { $0.cell < $1.cell }.dropFirst()) {
            #expect(second.cell - first.cell >= 2)
        }
    }

    @Test(arguments: [0.0, 3000, 100_000])
    func `slices are the means of their rows, and the oldest go`(span: Double) {
        var history = RowHistory(bins: 2, span: span)
        let total = 3 * history.capacity * history.rowsPerSlice / 2
        for row in 0..<total {
            [Float(row), 1].withUnsafeBufferPointer { history.add($0) }
        }
        #expect(history.count == (total + history.rowsPerSlice - 1) / history.rowsPerSlice)
        #expect(Double(history.capacity * history.rowsPerSlice) >= span)
        var means: [Float] = [0, 0]
        let last = history.count - 1
        #expect(history.mean(of: last - 1..<last, into: &means))
        let first = (last - 1) * history.rowsPerSlice
        #expect(abs(means[0] - Float(first) - Float(history.rowsPerSlice - 1) / 2) < 1 && means[1] == 1)
        #expect(!history.mean(of: 0..<1, into: &means))
        #expect(!history.mean(of: last + 1..<last + 2, into: &means))
        history.clear()
        #expect(!history.mean(of: last..<last + 1, into: &means))
    }

    @Test func `each preset is shown as its program shows it`() throws {
        let expected: [Preset: LiveDisplay] = [
            .mixerFFT: .bars, .liveWaveform: .curve, .musicalSpectrum: .notes, .scrollingDCT: .spectrogram,
            .logMel: .spectrogram, .spectrogram: .spectrogram, .kaldiMFCC: .spectrogram,
        ]
        for (preset, display) in expected {
            #expect(LiveDisplay(preset: preset, transform: try preset.configuration().transform) == display)
        }
        for display in LiveDisplay.allCases where display != .equalizer {
            for isRecorded in [false, true] {
                let preset = display.preset(isRecorded: isRecorded)
                #expect(LiveDisplay(preset: preset, transform: try preset.configuration().transform) == display)
            }
        }
    }

    @Test func `without a preset all frequencies are shown, and what extract computes is recorded`() {
        #expect(LiveDisplay.spectrogram.preset(isRecorded: false) == .spectrogram)
        #expect(LiveDisplay.spectrogram.preset(isRecorded: true) == .logMel)
        #expect(LiveDisplay.bars.preset(isRecorded: true) == .mixerFFT)
    }

    @Test func `the noise of a quiet microphone is dark in the default picture`() throws {
        let configuration = try Preset.spectrogram.configuration()
        let plan = try FeaturePlan(configuration, sampleRate: 44_100)
        let meter = ValueMeter(configuration, geometry: plan.geometry, isSpectrum: true)
        // A sine of full scale reaches 20 log10(1103 / 4) = 48.8 dB.
        #expect((meter.minimumHigh - 8.81).magnitude < 0.01)
        let range = LevelRange(meter)
        #expect(range.level(-70) == 0)
    }
}
