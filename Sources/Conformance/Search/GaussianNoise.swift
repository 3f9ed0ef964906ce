import Platform

/// Seeded noise of mean 0 and variance 1: SplitMix64, and the method of Box and Muller.
struct GaussianNoise {
    private var state: UInt64
    private var spare: Double?

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// A number in 0 < u ≤ 1.
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return (Double(mixed >> 11) + 1) * 0x1p-53
    }

    mutating func next() -> Double {
        if let spare {
            self.spare = nil
            return spare
        }
        let (radius, angle) = ((-2 * log(uniform())).squareRoot(), 2 * Double.pi * uniform())
        spare = radius * sin(angle)
        return radius * cos(angle)
    }
}
