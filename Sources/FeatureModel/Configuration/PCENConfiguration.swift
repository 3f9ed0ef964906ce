/// Per-channel energy normalisation: every band divided by a smoothed past of itself, then compressed.
///
/// M[t] = (1 − b) M[t−1] + b S[t], M[−1] = 1; value = (S / (eps + M)^gain + bias)^power − bias^power. Wang et al. (2017),
/// "Trainable frontend for robust and far-field keyword spotting"; b and M[−1] as in `librosa.pcen`.
public struct PCENConfiguration: Hashable, Sendable {
    /// Exponent of the smoothed past, 0 or more. Default: 0.98.
    public let gain: Double
    /// Added before compression, more than 0. Default: 2.
    public let bias: Double
    /// Exponent of the compression, more than 0. Default: 0.5.
    public let power: Double
    /// Time in s that the past is smoothed over. Default: 0.4.
    public let timeConstant: Double
    /// Added to the smoothed past, more than 0. Default: 1e-6.
    public let epsilon: Double

    static let keys = ["gain", "bias", "power", "time_constant", "eps"]

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` for a value out of range.
    public init(
        gain: Double = 0.98, bias: Double = 2, power: Double = 0.5, timeConstant: Double = 0.4, epsilon: Double = 1e-6
    ) throws(ConfigurationError) {
        for (key, value, least, most) in [
            ("gain", gain, 0, 100), ("bias", bias, 1e-30, 1e30), ("power", power, 1e-6, 100),
            ("time_constant", timeConstant, 1e-6, 3600), ("eps", epsilon, 1e-30, 1e30),
        ] {
            guard value >= least, value <= most else {
                throw .invalidValue(key: "scale.\(key)", found: "\(value)", expected: "\(least) to \(most)")
            }
        }
        self.gain = gain
        self.bias = bias
        self.power = power
        self.timeConstant = timeConstant
        self.epsilon = epsilon
    }

    init(_ section: SectionReader) throws {
        func value(_ key: String, _ fallback: Double) throws -> Double {
            try section.value(key, default: fallback, expected: "a number")
        }
        try self.init(
            gain: value("gain", 0.98), bias: value("bias", 2), power: value("power", 0.5),
            timeConstant: section.time("time_constant", expected: "a number of seconds, or a time such as '400 ms'")
                ?? 0.4,
            epsilon: value("eps", 1e-6))
    }

    func encode(to container: inout KeyedEncodingContainer<AnyCodingKey>) throws {
        for (key, value) in zip(Self.keys, [gain, bias, power, timeConstant, epsilon]) {
            try container.encode(value, forKey: AnyCodingKey(key))
        }
    }
}
