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
    private let weights: [SIMD4<Float>]
    private let exactWeights: [SIMD4<Double>]

    /// - Parameter sampleRate: In Hz; the axis ends below half of it (`MusicalConfiguration.check`).
    init(_ musical: MusicalConfiguration, fftLength: Int, sampleRate: Double) {
        frequencies = musical.frequencies
        let positions = frequencies.map { $0 * Double(fftLength) / sampleRate }
        crowdedPoints = zip(positions, positions.dropFirst()).count { $1 - $0 < 1 }
        bins = positions.map { max(Int32($0), 1) }
        exactWeights = zip(positions, bins).map { position, bin in
            let a = position - Double(bin)
            return SIMD4((a * a - a) / 2, 1 - a * a, (a * a + a) / 2, 0)
        }
        weights = exactWeights.map { SIMD4<Float>($0) }
    }

    /// The weights of each point.
    var bands: [SpectrumBand] {
        zip(frequencies, zip(bins, weights)).map { frequency, point in
            let (bin, weight) = point
            return SpectrumBand(
                center: frequency, firstBin: Int(bin) - 1, weights: [weight.x, weight.y, weight.z].map(Double.init))
        }
    }

    /// The value at each point.
    ///
    /// - Parameters:
    ///   - magnitudes: Those of the bins 0 … fft_length/2.
    ///   - values: Space for a value for each point.
    func apply(_ magnitudes: UnsafePointer<Float>, into values: UnsafeMutablePointer<Float>) {
        for point in bins.indices {
            let bin = magnitudes + Int(bins[point])
            let weight = weights[point]
            values[point] = bin[-1] * weight.x + bin[0] * weight.y + bin[1] * weight.z
        }
    }

    /// The value at each point, in double precision.
    ///
    /// - Parameters:
    ///   - magnitudes: Those of the bins 0 … fft_length/2, `distance` numbers apart.
    ///   - values: Space for a value for each point.
    func apply(_ magnitudes: UnsafePointer<Double>, distance: Int, into values: UnsafeMutablePointer<Double>) {
        for point in bins.indices {
            let bin = magnitudes + Int(bins[point]) * distance
            let weight = exactWeights[point]
            values[point] = bin[-distance] * weight.x + bin[0] * weight.y + bin[distance] * weight.z
        }
    }
}
