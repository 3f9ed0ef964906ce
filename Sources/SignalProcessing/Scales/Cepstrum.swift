import CKernels
import FeatureModel
import Numerics

/// Cepstral coefficients of a row of scaled bands: their weighted DCT-II.
///
/// c[k] = n[k] · (1 + L/2 sin(πk/L)) · Σ band[m] cos(πk(m + ½)/M), M bands. n[k] is √(2/M), and √(1/M) for k = 0 of the
/// orthogonal kind (Kaldi's and SciPy's; Davis and Mermelstein 1980 for the coefficients, The HTK Book 5.6 for the
/// weights; librosa's have k + 1). Computed as a product with a matrix: bands × coefficients multiplications a row.
struct Cepstrum: Sendable {
    /// Values of a row of bands, a multiple of eight; those past the bands are 0.
    let paddedBands: Int
    private let coefficients: Int
    /// A row of weights for each coefficient, padded with zeros to a multiple of eight.
    private let matrix: [Float]
    /// Whether the first column is the row's energy, which follows its bands.
    private let takesEnergy: Bool

    init(_ cepstrum: CepstrumConfiguration) {
        let bands = cepstrum.bank.bins
        let paddedBands = (bands + 7) / 8 * 8
        self.paddedBands = paddedBands
        coefficients = cepstrum.bins
        takesEnergy = cepstrum.zeroth == .energy
        matrix = Self.weights(cepstrum).flatMap { row in
            row.map { Float($0) } + [Float](repeating: 0, count: paddedBands - bands)
        }
    }

    /// A row of weights for each coefficient, a weight for each band.
    static func weights(_ cepstrum: CepstrumConfiguration) -> [[Double]] {
        let bands = cepstrum.bank.bins
        let number = Double(bands)
        return cepstrum.orders.map { order in
            let (k, length) = (Double(cepstrum.lifterForm == .htk ? order : order + 1), cepstrum.lifter)
            let lifter = length > 0 ? 1 + length / 2 * UnitCircle.point(turns: k / (2 * length)).sine : 1
            let norm =
                switch cepstrum.norm {
                case .none: 1.0
                case .htk: (2 / number).squareRoot()
                case .ortho: ((order == 0 ? 1 : 2) / number).squareRoot()
                }
            return (0..<bands).map { band in
                norm * lifter * UnitCircle.point(order * (2 * band + 1), of: 4 * bands).cosine
            }
        }
    }

    /// - Parameters:
    ///   - rows: Rows of `paddedBands` values, one after another.
    ///   - count: Number of rows.
    ///   - energies: The energy of each row, `distance` values apart, where it is used.
    ///   - values: Space for the coefficients, in rows that are `width` values apart.
    func apply(
        _ rows: UnsafePointer<Float>, count: Int, energies: UnsafePointer<Float>, distance: Int,
        into values: UnsafeMutablePointer<Float>, width: Int, kernels: UnsafePointer<veery_kernels> = Kernels.best
    ) {
        matrix.withUnsafeBufferPointer { matrix in
            guard let matrix = matrix.baseAddress else { return }
            kernels.pointee.products(rows, count, paddedBands / 8, matrix, coefficients, values, width)
        }
        guard takesEnergy else { return }
        for row in 0..<count { values[row * width] = energies[row * distance] }
    }
}
