import Platform

/// The last step of a DCT-II by way of a real Fourier transform of the same length.
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

    /// The coefficients from the spectrum of the reordered samples: what the loop in C that `RealFFT.coefficients` uses is
    /// held to, to the last bit.
    ///
    /// - Parameters:
    ///   - real: Real parts of V[k], k = 0 … N/2.
    ///   - imaginary: Imaginary parts.
    ///   - values: Room for N values.
    func coefficients(
        real: UnsafePointer<Double>, imaginary: UnsafePointer<Double>, into values: UnsafeMutablePointer<Float>
    ) {
        twiddleReal.withUnsafeBufferPointer { cosines in
            twiddleImaginary.withUnsafeBufferPointer { sines in
                guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
                let last = length / 2
                values[0] = Float(real[0])
                var k = 1
                // The upper coefficients first: where N is even, X[N/2] is met twice, and the real part is the right one.
                while k + 3 <= last {
                    let (a, b) = (real.four(at: k), imaginary.four(at: k))
                    let (w, v) = (cosines.four(at: k), sines.four(at: k))
                    values.store(SIMD4<Float>((-(w * b + v * a)).reversed), at: length - k - 3)
                    values.store(SIMD4<Float>(w * a - v * b), at: k)
                    k += 4
                }
                while k <= last {
                    values[length - k] = Float(-(cosines[k] * imaginary[k] + sines[k] * real[k]))
                    values[k] = Float(cosines[k] * real[k] - sines[k] * imaginary[k])
                    k += 1
                }
            }
        }
    }
}
