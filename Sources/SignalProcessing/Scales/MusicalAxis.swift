import FeatureModel

/// Reads a magnitude spectrum at the points of a musical frequency axis, by a parabola through three bins.
///
/// With point p at the fractional bin b_p, b = max(⌊b_p⌋, 1) and a = b_p − b, the value is
/// ½ · (A[b−1] (a² − a) + A[b] (2 − 2a²) + A[b+1] (a² + a)): the formula of vDSP_vqint. Next to a peak it can fall below 0.
struct MusicalAxis: Sendable {
    /// Frequency of each point in Hz.
    let frequencies: [Double]
    /// Points less than a bin below their neighbour.
    let crowdedPoints: Int

    private let bins: [Int32]
    /// Weights of the bin below, at and above each point.
    private let weights: [SIMD4<Double>]

    /// - Parameter sampleRate: In Hz; the axis ends below half of it (`MusicalConfiguration.check`).
    init(_ musical: MusicalConfiguration, fftLength: Int, sampleRate: Double) {
        frequencies = musical.frequencies
        let positions = frequencies.map { $0 * Double(fftLength) / sampleRate }
        crowdedPoints = zip(positions, positions.dropFirst()).count { $1 - $0 < 1 }
        bins = positions.map { max(Int32($0), 1) }
        weights = zip(positions, bins).map { position, bin in
            let a = position - Double(bin)
            return SIMD4((a * a - a) / 2, 1 - a * a, (a * a + a) / 2, 0)
        }
    }

    /// The weights of each point, in single precision.
    var bands: [SpectrumBand] {
        zip(frequencies, zip(bins, weights)).map { frequency, point in
            let (bin, weight) = (point.0, SIMD4<Float>(point.1))
            return SpectrumBand(
                center: frequency, firstBin: Int(bin) - 1, weights: [weight.x, weight.y, weight.z].map(Double.init))
        }
    }

    /// The value at each point, of `rows` rows.
    ///
    /// - Parameters:
    ///   - magnitudes: Those of the bins 0 … fft_length/2 of each row, in rows that are `distance` values apart.
    ///   - values: Space for a value for each point, in rows that are `width` values apart.
    func apply<Number: BinaryFloatingPoint>(
        _ magnitudes: UnsafePointer<Number>, distance: Int, into values: UnsafeMutablePointer<Number>, width: Int,
        rows: Int
    ) {
        for point in bins.indices {
            let weight = weights[point]
            let (below, at, above) = (Number(weight.x), Number(weight.y), Number(weight.z))
            var (bin, value) = (magnitudes + Int(bins[point]), values + point)
            for _ in 0..<rows {
                value.pointee = bin[-1] * below + bin[0] * at + bin[1] * above
                bin += distance
                value += width
            }
        }
    }
}
