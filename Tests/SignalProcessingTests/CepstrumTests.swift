import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct CepstrumTests {
    private static let bands = [1, 2, 7, 8, 9, 23, 40, 128]

    /// n[k] · (1 + L/2 sin(πk/L)) · Σ band[m] cos(πk(m + ½)/M) in double precision, and the sum of its terms' magnitudes,
    /// to which its rounding is relative.
    private func expected(
        _ row: [Float], order: Int, _ cepstrum: CepstrumConfiguration
    ) -> (value: Double, size: Double) {
        let count = Double(cepstrum.bank.bins)
        var (sum, size, weight) = (0.0, 0.0, 1.0)
        for band in 0..<cepstrum.bank.bins {
            let term = Double(row[band]) * cos(.pi * Double(order) * (Double(band) + 0.5) / count)
            sum += term
            size += abs(term)
        }
        switch cepstrum.norm {
        case .none: break
        case .htk: weight *= (2 / count).squareRoot()
        case .ortho: weight *= (order == 0 ? 1 / count : 2 / count).squareRoot()
        }
        if cepstrum.lifter > 0 { weight *= 1 + cepstrum.lifter / 2 * sin(.pi * Double(order) / cepstrum.lifter) }
        return (sum * weight, size * abs(weight))
    }

    private func coefficients(_ row: [Float], _ cepstrum: CepstrumConfiguration) -> [Float] {
        let bands = cepstrum.bank.bins
        let matrix = Cepstrum(cepstrum)
        let padded = row[..<bands] + [Float](repeating: 0, count: matrix.paddedBands - bands)
        var values = [Float](repeating: .nan, count: cepstrum.bins) + [7]
        row.withUnsafeBufferPointer { row in
            guard let start = row.baseAddress else { return }
            matrix.apply(
                Array(padded), count: 1, energies: start + min(bands, row.count - 1), distance: 1, into: &values,
                width: cepstrum.bins)
        }
        #expect(values[cepstrum.bins] == 7, "written past the coefficients")
        return Array(values[..<cepstrum.bins])
    }

    @Test(
        arguments: CepstrumConfiguration.Normalization.allCases,
        CepstrumConfiguration.Zeroth.allCases)
    func `coefficients follow their definition`(
        norm: CepstrumConfiguration.Normalization, zeroth: CepstrumConfiguration.Zeroth
    ) throws {
        var random = RandomSource(seed: 311)
        for bands in Self.bands where zeroth != .none || bands > 1 {
            for bins in Set([1, min(13, bands), bands]) where zeroth != .none || bins < bands {
                for lifter in [0, 1, 22, 0.5, 10_000] as [Double] {
                    let cepstrum = try CepstrumConfiguration(
                        bins: bins, bank: MelConfiguration(bins: bands), norm: norm, lifter: lifter, zeroth: zeroth)
                    // Levels in decibels, and the energy behind them.
                    let row = random.samples(bands).map { 40 * $0 - 20 } + [-3.25]
                    let orders: [Int] =
                        switch zeroth {
                        case .first, .energy: Array(0..<bins)
                        case .last: Array(1..<bins) + [0]
                        case .none: Array(1...bins)
                        }
                    var reference = orders.map { expected(row, order: $0, cepstrum) }
                    if zeroth == .energy { reference[0] = (-3.25, 0) }
                    let wrong = zip(coefficients(row, cepstrum), reference).filter { found, expected in
                        !(abs(Double(found) - expected.value) <= 1e-6 * expected.size)
                    }
                    #expect(wrong.isEmpty, "\(bands) bands, \(bins) coefficients, lifter \(lifter): \(wrong)")
                }
            }
        }
    }

    @Test func `all coefficients of the orthogonal kind keep the bands' energy`() throws {
        var random = RandomSource(seed: 312)
        for bands in Self.bands {
            let cepstrum = try CepstrumConfiguration(bins: bands, bank: MelConfiguration(bins: bands))
            let row = random.samples(bands)
            let (before, after) = (sumOfSquares(row), sumOfSquares(coefficients(row, cepstrum)))
            #expect(abs(before - after) <= 1e-6 * before, "\(bands) bands")
        }
    }

    private func sumOfSquares(_ values: [Float]) -> Double { values.reduce(0) { $0 + Double($1) * Double($1) } }

    @Test func `equal bands have only the coefficient 0, √bands of them`() throws {
        for bands in Self.bands where bands > 1 {
            let cepstrum = try CepstrumConfiguration(bins: bands, bank: MelConfiguration(bins: bands))
            let values = coefficients([Float](repeating: -10, count: bands), cepstrum)
            var expected = [Double](repeating: 0, count: bands)
            expected[0] = -10 * Double(bands).squareRoot()
            #expect(relativeError(values, expected) <= 1e-6)
        }
    }
}
