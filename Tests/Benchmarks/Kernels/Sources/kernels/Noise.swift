/// The same noise in every run, between −0.5 and 0.5.
func noise(_ count: Int) -> [Float] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        // Knuth's linear congruential generator: its upper bits are noise enough for a clock.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24) - 0.5
    }
}
