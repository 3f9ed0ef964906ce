/// A pseudo-random order of clips that depends only on a seed and the clips' indices.
///
/// The key of an index is SplitMix64's output number index + 1 from the state `seed`, so that the order of two clips does not
/// depend on the others.
struct SeededOrder: Hashable, Sendable {
    let seed: UInt64

    /// The number by which clips are sorted.
    func key(_ index: Int) -> UInt64 {
        var mixed = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether a clip comes before another.
    func precedes(_ one: Int, _ other: Int) -> Bool { (key(one), one) < (key(other), other) }

    /// The first `count` of some indices, in this order.
    func first(_ count: Int, of indices: [Int]) -> [Int] { Array(indices.sorted(by: precedes).prefix(count)) }
}
