import CFFTW

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Real Fourier transforms of a batch of rows: X[k] = Σ x[n] · exp(−2πikn/N), k = 0 … N/2, unscaled.
///
/// For an even length N the rows are taken as N/2 complex numbers (x₀ + ix₁, x₂ + ix₃, …) and transformed as such,
/// which costs half of FFTW's real transform; the two interleaved spectra are then untangled:
/// with Z the complex spectrum, E = (Z[k] + Z*[M−k])/2 and O = (Z[k] − Z*[M−k])/2i are those of the even and the odd
/// samples, and X[k] = E + w O, X[M−k] = (E − w O)*, w = exp(−2πik/N), M = N/2. The halves are left out here: **the
/// samples have to be halved on the way in** (`inputFactor`), where a window multiplies them anyway.
///
/// In double precision, since features are logarithms: what lies 100 dB below the loudest bin of a frame would drown in the
/// rounding of single precision, and half of all frames of speech have such bins. Powers come out in single precision.
///
/// Always the whole batch is run, stale rows included, since another plan might round differently.
final class RealFFT {
    /// Rows in a batch, unless another number is asked for.
    static let batch = 16

    /// Number of samples in a row, N.
    let length: Int
    /// Number of bins of a row, N/2 + 1.
    var bins: Int { length / 2 + 1 }
    /// What the samples have to be multiplied by before they are put into `input`.
    var inputFactor: Double { length % 2 == 0 ? 0.5 : 1 }
    /// Distance of two rows of `input`, in numbers.
    let rowStride: Int
    /// Rows of samples, to be filled before `execute`.
    let input: DoubleBuffer

    private let output: DoubleBuffer
    private let outputStride: Int
    private let plan: FFTWPlan
    /// cos and −sin of 2πk/N for k = 0 … N/4.
    private let twiddleReal: [Double]
    private let twiddleImaginary: [Double]

    /// Plans transforms of `length` samples, at least 1, for `rows` rows at a time.
    ///
    /// - Throws: `SignalError`.
    init(length: Int, rows: Int = RealFFT.batch) throws(SignalError) {
        self.length = length
        let padded = (length + 15) / 16 * 16
        rowStride = padded
        input = try DoubleBuffer(count: padded * rows)
        if length % 2 == 0 {
            outputStride = padded
            output = try DoubleBuffer(count: padded * rows)
            plan = try FFTWPlan(
                complexLength: length / 2, rows: rows, rowStride: padded, input: input, output: output)
        } else {
            outputStride = padded + 16
            output = try DoubleBuffer(count: (padded + 16) * rows)
            plan = try FFTWPlan(
                realLength: length, rows: rows, rowStride: padded, outputStride: padded + 16, input: input,
                output: output)
        }
        let quarter = 0...length / 4
        twiddleReal = quarter.map { cos(2 * Double.pi * Double($0) / Double(length)) }
        twiddleImaginary = quarter.map { -sin(2 * Double.pi * Double($0) / Double(length)) }
    }

    /// Transforms all rows of `input`.
    func execute() { plan.execute() }

    /// The power |X[k]|² of a row, k = 0 … N/2.
    ///
    /// - Parameter power: Room for `bins` values.
    func power(row: Int, into power: UnsafeMutablePointer<Float>) {
        let z = UnsafePointer(output.pointer + row * outputStride)
        guard length % 2 == 0 else {
            for k in 0..<bins { power[k] = Float(z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1]) }
            return
        }
        twiddleReal.withUnsafeBufferPointer { cosines in
            twiddleImaginary.withUnsafeBufferPointer { sines in
                guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
                Kernels.best.pointee.power(z, length / 2, cosines, sines, power)
            }
        }
    }

    /// The spectrum of a row, k = 0 … N/2.
    ///
    /// - Parameters:
    ///   - real: Room for `bins` values.
    ///   - imaginary: Room for `bins` values.
    func spectrum(row: Int, real: UnsafeMutablePointer<Double>, imaginary: UnsafeMutablePointer<Double>) {
        let z = UnsafePointer(output.pointer + row * outputStride)
        guard length % 2 == 0 else {
            for k in 0..<bins { (real[k], imaginary[k]) = (z[2 * k], z[2 * k + 1]) }
            return
        }
        let half = length / 2
        untangle(z) { k, lower, upper in
            real.store(lower.real, at: k)
            imaginary.store(lower.imaginary, at: k)
            real.store(upper.real.reversed, at: half - k - 3)
            imaginary.store((-upper.imaginary).reversed, at: half - k - 3)
        } one: { k, lower, upper in
            (real[k], imaginary[k]) = (lower.real, lower.imaginary)
            (real[half - k], imaginary[half - k]) = (upper.real, -upper.imaginary)
        }
    }

    /// Hands X[k] and the conjugate of X[M−k] to a closure, four k at a time and the rest singly.
    ///
    /// Bins around the middle may be handed over twice; both times have the same value up to rounding, and the order
    /// is fixed, so that the result is the same every time.
    @inline(__always)
    private func untangle(
        _ z: UnsafePointer<Double>,
        four: (Int, (real: SIMD4<Double>, imaginary: SIMD4<Double>), (real: SIMD4<Double>, imaginary: SIMD4<Double>))
            -> Void,
        one: (Int, (real: Double, imaginary: Double), (real: Double, imaginary: Double)) -> Void
    ) {
        let half = length / 2
        one(0, (2 * (z[0] + z[1]), 0), (2 * (z[0] - z[1]), 0))
        twiddleReal.withUnsafeBufferPointer { cosines in
            twiddleImaginary.withUnsafeBufferPointer { sines in
                guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
                let last = half / 2
                var k = 1
                while k + 3 <= last {
                    let (z0, z1) = (z.four(at: 2 * k), z.four(at: 2 * k + 4))
                    // The four numbers from M − k − 3 up to M − k, to be taken last first.
                    let (y0, y1) = (z.four(at: 2 * (half - k - 3)), z.four(at: 2 * (half - k - 3) + 4))
                    let (a, b) = (z0.evens(with: z1), z0.odds(with: z1))
                    let (c, d) = (y0.evens(with: y1).reversed, y0.odds(with: y1).reversed)
                    let (evenReal, evenImaginary) = (a + c, b - d)
                    let (oddReal, oddImaginary) = (b + d, c - a)
                    let (w, v) = (cosines.four(at: k), sines.four(at: k))
                    let real = w * oddReal - v * oddImaginary
                    let imaginary = w * oddImaginary + v * oddReal
                    four(
                        k, (evenReal + real, evenImaginary + imaginary), (evenReal - real, evenImaginary - imaginary))
                    k += 4
                }
                while k <= last {
                    let (a, b, c, d) = (z[2 * k], z[2 * k + 1], z[2 * (half - k)], z[2 * (half - k) + 1])
                    let (evenReal, evenImaginary) = (a + c, b - d)
                    let (oddReal, oddImaginary) = (b + d, c - a)
                    let real = cosines[k] * oddReal - sines[k] * oddImaginary
                    let imaginary = cosines[k] * oddImaginary + sines[k] * oddReal
                    one(
                        k, (evenReal + real, evenImaginary + imaginary), (evenReal - real, evenImaginary - imaginary))
                    k += 1
                }
            }
        }
    }
}
