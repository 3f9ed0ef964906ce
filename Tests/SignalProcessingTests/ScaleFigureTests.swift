import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct ScaleFigureTests {
    private func scaled(
        _ values: [Float], _ scale: ScaleConfiguration, _ input: PowerScale.Input = .power
    ) -> [Float] {
        var values = values
        PowerScale(scale, input: input).apply(&values, count: values.count)
        return values
    }

    @Test(arguments: ScaleConfiguration.Kind.allCases)
    func `a value is min((v + offset) · factor, limit)`(kind: ScaleConfiguration.Kind) throws {
        var random = RandomSource(seed: 361)
        let powers = (0..<37).map { _ in Float(exp(Double.random(in: -8...8, using: &random))) }
        for (offset, factor, limit) in [(4, 0.25, nil), (-1, 3, 2), (0, 1, -0.5), (100, 1e-3, 0.1)]
            as [(Double, Double, Double?)]
        {
            let plain = try ScaleConfiguration(kind: kind, floor: 1e-3, reference: 2)
            let scale = try ScaleConfiguration(
                kind: kind, floor: 1e-3, reference: 2, offset: offset, factor: factor, limit: limit)
            let values = scaled(powers, plain)
            let found = scaled(powers, scale)
            for (value, found) in zip(values, found) {
                // With PCEN, EnergyNormalizer applies these, not the scale.
                let shifted = kind == .pcen ? Double(value) : (Double(value) + offset) * factor
                let expected = kind == .pcen ? shifted : min(shifted, limit ?? .infinity)
                let size = kind == .pcen ? abs(shifted) : (abs(Double(value)) + abs(offset) + 10) * factor
                #expect(abs(Double(found) - expected) <= 1e-6 * size, "\(kind): \(found), \(expected)")
            }
        }
    }

    @Test func `an amplitude keeps its sign and is only divided, whatever asks for it`() throws {
        for kind in [ScaleConfiguration.Kind.magnitude, .linear, .complex] {
            let scale = try ScaleConfiguration(kind: kind, reference: 4)
            #expect(
                scaled([-8, 0, 2, -0.5, 1, 1, 1, 1, -4], scale, .amplitude) == [
                    -2, 0, 0.5, -0.125, 0.25, 0.25, 0.25, 0.25, -1,
                ])
        }
    }

    @Test(arguments: ScaleConfiguration.Kind.allCases)
    func `a limit hides no infinite power and none that is not a number`(kind: ScaleConfiguration.Kind) throws {
        let scale = try ScaleConfiguration(kind: kind, limit: 1)
        for index in 0..<11 {
            for bad in [Float.nan, .infinity] {
                var powers = [Float](repeating: 0.5, count: 11)
                powers[index] = bad
                let values = scaled(powers, scale)
                #expect(!values[index].isFinite, "\(bad) at index \(index) became \(values[index])")
                #expect(values.indices.allSatisfy { $0 == index || values[$0].isFinite })
            }
        }
    }

    @Test func `nothing lies more than top_db below the greatest value, in every unit and with a factor`() throws {
        var random = RandomSource(seed: 362)
        let signal = random.samples(4000).enumerated().map { $1 * Float(exp(-Double($0) / 300)) }
        for (kind, perDecibel) in [("db", 1), ("ln", log(10.0) / 10), ("log10", 0.1)]
            as [(SettingValue, Double)]
        {
            for factor in [1, 0.25, 3] as [Double] {
                let settings: [String: SettingValue] = [
                    "scale": ["kind": kind, "floor": 1e-10, "factor": .number(factor), "offset": 4]
                ]
                let free = try ConfigurationCase(.logMel, settings).plan().features(of: signal).values
                let bound = try ConfigurationCase(.logMel, settings.merging(["scale.top_db": 25]) { $1 })
                    .plan().features(of: signal).values
                let minimum = Double(free.max() ?? 0) - 25 * perDecibel * factor
                #expect(free.contains { Double($0) < minimum - 1e-3 })
                #expect(largestDifference(bound, free.map { max(Double($0), minimum) }) <= 1e-5)
            }
        }
    }
}
