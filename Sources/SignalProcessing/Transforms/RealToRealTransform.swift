import CFFTW
import FeatureModel
import Platform

/// Discrete cosine transforms of a batch of rows, by FFTW's real-to-real transforms.
///
/// FFTW computes twice the sums of `CosineTransformType`. The factor ½, and the normalisation, are left to the
/// caller: **the samples have to be multiplied by `inputWeights` on the way in**, where a window multiplies them anyway;
/// `coefficients` does the rest of the scaling.
///
/// Type 2 is faster by `CosineTransform`. The whole batch is always run, stale rows included, since another plan might round
/// differently.
final class RealToRealTransform {
    /// Number of samples and of coefficients in a row, N.
    let length: Int
    /// The factor of sample n of a row on its way into `input`; N numbers.
    let inputWeights: [Double]
    /// Distance of two rows of `input`, in numbers.
    let rowStride: Int
    /// Rows of samples, to be written before `execute`, which leaves them as they are.
    let input: DoubleBuffer

    private let output: DoubleBuffer
    private let plan: FFTWPlan
    /// Factors of the first and the last coefficient.
    private let firstFactor: Double
    private let lastFactor: Double

    /// Plans transforms of one type.
    ///
    /// - Parameters:
    ///   - length: Samples in a row, at least `type.minimumLength`.
    ///   - scale: Multiplies every coefficient.
    ///   - rows: Rows in the batch.
    /// - Throws: `SignalError`.
    init(
        type: CosineTransformType, length: Int, normalization: CosineNormalization, scale: Double = 1, rows: Int
    ) throws(SignalError) {
        let allowed = type.minimumLength...DiscreteCosineTransform.maximumSamples
        guard allowed.contains(length) else {
            throw .transformLength(name: "DCT-\(type.numeral)", length: length, allowed: allowed)
        }
        self.length = length
        rowStride = (length + 15) / 16 * 16
        input = try DoubleBuffer(count: rowStride * rows)
        output = try DoubleBuffer(count: rowStride * rows)
        plan = try FFTWPlan(
            kind: type.kind, length: length, rows: rows, rowStride: rowStride, input: input, output: output)

        let isOrthogonal = normalization == .ortho
        let period = Double(type == .one ? length - 1 : length)
        let weight = scale / 2 * (isOrthogonal ? (2 / period).squareRoot() : 1)
        let endWeight = scale / 2 * (isOrthogonal ? 2 / period.squareRoot() : 1)
        var weights = [Double](repeating: weight, count: length)
        if type == .one || type == .three { weights[0] = endWeight }
        if type == .one { weights[length - 1] = endWeight }
        inputWeights = weights
        let half = 0.5.squareRoot()
        firstFactor = isOrthogonal && (type == .one || type == .two) ? half : 1
        lastFactor = isOrthogonal && type == .one ? half : 1
    }

    /// Transforms all rows of `input`.
    func execute() { plan.execute() }

    /// The coefficients of a row.
    ///
    /// - Parameter values: Space for `length` values.
    func coefficients(row: Int, into values: UnsafeMutablePointer<Float>) {
        let row = output.pointer + row * rowStride
        for k in 0..<length { values[k] = Float(row[k]) }
        values[0] = Float(row[0] * firstFactor)
        // A single coefficient is both first and last.
        if length > 1 { values[length - 1] = Float(row[length - 1] * lastFactor) }
    }
}

extension CosineTransformType {
    /// FFTW's name of the transform.
    fileprivate var kind: fftw_r2r_kind {
        switch self {
        case .one: FFTW_REDFT00
        case .two: FFTW_REDFT10
        case .three: FFTW_REDFT01
        case .four: FFTW_REDFT11
        }
    }

    /// I … IV
    fileprivate var numeral: String {
        switch self {
        case .one: "I"
        case .two: "II"
        case .three: "III"
        case .four: "IV"
        }
    }
}
