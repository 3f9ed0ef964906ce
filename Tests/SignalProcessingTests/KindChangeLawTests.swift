import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// What a change of `transform.kind` keeps, seen in the values: cepstra are the cosine transform of the bands that the same
/// settings give as a mel spectrum.
struct KindChangeLawTests {
    @Test(arguments: [8000.0, 16_000])
    func `mfcc of the settings of a mel spectrum is the orthogonal DCT-II of its rows`(rate: Double) throws {
        let definition = try Preset.kaldiFBank.definition()
        func made(_ transform: TransformConfiguration) throws -> FeatureMatrix {
            let configuration = try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: Int(rate), channels: .first, scale: .int16),
                frame: definition.frame, transform: transform, scale: definition.scale, normalize: .none)
            let samples: [Float] = (0..<8000).map { index in
                let n = Double(index)
                return Float(0.3 * sin(0.1 * n) + 0.2 * sin(1e-4 * n * n))
            }
            return try FeaturePlan(configuration, sampleRate: rate).features(of: samples)
        }
        let bank = try #require(definition.transform.bank)
        let bands = try made(.mel(bank))
        let cepstra = try made(.mfcc(CepstrumConfiguration(bins: 13, bank: bank)))
        #expect(bands.bins == 23 && cepstra.bins == 13 && bands.rows == cepstra.rows && bands.rows > 30)
        // 25 ms every 10 ms at either rate.
        #expect(bands.rows == 1 + (8000 - Int(rate / 40)) / Int(rate / 100))
        for row in 0..<bands.rows {
            for k in 0..<13 {
                var sum = 0.0
                for band in 0..<23 {
                    let angle: Double = .pi * Double(k) * (Double(band) + 0.5) / 23
                    sum += Double(bands[row, band]) * cos(angle)
                }
                let expected = sum * sqrt((k == 0 ? 1.0 : 2.0) / 23)
                #expect(abs(Double(cepstra[row, k]) - expected) < 1e-3, "row \(row), coefficient \(k)")
            }
        }
    }
}
