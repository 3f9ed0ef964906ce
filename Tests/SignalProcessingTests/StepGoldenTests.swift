import FeatureModel
import Testing

/// Goldens of single steps of the data's way, in double precision. Errors found: up to 3e-7 of the range.
@Suite("Steps against golden files")
struct StepGoldenTests {
    private func check(_ file: String, minimum: Int, tolerance: Double = 1e-6) throws {
        for (index, known) in try PeerGolden.cases(file, minimum: minimum).enumerated() {
            for row in try known.computed() {
                let error = largestDifference(row.found, row.expected)
                #expect(error <= tolerance * known.range, "case \(index), frame \(row.frame): \(error)")
            }
        }
    }

    @Test("linear-frequency cepstra equal torchaudio's")
    func lfcc() throws { try check("lfcc.json", minimum: 2) }

    @Test("per-channel energy normalisation equals librosa's")
    func pcen() throws { try check("pcen.json", minimum: 4) }

    @Test("mean and pre-emphasis, of frames and of the signal, equal Kaldi's and SciPy's")
    func preparation() throws { try check("frame-preparation.json", minimum: 5) }

    @Test("complex spectra equal librosa's and torch's, windows shorter than the transform and odd ones included")
    func complex() throws { try check("complex.json", minimum: 6) }
}
