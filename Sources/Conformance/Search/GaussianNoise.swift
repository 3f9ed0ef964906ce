import Platform

/// Seeded noise of mean 0 and variance 1: SplitMix64, and the method of Box and Muller.
struct GaussianNoise {
    private var state: UInt64
    private var spare: Double?

    /// Seeds that lie near each other give numbers that have nothing in common: the seed is mixed, since states at a distance of
    /// the increment run through the same numbers.
    init(seed: UInt64) { state = Self.mixed(seed) }

    /// A number in 0 < u ≤ 1.
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        return (Double(Self.mixed(state) >> 11) + 1) * 0x1p-53
    }

    private static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
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
