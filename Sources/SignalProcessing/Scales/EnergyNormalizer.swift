import FeatureModel
import Platform

/// Per-channel energy normalisation (PCEN) of a stream of rows; see `PCENConfiguration` for the formula.
///
/// The smoothing factor is given, or b = (√(1 + 4T²) − 1) / 2T², T the time constant in frames, and the smoothed past starts at 1,
/// both as in `librosa.pcen`, or at the first row. Computed in double precision, about 100 ns a value.
final class EnergyNormalizer {
    private let bins: Int
    private let configuration: PCENConfiguration
    private let smoothing: Double
    private let offset: Double
    private let factor: Double
    private let limit: Double
    private let past: UnsafeMutablePointer<Double>
    /// Whether the next row is the first.
    private var isFirst = true

    /// - Parameters:
    ///   - pcen: The parameters.
    ///   - scale: Offset, factor and limit, which follow.
    ///   - bins: Values in a row.
    ///   - framePeriod: Seconds from a row to the next.
    init(_ pcen: PCENConfiguration, scale: ScaleConfiguration, bins: Int, framePeriod: Double) {
        self.bins = bins
        configuration = pcen
        let frames = pcen.timeConstant / framePeriod
        // (√(1 + 4T²) − 1) / 2T², without subtracting nearly equal numbers.
        smoothing = pcen.smoothing ?? 2 / ((1 + 4 * frames * frames).squareRoot() + 1)
        offset = scale.offset
        factor = scale.factor
        limit = scale.limit ?? .infinity
        past = .allocate(capacity: bins)
        past.initialize(repeating: 1, count: bins)
    }

    deinit { past.deallocate() }

    func reset() {
        past.update(repeating: 1, count: bins)
        isFirst = true
    }

    /// Normalises whole rows in place.
    func apply<Number: BinaryFloatingPoint>(_ values: UnsafeMutablePointer<Number>, rows: Int) {
        let (gain, bias, power, epsilon) = (
            configuration.gain, configuration.bias, configuration.power, configuration.epsilon
        )
        let biasPower = pow(bias, power)
        if isFirst, rows > 0 {
            isFirst = false
            if configuration.start == .first { for bin in 0..<bins { past[bin] = Double(values[bin]) } }
        }
        for row in 0..<rows {
            for bin in 0..<bins {
                let energy = Double(values[row * bins + bin])
                past[bin] = (1 - smoothing) * past[bin] + smoothing * energy
                // Silence stays 0, also where the power of a small number underflows.
                let ratio = energy == 0 ? 0 : energy / (bias * pow(epsilon + past[bin], gain))
                // (ratio·bias + bias)^power − bias^power, without losing small ratios next to 1.
                let value = (biasPower * expm1(power * log1p(ratio)) + offset) * factor
                // The limit must not hide an infinite energy from the check of the clip's statistics.
                values[row * bins + bin] = Number(value > limit && energy < .infinity ? limit : value)
            }
        }
    }
}
