import CFFTW
import Platform

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
    /// Rows of samples, to be written before `execute`.
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
            plan = try FFTWPlan(complexLength: length / 2, rows: rows, rowStride: padded, input: input, output: output)
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
    /// - Parameter power: Space for `bins` values.
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
    ///   - real: Space for `bins` values.
    ///   - imaginary: Space for `bins` values.
    func spectrum(row: Int, real: UnsafeMutablePointer<Double>, imaginary: UnsafeMutablePointer<Double>) {
        let z = UnsafePointer(output.pointer + row * outputStride)
        guard length % 2 == 0 else {
            for k in 0..<bins { (real[k], imaginary[k]) = (z[2 * k], z[2 * k + 1]) }
            return
        }
        Kernels.best.pointee.spectrum(z, length / 2, twiddleReal, twiddleImaginary, real, imaginary)
    }

    /// The coefficients of a DCT-II of a row, k = 0 … N − 1, unscaled: the same, to the last bit, as from `spectrum` in separate
    /// steps.
    ///
    /// - Parameters:
    ///   - transform: The last step, of the same length; the rows hold its reordered samples.
    ///   - values: Space for N values.
    func coefficients(row: Int, by transform: CosineTransform, into values: UnsafeMutablePointer<Float>) {
        let z = UnsafePointer(output.pointer + row * outputStride)
        let (cosines, sines) = (transform.twiddleReal, transform.twiddleImaginary)
        guard length % 2 == 0 else {
            values[0] = Float(z[0])
            for k in 1..<bins {
                let (real, imaginary) = (z[2 * k], z[2 * k + 1])
                values[length - k] = Float(-(cosines[k] * imaginary + sines[k] * real))
                values[k] = Float(cosines[k] * real - sines[k] * imaginary)
            }
            return
        }
        Kernels.best.pointee.cosine(z, length / 2, twiddleReal, twiddleImaginary, cosines, sines, values)
    }
}
