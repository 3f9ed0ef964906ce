import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct MusicalAxisTests {
    private static let axes: [(musical: (Double, Int, Int), fftLength: Int, rate: Double)] = [
        ((32.703, 89, 8), 4096, 11_025), ((0.5, 40, 3), 512, 16_000), ((100, 60, 1), 1024, 8000),
        ((3000, 1, 1000), 4, 16_000),
        ((27.5, 80, 4), 401, 8000),
    ]

    private func musical(_ settings: (Double, Int, Int)) throws -> MusicalConfiguration {
        try MusicalConfiguration(lowest: .hertz(settings.0), notes: settings.1, pointsPerNote: settings.2)
    }

    /// The points of rows that have a number more after them.
    private func rows<Number: RowNumber>(
        _ axis: MusicalAxis, _ spectra: [[Float]], of type: Number.Type
    ) -> [[Number]] {
        let points = axis.frequencies.count
        let magnitudes = spectra.flatMap { $0.map { Number($0) } + [.nan] }
        var values = [Number](repeating: 7, count: (spectra.count + 1) * (points + 1))
        axis.apply(
            magnitudes, distance: spectra[0].count + 1, into: &values, width: points + 1, rows: spectra.count)
        for index in values.indices where index / (points + 1) >= spectra.count || index % (points + 1) == points {
            #expect(values[index] == 7, "written past the points")
        }
        return spectra.indices.map { Array(values[$0 * (points + 1)..<$0 * (points + 1) + points]) }
    }

    /// ½ · (A[b−1] (a² − a) + A[b] (2 − 2a²) + A[b+1] (a² + a)), b = max(⌊position⌋, 1), a = position − b.
    private func expected(_ spectrum: [Float], position: Double) -> Double {
        let b = max(Int(position), 1)
        let a = position - Double(b)
        let (left, middle, right) = (
            Double(spectrum[b - 1]), Double(spectrum[b]), Double(spectrum[b + 1])
        )
        return 0.5 * (left * (a * a - a) + middle * (2 - 2 * a * a) + right * (a * a + a))
    }

    @Test(arguments: 0..<axes.count)
    func `points follow the parabola's formula, those below bin 1 included`(index: Int) throws {
        let (settings, fftLength, rate) = Self.axes[index]
        let musical = try musical(settings)
        let axis = MusicalAxis(musical, fftLength: fftLength, sampleRate: rate)
        var random = RandomSource(seed: 331)
        let spectra = (0..<3).map { _ in random.samples(fftLength / 2 + 1).map { abs($0) * 100 } }
        let (single, double) = (rows(axis, spectra, of: Float.self), rows(axis, spectra, of: Double.self))
        for (row, spectrum) in spectra.enumerated() {
            let reference = (0..<musical.points).map { point in
                let hertz = settings.0 * pow(2, -1.0 / 24) * pow(2, Double(point) / Double(12 * settings.2))
                return expected(spectrum, position: hertz * Double(fftLength) / rate)
            }
            #expect(relativeError(single[row], reference) <= 1e-5)
            #expect(relativeError(double[row], reference) <= 1e-11)
        }
        if index == 1 { #expect(musical.frequencies[0] * 512 / 16_000 < 1) }
    }

    @Test func `a parabola in the magnitudes is read exactly, a straight line too`() throws {
        let musical = try musical((200, 24, 8))
        let axis = MusicalAxis(musical, fftLength: 256, sampleRate: 8000)
        for (square, slope) in [(0.0, 0.5), (0.125, -1)] {
            let curve = { (bin: Double) in square * bin * bin + slope * bin + 40 }
            let values = rows(axis, [(0...128).map { Float(curve(Double($0))) }], of: Float.self)[0]
            let reference = musical.frequencies.map { curve($0 * 256 / 8000) }
            #expect(relativeError(values, reference) <= 1e-6)
        }
    }

    /// A tone between two bins, without a window: next to its peak the parabola falls below 0.
    private func features(_ settings: [String: SettingValue]) throws -> FeatureMatrix {
        let base: [String: SettingValue] = [
            "frame.length": 1024, "frame.hop": 1024, "frame.fft_length": 1024,
            "frame.window": "rectangular",
            "transform.lowest": 1000, "transform.notes": 12, "transform.points_per_note": 40,
        ]
        let plan = try ConfigurationCase(.musicalSpectrum, base.merging(settings) { $1 }).plan()
        return try plan.features(of: (0..<1024).map { Float(sin(2 * .pi * Double($0) * 140 / 1024)) })
    }

    @Test func `next to a peak magnitudes overshoot below 0, powers are 0 and decibels are at the floor`() throws {
        let magnitude = try features([:]).values
        let power = try features(["scale": ["kind": "power"]]).values
        let level = try features(["scale": ["kind": "db", "floor": 1e-6]]).values
        #expect(magnitude.contains { $0 < -1 } && magnitude.contains { $0 > 100 })
        for point in magnitude.indices {
            let clipped = max(magnitude[point], 0)
            #expect(abs(power[point] - clipped * clipped) <= 1e-6 * clipped * clipped)
            let expected = 10 * log10(max(Double(clipped * clipped), 1e-6))
            #expect(abs(Double(level[point]) - expected) <= 1e-4)
        }
    }
}
