import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// `mel.json`.
private struct MelGolden: Decodable {
    struct Case: Decodable {
        let rate: Double
        let fftLength: Int
        let bands: Int
        let low: Double
        let high: Double
        let scale: MelScale
        let norm: MelNormalization
        let centers: [Double]
        let band: [Int]
        let bin: [Int]
        let weight: [Double]

        private enum CodingKeys: String, CodingKey {
            case bands, low, high, band, bin, weight
            case rate = "sample_rate"
            case fftLength = "fft_length"
            case scale = "mel_scale"
            case norm = "mel_norm"
            case centers = "centres"
        }

        func bank() throws -> MelFilterBank {
            let mel = try MelConfiguration(bins: bands, low: low, high: high, scale: scale, norm: norm)
            return MelFilterBank(mel, fftLength: fftLength, sampleRate: rate)
        }
    }

    let cases: [Case]

    static func cases() throws -> [Case] {
        let cases = try Fixtures.golden("mel.json", as: MelGolden.self).cases
        try #require(cases.count >= 4)
        return cases
    }
}

struct MelFilterBankTests {
    /// Banks whose numbers of bands are not multiples of eight, some with bands between two bins.
    private static let odd: [(bands: Int, low: Double, high: Double?, fftLength: Int)] = [
        (1, 0, nil, 512), (7, 0, 8000, 512), (13, 300, 3400, 400), (81, 0, nil, 1024), (100, 0, nil, 256),
        (200, 50, 7000, 512), (129, 0, 8000, 401),
    ]

    private static func bank(
        _ shape: (bands: Int, low: Double, high: Double?, fftLength: Int), _ scale: MelScale, _ norm: MelNormalization
    ) throws -> MelFilterBank {
        let mel = try MelConfiguration(bins: shape.bands, low: shape.low, high: shape.high, scale: scale, norm: norm)
        return MelFilterBank(mel, fftLength: shape.fftLength, sampleRate: 16_000)
    }

    @Test func `weights and centres equal librosa's`() throws {
        for known in try MelGolden.cases() {
            let bank = try known.bank()
            #expect(bank.bands == known.bands)
            #expect(bank.spectrumBins == known.fftLength / 2 + 1)
            #expect(zip(bank.centers, known.centers).allSatisfy { abs($0 - $1) <= 1e-9 * $1 })
            var expected = [Double](repeating: 0, count: known.bands * bank.spectrumBins)
            for (index, weight) in known.weight.enumerated() {
                expected[known.band[index] * bank.spectrumBins + known.bin[index]] = weight
            }
            let maximum = known.weight.max() ?? 0
            let wrong = expected.indices.filter { index in
                let weight = bank.weight(band: index / bank.spectrumBins, bin: index % bank.spectrumBins)
                // Ten digits of the file; near a corner the difference of two frequencies loses some of them.
                return abs(Double(weight) - expected[index]) > 1e-6 * expected[index] + 1e-12 * maximum
            }
            #expect(wrong.isEmpty, "\(known.bands) bands, \(known.fftLength)")
            #expect(Set(bank.emptyBands) == Set(0..<known.bands).subtracting(known.band))
        }
    }

    @Test(arguments: MelScale.allCases)
    func `weights are not negative, and a band without any is listed as empty`(scale: MelScale) throws {
        for shape in Self.odd {
            for norm in MelNormalization.allCases {
                let bank = try Self.bank(shape, scale, norm)
                for band in 0..<bank.bands {
                    let weights = (0..<bank.spectrumBins).map { bank.weight(band: band, bin: $0) }
                    #expect(weights.allSatisfy { $0 >= 0 && $0.isFinite })
                    #expect(weights.allSatisfy { $0 == 0 } == bank.emptyBands.contains(band), "band \(band), \(shape)")
                }
            }
        }
        #expect(try !Self.bank((500, 50, 7000, 512), scale, .none).emptyBands.isEmpty)
    }

    @Test func `every bin between the outer peaks is covered, and the triangles add up to 1 there`() throws {
        for scale in MelScale.allCases {
            for shape in Self.odd {
                let bank = try Self.bank(shape, scale, .none)
                let (first, last) = (try #require(bank.centers.first), try #require(bank.centers.last))
                for bin in 0..<bank.spectrumBins {
                    let frequency = Double(bin) * 16_000 / Double(shape.fftLength)
                    guard frequency >= first, frequency <= last else { continue }
                    let sum = (0..<bank.bands).reduce(0) { $0 + bank.weight(band: $1, bin: bin) }
                    #expect(abs(sum - 1) <= 1e-5, "bin \(bin), \(shape)")
                }
            }
        }
    }

    @Test func `bands of a spectrum equal the matrix product in double precision`() throws {
        var random = RandomSource(seed: 41)
        let shaped = try Self.odd.map { try Self.bank($0, .slaney, .slaney) }
        for bank in try MelGolden.cases().map({ try $0.bank() }) + shaped {
            let fourier = try LaneFFT(length: 2, kernels: Kernels.narrow)
            let (powers, values) = (
                try fourier.buffer(count: bank.spectrumBins), try fourier.buffer(count: bank.bands)
            )
            let spectrum = random.samples(bank.spectrumBins).map { Double($0) * Double($0) * 1000 }
            for (bin, power) in spectrum.enumerated() { powers.pointer[bin * fourier.groupRows + 1] = power }
            fourier.bands(bank.bandWeights, of: powers, into: values)
            for band in 0..<bank.bands {
                let expected = (0..<bank.spectrumBins).reduce(0.0) {
                    $0 + Double(bank.weight(band: band, bin: $1)) * spectrum[$1]
                }
                let found = values.pointer[band * fourier.groupRows + 1]
                #expect(abs(found - expected) <= 1e-14 * expected, "band \(band) of \(bank.bands)")
            }
        }
    }

    @Test func `a bank all of whose bands are empty gives zeros`() throws {
        let bank = try Self.bank((3, 100, 110, 16), .htk, .none)
        #expect(bank.emptyBands == [0, 1, 2])
        #expect(bank.bandWeights.counts == [0, 0, 0] && bank.bandWeights.weights.isEmpty)
    }
}
