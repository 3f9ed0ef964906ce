/// Seeded random numbers (SplitMix64), so that a failing test fails again.
package struct RandomSource: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Uniform samples in −1 …< 1.
    package mutating func samples(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1..<1, using: &self) }
    }
}

/// Random values for `rows` rows.
package func randomRows(_ rows: Int, bins: Int = 3, seed: Int) -> [Float] {
    var random = RandomSource(seed: UInt64(seed))
    return random.samples(rows * bins)
}
