import FeatureModel
import Foundation
import Testing

@testable import SignalProcessing

struct FeatureAxisTests {
    private func plan(_ settings: [String: SettingValue], preset: Preset = .logMel) throws -> FeaturePlan {
        try ConfigurationCase(preset, settings).plan()
    }

    @Test func `a complex spectrum has the bins' frequencies twice: real parts, imaginary parts`() throws {
        let plan = try plan(["transform": ["kind": "fft", "bins": 9, "step": 2], "scale.kind": "complex"])
        let bins = (0..<5).map { Float($0) * 62.5 }
        #expect(plan.bins == 10)
        #expect(plan.axis == .frequency(bins + bins))
        #expect(plan.highestFrequency == 250)
    }

    @Test func `every step-th bin keeps its own frequency`() throws {
        let plan = try plan(["transform.step": 8], preset: .liveWaveform)
        #expect(plan.bins == 25)
        let expected = (0..<25).map { (bin: Int) -> Float in Float(Double(8 * bin) * 16_000 / 8192) }
        #expect(plan.frequencies == expected)
    }

    @Test(arguments: [0, 1, 2])
    func `bands with deltas have their centres once for each part`(order: Int) throws {
        let plan = try plan(["transform.deltas": .number(Double(order))])
        let centers = try #require(plan.filterBank).centers.map { Float($0) }
        #expect(plan.bins == 80 * (order + 1))
        #expect(plan.axis == .frequency((0...order).flatMap { _ in centers }))
        #expect(plan.highestFrequency == plan.filterBank?.centers.last)
    }

    @Test func `cepstra have their orders: c0 first, last, replaced by the energy, or left out`() throws {
        let expected: [(SettingValue, [Float])] = [
            ("first", [0, 1, 2, 3]), ("last", [1, 2, 3, 0]), ("energy", [0, 1, 2, 3]), ("none", [1, 2, 3, 4]),
        ]
        for (zeroth, orders) in expected {
            let plan = try plan(["transform": ["kind": "mfcc", "bins": 4, "c0": zeroth, "deltas": 2]])
            #expect(plan.axis == .coefficient(orders + orders + orders), "\(zeroth)")
            #expect(plan.frequencies.isEmpty)
            #expect(plan.highestFrequency == plan.filterBank?.centers.last)
        }
    }

    @Test func `a linear bank is spaced evenly in Hz`() throws {
        let plan = try plan(["transform": ["kind": "lfcc", "bands": 7, "bins": 4, "low": 1000, "high": 5000]])
        let centers = try #require(plan.filterBank).centers
        for (band, center) in centers.enumerated() { #expect(abs(center - 1500 - 500 * Double(band)) < 1e-9) }
    }

    @Test func `the musical axis rises by an eighth of a semitone from a quarter of a tone below C1`() throws {
        let plan = try ConfigurationCase(.musicalSpectrum).plan()
        let (first, last) = (Double(plan.frequencies[0]), Double(plan.frequencies[711]))
        // 440 · 2^(−45/12 − 1/24), then 711/96 octaves.
        #expect(abs(first - 31.772_1) < 1e-3 && abs(last / first - pow(2, 711.0 / 96)) < 1e-4)
        #expect(zip(plan.frequencies, plan.frequencies.dropFirst()).allSatisfy { abs($1 / $0 - 1.007_246_4) < 1e-5 })
        #expect(plan.highestFrequency == Double(plan.frequencies[711]))
    }

    @Test func `the 2048 bins behind the musical axis are those of the preset's own transform`() throws {
        let plan = try plan(["transform.kind": "fft"], preset: .musicalSpectrum)
        #expect(plan.bins == 2048)
        #expect(abs(plan.frequencies[1] - 2.691_65) < 1e-5)
    }
}
