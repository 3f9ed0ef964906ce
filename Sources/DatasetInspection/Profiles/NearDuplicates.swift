/// The clips of different splits with the most similar profiles: recordings that were copied, cut or re-encoded into two splits,
/// and clips that merely sound alike.
///
/// The distance of clips a and b: √(1/B · Σ ((m_b − n_b) / S_b)²) over the B bins, with m_b and n_b their means of bin b as
/// stored and S_b the standard deviation of these means over the compared clips. Bins with S_b = 0 add nothing.
package struct NearDuplicates: Sendable {
    package struct Pair: Hashable, Sendable {
        package let first: Int
        package let second: Int
        package let distance: Double
    }

    /// Clips with their nearest clip of another split, the nearest pairs first; a clip is in one pair only. Equal clips are in
    /// `Duplicates` instead.
    package let pairs: [Pair]
    package let compared: Int

    /// Maximum number of clips that are compared; fewer if rows have many bins.
    package static let maximumClips = 3000
    private static let maximumDifferences = 400_000_000

    /// Compares profiled clips; of too many, some chosen by the scope's seed.
    ///
    /// - Parameter exact: Pairs to leave out.
    /// - Complexity: O(clips² · bins), at most 4e8 differences; memory O(clips · bins).
    package static func find(
        _ count: Int, in profiles: ClipProfiles, _ census: ClipCensus, except exact: Duplicates
    ) -> NearDuplicates {
        let limit = min(
            maximumClips, Int((2 * Double(maximumDifferences) / Double(max(profiles.means.bins, 1))).squareRoot()))
        let order = SeededOrder(seed: profiles.scope.seed)
        // All silent clips are alike; they are reported elsewhere.
        let audible = profiles.profiles.filter { !$0.isSilent }.map(\.clipIndex)
        let clipIndices = order.first(limit, of: audible).sorted()
        let members = clipIndices.compactMap(profiles.index)
        guard Set(clipIndices.map { census.splitOf[$0] }).count > 1 else {
            return NearDuplicates(pairs: [], compared: 0)
        }
        var groupOf: [Int: Int] = [:]
        for (number, group) in exact.groups.enumerated() {
            for clipIndex in group.clipIndices { groupOf[clipIndex] = number }
        }

        let bins = profiles.means.bins
        let deviation = profiles.spread(of: members).deviation
        let weights = deviation.map { $0 > 0 ? Float(1 / $0) : 0 }
        var scaled: [Float] = []
        for member in members {
            for bin in 0..<bins { scaled.append(profiles.means.values[member * bins + bin] * weights[bin]) }
        }
        // Pairs each clip with its nearest clip of another split, then lists the nearest pairs. In a list of the nearest of all
        // pairs, those of a single clip could crowd out the others.
        var nearest: [Pair?] = Array(repeating: nil, count: clipIndices.count)
        scaled.withUnsafeBufferPointer { scaled in
            for one in clipIndices.indices {
                for other in (one + 1)..<max(clipIndices.count, one + 1)
                where census.splitOf[clipIndices[one]] != census.splitOf[clipIndices[other]] {
                    if let group = groupOf[clipIndices[one]], groupOf[clipIndices[other]] == group { continue }
                    let furthest = max(nearest[one]?.distance ?? .infinity, nearest[other]?.distance ?? .infinity)
                    let bound = Float(furthest * furthest * Double(bins) * 1.001)
                    guard let sum = squaredDistance(scaled, one * bins, other * bins, bins, bound) else { continue }
                    let distance = Double(sum / Float(bins)).squareRoot()
                    let pair = Pair(first: clipIndices[one], second: clipIndices[other], distance: distance)
                    for member in [one, other] where distance < nearest[member]?.distance ?? .infinity {
                        nearest[member] = pair
                    }
                }
            }
        }
        let candidates = Set(nearest.compactMap(\.self)).sorted {
            ($0.distance, $0.first, $0.second) < ($1.distance, $1.first, $1.second)
        }
        var taken: Set<Int> = []
        var pairs: [Pair] = []
        for pair in candidates where pairs.count < count && taken.isDisjoint(with: [pair.first, pair.second]) {
            taken.formUnion([pair.first, pair.second])
            pairs.append(pair)
        }
        return NearDuplicates(pairs: pairs, compared: clipIndices.count)
    }

    /// The sum of squared differences; nil: it is more than `bound`.
    private static func squaredDistance(
        _ values: UnsafeBufferPointer<Float>, _ one: Int, _ other: Int, _ bins: Int, _ bound: Float
    ) -> Float? {
        var sum: Float = 0
        var bin = 0
        while bin < bins {
            let end = min(bin + 16, bins)
            while bin < end {
                let difference = values[one + bin] - values[other + bin]
                sum += difference * difference
                bin += 1
            }
            if sum > bound { return nil }
        }
        return sum
    }
}
