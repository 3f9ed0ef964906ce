import Platform

/// The factors of the last step of a DCT-II by way of a real Fourier transform of the same length.
///
/// X[k] = Σ x[n] · cos(πk(n + ½)/N), k = 0 … N−1, unscaled (FFTW's REDFT10 is twice this).
/// Makhoul (1980), "A fast cosine transform in one and two dimensions": with the samples reordered as
/// v = x₀ x₂ x₄ … x₅ x₃ x₁ and V its Fourier transform, X[k] = Re(t V[k]) and X[N−k] = −Im(t V[k]),
/// t = exp(−πik/2N). The reordering belongs to the copy into the transform's input (`FrameWindow`).
struct CosineTransform {
    /// Number of samples and of coefficients, N.
    let length: Int
    /// cos and −sin of πk/2N for k = 0 … N/2.
    let twiddleReal: [Double]
    let twiddleImaginary: [Double]

    init(length: Int) {
        self.length = length
        let half = 0...length / 2
        twiddleReal = half.map { cos(Double.pi * Double($0) / Double(2 * length)) }
        twiddleImaginary = half.map { -sin(Double.pi * Double($0) / Double(2 * length)) }
    }
}
