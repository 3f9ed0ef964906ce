import FeatureModel
import Foundation
import Testing

@testable import SignalProcessing

/// Weights against the definition, written out in double precision: librosa knows no triangles that are straight in mel.
struct MelFormulaTests {
    private func mel(_ hertz: Double, _ scale: MelScale) -> Double {
        switch scale {
        case .linear: hertz
        case .htk: 1127 * log1p(hertz / 700)
        case .slaney: hertz < 1000 ? hertz * 3 / 200 : 15 + 27 * log(hertz / 1000) / log(6.4)
        }
    }

    private func hertz(_ mel: Double, _ scale: MelScale) -> Double {
        switch scale {
        case .linear: mel
        case .htk: 700 * expm1(mel / 1127)
        case .slaney: mel < 15 ? mel * 200 / 3 : 1000 * pow(6.4, (mel - 15) / 27)
        }
    }

    @Test(arguments: MelScale.allCases, TriangleDomain.allCases)
    func `weights follow the definition, are not negative, and cover every bin between the outer peaks`(
        scale: MelScale, triangles: TriangleDomain
    ) throws {
        for norm in MelNormalization.allCases {
            for (bands, low, high, fftLength, rate) in [
                (23, 20, 8000, 512, 16_000), (80, 0, 8000, 512, 16_000), (7, 300, 3400, 401, 8000),
                (1, 0, 4000, 256, 8000),
                (128, 0, 11_025, 2048, 22_050),
            ] as [(Int, Double, Double, Int, Double)] {
                let bank = MelFilterBank(
                    try MelConfiguration(
                        bins: bands, low: low, high: high, scale: scale, norm: norm, triangles: triangles),
                    fftLength: fftLength, sampleRate: rate)
                let step = (mel(high, scale) - mel(low, scale)) / Double(bands + 1)
                let corners = (0...bands + 1).map { hertz(mel(low, scale) + Double($0) * step, scale) }
                var sums = [Double](repeating: 0, count: fftLength / 2 + 1)
                for band in 0..<bands {
                    let (left, centre) = (corners[band], corners[band + 1])
                    let right = triangles == .symmetric ? centre + (centre - left) : corners[band + 2]
                    let positions = [left, centre, right].map { triangles == .mel ? mel($0, scale) : $0 }
                    let height = norm == .slaney ? 2 / (right - left) : 1
                    var worst = 0.0
                    for bin in sums.indices {
                        let frequency = Double(bin) * rate / Double(fftLength)
                        let index = triangles == .mel ? mel(frequency, scale) : frequency
                        let rise = (index - positions[0]) / (positions[1] - positions[0])
                        let fall = (positions[2] - index) / (positions[2] - positions[1])
                        let weight = Double(bank.weight(band: band, bin: bin))
                        worst = max(worst, abs(weight - max(0, min(rise, fall)) * height) / height)
                        if weight < 0 { Issue.record("band \(band), bin \(bin): \(weight)") }
                        sums[bin] += weight / height
                    }
                    #expect(worst <= 1e-6, "\(bands) bands, band \(band), \(norm)")
                }
                // Symmetric triangles do not add up to 1 where the bands become wider.
                for bin in sums.indices where triangles != .symmetric {
                    let frequency = Double(bin) * rate / Double(fftLength)
                    guard frequency > corners[1], frequency < corners[bands] else { continue }
                    #expect(abs(sums[bin] - 1) <= 1e-5, "bin \(bin) of \(bands) bands")
                }
            }
        }
    }
}
