import FeatureModel

/// Cepstral coefficients of a row of scaled bands: their weighted DCT-II.
///
/// c[k] = n[k] · (1 + L/2 sin(πk/L)) · Σ band[m] cos(πk(m + ½)/M), M bands. n[k] is √(2/M), and √(1/M) for k = 0 of the
/// orthogonal kind (Kaldi's and SciPy's; Davis and Mermelstein 1980 for the coefficients, The HTK Book 5.6 for the
/// weights). Computed as a product with a matrix: bands × coefficients multiplications a row.
struct Cepstrum: Sendable {
    private let bands: Int
    private let blocks: Int
    private let coefficients: Int
    /// A row of weights for each coefficient, padded with zeros to a multiple of eight.
    private let matrix: [Float]
    /// Whether the first column is the row's energy, which follows its bands.
    private let takesEnergy: Bool

    init(_ cepstrum: CepstrumConfiguration) {
        let bands = cepstrum.bank.bins
        self.bands = bands
        let blocks = (bands + 7) / 8
        self.blocks = blocks
        coefficients = cepstrum.bins
        takesEnergy = cepstrum.zeroth == .energy
        let number = Double(bands)
        matrix = cepstrum.orders.flatMap { order in
            let (k, length) = (Double(order), cepstrum.lifter)
            let lifter = length > 0 ? 1 + length / 2 * UnitCircle.point(turns: k / (2 * length)).sine : 1
            let norm =
                switch cepstrum.norm {
                case .none: 1.0
                case .htk: (2 / number).squareRoot()
                case .ortho: ((order == 0 ? 1 : 2) / number).squareRoot()
                }
            return (0..<blocks * 8).map { band -> Float in
                guard band < bands else { return 0 }
                return Float(norm * lifter * UnitCircle.point(order * (2 * band + 1), of: 4 * bands).cosine)
            }
        }
    }

    /// - Parameters:
    ///   - row: The bands, then the energy where it is used.
    ///   - padded: Room for the bands, filled with zeros to a multiple of eight.
    ///   - values: Room for the coefficients.
    func apply(
        _ row: UnsafePointer<Float>, padded: UnsafeMutablePointer<Float>, into values: UnsafeMutablePointer<Float>
    ) {
        padded.update(from: row, count: bands)
        matrix.withUnsafeBufferPointer { matrix in
            guard let matrix = matrix.baseAddress else { return }
            for coefficient in 0..<coefficients {
                let weights = matrix + coefficient * blocks * 8
                var sum = SIMD8<Float>.zero
                for block in 0..<blocks { sum += padded.eight(at: block * 8) * weights.eight(at: block * 8) }
                values[coefficient] = sum.sum()
            }
        }
        if takesEnergy { values[0] = row[bands] }
    }
}
