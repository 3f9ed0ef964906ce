import FeatureModel
import Foundation
import TestSupport
import Testing

/// The values of the presets that reproduce other programs, as `make_preset_goldens.py` computed them in double precision
/// and compared them with those programs. Largest errors found, as parts of the range: 1e-6 and below, but 2e-6 for
/// `whisper` and 3e-6 for `kaldi-fbank` and `kaldi-mfcc`, whose pre-emphasis leaves little of the low bands.
struct PeerPresetTests {
    private static let linear: [Preset] = [.musicalSpectrum, .liveWaveform]
    private static let cepstra: [Preset] = [.librosaMFCC, .torchaudioMFCC, .kaldiMFCC, .htkMFCC]
    private static let levels: [Preset] = [.spectrogram, .librosaLogMel, .torchaudioLogMel, .kaldiFBank, .whisper]

    private static func cases(_ preset: Preset) throws -> [PeerGolden.Case] {
        try PeerGolden.cases("preset-\(preset.rawValue).json")
    }

    /// The largest error of a case: see `Row`.
    private func worst(_ known: PeerGolden.Case) throws -> Double {
        try known.computed().map { largestDifference($0.found, $0.expected) }.max() ?? .infinity
    }

    @Test func `every preset is held against a golden file`() throws {
        let older: [Preset] = [.logMel, .mixerFFT, .scrollingDCT]
        // Tests/Python/test_models.py compares them with their originals.
        let models = Preset.allCases.filter { preset in
            let path = Fixtures.folder.appending(path: "models/\(preset.rawValue).npy").path(percentEncoded: false)
            return FileManager.default.fileExists(atPath: path)
        }
        #expect(models.count >= 13)
        #expect(Set(Self.linear + Self.cepstra + Self.levels + older + models) == Set(Preset.allCases))
    }

    @Test(arguments: linear + levels + cepstra)
    func `values lie within 1e-5 of their range of the peer's`(preset: Preset) throws {
        for (index, known) in try Self.cases(preset).enumerated() {
            #expect(try worst(known) <= 1e-5 * known.range, "case \(index)")
        }
    }

    @Test(arguments: linear)
    func `linear values lie within 1e-5 of their frame's maximum`(preset: Preset) throws {
        for known in try Self.cases(preset) {
            for row in try known.computed() {
                #expect(relativeError(row.found, row.expected) <= 1e-5, "frame \(row.frame)")
            }
        }
    }

    @Test(arguments: levels)
    func `a level lies within 1e-3 dB of the peer's`(preset: Preset) throws {
        // Decibels in a unit of the preset's values.
        let unit =
            switch preset {
            case .spectrogram, .librosaLogMel: 1.0
            case .whisper: 0.25 / 10
            default: 0.230_258_509_299_404_57
            }
        for (index, known) in try Self.cases(preset).enumerated() {
            #expect(try worst(known) <= 1e-3 * unit, "case \(index)")
        }
    }

    @Test(arguments: cepstra)
    func `every cepstral coefficient, delta and acceleration lies within 1e-5 of its own column's range`(preset: Preset)
        throws
    {
        for (index, known) in try Self.cases(preset).enumerated() {
            let rows = try known.computed()
            for column in 0..<known.bins {
                let expected = rows.map { $0.expected[column] }
                let span = (expected.max() ?? 0) - (expected.min() ?? 0)
                let error = largestDifference(rows.map { $0.found[column] }, expected)
                #expect(error <= 1e-5 * span, "case \(index), column \(column): \(error) of \(span)")
            }
        }
    }
}
