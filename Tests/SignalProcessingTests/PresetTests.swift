import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

/// One of the `preset-*.json`.
private struct PresetGolden: Decodable {
    struct Case: Decodable {
        let file: String
        let rows: Int
        let bins: Int
        let values: [Double]?
        let zscore: [Double]?
        let mean: [Double]?
        let std: [Double]?
        let magnitude: [Double]?
        let db: [Double]?
    }

    let cases: [Case]

    static func cases(_ preset: Preset) throws -> [Case] {
        let cases = try Fixtures.golden("preset-\(preset.rawValue).json", as: PresetGolden.self).cases
        try #require(!cases.isEmpty)
        return cases
    }
}

/// The tolerances are those of the reference systems: 1e-5 of the frame's maximum linear value, 1e-3 dB.
struct PresetTests {
    private func features(_ preset: Preset, of known: PresetGolden.Case) throws -> FeatureMatrix {
        let recording = try RecordingFixture(known.file)
        let configuration = try preset.configuration()
        let samples = configuration.audio.channels == .first ? recording.first : recording.mix
        let plan = try FeaturePlan(configuration, sampleRate: recording.sampleRate)
        let features = try plan.features(of: samples)
        try #require(features.rows == known.rows && features.bins == known.bins)
        return features
    }

    private func row(_ row: Int, of values: [Double], bins: Int) -> ArraySlice<Double> {
        values[row * bins..<(row + 1) * bins]
    }

    @Test func `mixer-fft equals NumPy's magnitudes`() throws {
        for known in try PresetGolden.cases(.mixerFFT) {
            let features = try features(.mixerFFT, of: known)
            let values = try #require(known.values)
            for index in 0..<known.rows {
                let expected = Array(row(index, of: values, bins: known.bins))
                let error = relativeError(Array(features[row: index]), expected)
                #expect(error <= 1e-5, "\(known.file), frame \(index)")
            }
        }
    }

    /// Frame by frame: what the preset gives, SciPy's decibels, and the preset's floor.
    private func scrollingFrames() throws -> [(found: [Float], expected: [Double], floor: Double)] {
        let scale = try Preset.scrollingDCT.configuration().scale
        let floor = 10 * log10(scale.floor / scale.reference)
        return try PresetGolden.cases(.scrollingDCT).flatMap { known in
            let features = try features(.scrollingDCT, of: known)
            let decibels = try #require(known.db)
            return (0..<known.rows).map { index in
                (Array(features[row: index]), Array(row(index, of: decibels, bins: known.bins)), floor)
            }
        }
    }

    @Test func `scrolling-dct equals SciPy's decibels down to 60 dB below a frame's maximum`() throws {
        for (index, frame) in try scrollingFrames().enumerated() {
            let minimum = max((frame.expected.max() ?? 0) - 60, frame.floor)
            let wrong = zip(frame.found, frame.expected).filter { found, expected in
                expected > minimum && abs(Double(found) - expected) > 1e-3
            }
            #expect(wrong.isEmpty, "frame \(index): \(wrong)")
        }
    }

    @Test func `scrolling-dct equals SciPy's decibels down to the floor`() throws {
        let frames = try scrollingFrames()
        let wrong = frames.flatMap { frame in
            zip(frame.found, frame.expected).filter { found, expected in
                expected > frame.floor && abs(Double(found) - expected) > 1e-3
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `scrolling-dct is at its floor where SciPy's decibels lie below it, and never lower`() throws {
        for frame in try scrollingFrames() {
            let low = zip(frame.found, frame.expected).filter { $0.1 < frame.floor - 0.1 }
            #expect(low.allSatisfy { abs(Double($0.0) - frame.floor) <= 1e-4 })
            #expect(frame.found.allSatisfy { Double($0) >= frame.floor - 1e-4 })
        }
        #expect(try scrollingFrames().contains { frame in frame.expected.contains { $0 < frame.floor - 0.1 } })
    }

    @Test func `scrolling-dct equals SciPy's coefficients in magnitude`() throws {
        for known in try PresetGolden.cases(.scrollingDCT) {
            let preset = try Preset.scrollingDCT.configuration()
            let linear = try FeatureConfiguration(
                audio: preset.audio, frame: preset.frame, transform: preset.transform,
                scale: ScaleConfiguration(kind: .magnitude))
            let recording = try RecordingFixture(known.file)
            let features = try FeaturePlan(linear, sampleRate: recording.sampleRate).features(of: recording.first)
            try #require(features.rows == known.rows)
            let magnitude = try #require(known.magnitude)
            for index in 0..<known.rows {
                let expected = Array(row(index, of: magnitude, bins: known.bins))
                let error = relativeError(Array(features[row: index]), expected)
                #expect(error <= 1e-5, "\(known.file), frame \(index)")
            }
        }
    }

    @Test func `log-mel equals librosa's powers and logarithms`() throws {
        for known in try PresetGolden.cases(.logMel) {
            let features = try features(.logMel, of: known)
            let values = try #require(known.values)
            for index in 0..<known.rows {
                let (found, expected) = (features[row: index], row(index, of: values, bins: known.bins))
                let maximum = exp(expected.max() ?? 0)
                let wrong = zip(found, expected).filter { found, expected in
                    abs(exp(Double(found)) - exp(expected)) > 1e-5 * maximum
                        || exp(expected) > 1e-6 * maximum && abs(Double(found) - expected) > 1e-4
                }
                #expect(wrong.isEmpty, "frame \(index): \(wrong)")
            }
        }
    }

    @Test func `log-mel, normalised by its own statistics, equals the z-scores`() throws {
        for known in try PresetGolden.cases(.logMel) {
            var values = try features(.logMel, of: known).values
            let accumulator = try StatisticsAccumulator(bins: known.bins)
            values.withUnsafeBufferPointer { accumulator.add($0) }
            let statistics = try #require(accumulator.statistics())
            #expect(zip(statistics.mean, try #require(known.mean)).allSatisfy { abs($0 - $1) <= 1e-4 })
            #expect(zip(statistics.standardDeviation, try #require(known.std)).allSatisfy { abs($0 - $1) <= 1e-4 })
            let normalizer = Normalizer(NormalizeConfiguration(method: .zscore, axis: .bin), statistics: statistics)
            values.withUnsafeMutableBufferPointer { normalizer.apply($0) }
            #expect(largestDifference(values, try #require(known.zscore)) <= 1e-4)
        }
    }
}
