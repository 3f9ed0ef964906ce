import FeatureModel
import Testing

/// Goldens of single steps from samples to rows, in double precision. Errors found: up to 3e-7 of the range.
struct StepGoldenTests {
    private func check(_ file: String, minimum: Int, tolerance: Double = 1e-6) throws {
        for (index, known) in try PeerGolden.cases(file, minimum: minimum).enumerated() {
            for row in try known.computed() {
                let error = largestDifference(row.found, row.expected)
                #expect(error <= tolerance * known.range, "case \(index), frame \(row.frame): \(error)")
            }
        }
    }

    @Test func `linear-frequency cepstra equal torchaudio's`() throws { try check("lfcc.json", minimum: 2) }

    @Test func `per-channel energy normalisation equals librosa's`() throws { try check("pcen.json", minimum: 4) }

    @Test func `mean and pre-emphasis, of frames and of the signal, equal Kaldi's and SciPy's`() throws {
        try check("frame-preparation.json", minimum: 5)
    }

    @Test func `complex spectra equal librosa's and torch's, windows shorter than the transform and odd ones included`()
        throws
    { try check("complex.json", minimum: 6) }
}
