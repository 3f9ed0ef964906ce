import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct PowerScaleTests {
    private static let logarithmic: [ScaleConfiguration.Kind] = [.db, .ln, .log10]

    private func scaled(_ powers: [Float], _ scale: ScaleConfiguration) -> [Float] {
        var values = powers + [7]
        PowerScale(scale).apply(&values, count: powers.count)
        #expect(values.last == 7, "written past the end")
        return values.dropLast()
    }

    /// The formulas of `ScaleConfiguration.Kind` in double precision.
    private func expected(_ power: Float, _ scale: ScaleConfiguration) -> Double {
        let floored = max(Double(power), Double(Float(scale.floor))) / scale.reference
        return switch scale.kind {
        case .magnitude: Double(power).squareRoot() / scale.reference
        case .power, .linear, .complex, .pcen: Double(power) / scale.reference
        case .db: 10 * log10(floored)
        case .ln: log(floored)
        case .log10: log10(floored)
        }
    }

    /// Two units in the last place; for a logarithm four of those of its greatest term: up to two from that of the
    /// natural logarithm, whose own unit may be nearly twice as large after the multiplication, and half of one each
    /// from factor, product, offset and sum.
    private func tolerance(_ power: Float, _ scale: ScaleConfiguration) -> Double {
        let value = expected(power, scale)
        guard Self.logarithmic.contains(scale.kind) else { return 2 * Double(Float(value).ulp) }
        let factor = scale.kind == .db ? 10 / log(10.0) : scale.kind == .ln ? 1 : 1 / log(10.0)
        let logarithm = factor * log(max(Double(power), scale.floor))
        return 4 * Double(Float(max(abs(logarithm), abs(factor * log(scale.reference)), factor)).ulp)
    }

    @Test(arguments: ScaleConfiguration.Kind.allCases)
    func `scales follow their formulas, for every number of values`(kind: ScaleConfiguration.Kind) throws {
        var random = RandomSource(seed: 61)
        for (floor, reference) in [(1e-10, 1.0), (10485.76, 1_048_576), (1e-12, 0.02), (1, 3e20), (1.2e-38, 1e-20)] {
            let scale = try ScaleConfiguration(kind: kind, floor: floor, reference: reference)
            for count in 0...40 {
                let powers = (0..<count).map { _ in Float(exp(Double.random(in: -30...25, using: &random))) }
                let values = scaled(powers, scale)
                let wrong = powers.indices.filter {
                    abs(Double(values[$0]) - expected(powers[$0], scale)) > tolerance(powers[$0], scale)
                }
                #expect(wrong.isEmpty, "\(count) values, floor \(floor), reference \(reference)")
            }
        }
    }

    @Test(arguments: logarithmic)
    func `silence is at the floor`(kind: ScaleConfiguration.Kind) throws {
        let scale = try ScaleConfiguration(kind: kind, floor: 1e-10, reference: 4)
        let values = scaled([0, 1e-20, 1e-10, -0.0, .leastNonzeroMagnitude], scale)
        let floor = expected(0, scale)
        #expect(values.allSatisfy { $0 == values[0] })
        #expect(abs(Double(values[0]) - floor) <= tolerance(0, scale))
    }

    @Test(arguments: [ScaleConfiguration.Kind.magnitude, .power])
    func `magnitude and power of silence are 0, whatever the floor`(kind: ScaleConfiguration.Kind) throws {
        #expect(scaled([0, 0, 0], try ScaleConfiguration(kind: kind, floor: 1)) == [0, 0, 0])
    }

    @Test(arguments: ScaleConfiguration.Kind.allCases)
    func `an infinite power or one that is not a number never becomes finite`(kind: ScaleConfiguration.Kind) throws {
        for reference in [1, 1.2e-38, 3e38] {
            let scale = try ScaleConfiguration(kind: kind, reference: reference)
            for index in 0..<19 {
                for bad in [Float.infinity, .nan, .signalingNaN] {
                    var powers = [Float](repeating: 1e-30, count: 19)
                    powers[index] = bad
                    let values = scaled(powers, scale)
                    #expect(!values[index].isFinite, "\(bad) at index \(index) became \(values[index])")
                    let others = values.indices.filter { $0 != index && !values[$0].isFinite }
                    #expect(others.isEmpty || kind == .power && reference < 1)
                }
            }
        }
    }

    @Test(arguments: logarithmic)
    func `the largest finite power has a finite logarithm`(kind: ScaleConfiguration.Kind) throws {
        let scale = try ScaleConfiguration(kind: kind)
        let value = try #require(scaled([.greatestFiniteMagnitude], scale).first)
        #expect(abs(Double(value) - expected(.greatestFiniteMagnitude, scale)) <= 1e-5)
    }
}
