/// An order of clips that looks random and follows from a seed and the clips' places alone.
///
/// The key of a place is SplitMix64's output number place + 1 from the state `seed`, so that whether a clip comes before
/// another does not depend on which others are ordered.
struct SeededOrder: Hashable, Sendable {
    /// Where the sequence begins.
    let seed: UInt64

    /// The number that decides where a clip stands; places are counted from 0.
    func key(_ place: Int) -> UInt64 {
        var mixed = seed &+ (UInt64(truncatingIfNeeded: place) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether a clip comes before another.
    func precedes(_ one: Int, _ other: Int) -> Bool { (key(one), one) < (key(other), other) }

    /// The first `count` of some places, in this order.
    func first(_ count: Int, of places: [Int]) -> [Int] { Array(places.sorted(by: precedes).prefix(count)) }
}
