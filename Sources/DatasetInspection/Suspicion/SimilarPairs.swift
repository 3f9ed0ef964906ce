import Concurrency

extension Suspicion {
    /// Two clips that are equal or nearly so.
    package struct Pair: Hashable, Sendable {
        /// The index of the clip in the file, less than `second`.
        package let first: Int
        package let second: Int
        /// From 0, as different as two clips are on average or more, to 1, equal. Another gain does not count.
        package let similarity: Float
        /// Whether both clips have a split, and not the same.
        package let areInDifferentSplits: Bool
        /// Whether the samples or the stored values are equal.
        package let areEqual: Bool
    }
}

/// Searches the clips that are most like one another.
///
/// The distance of two clips is that of their points; their similarity is 1 − distance/D, with D the root mean square of the distances of
/// all pairs. Not compared are silent clips, which are all alike, and the clips of one recording in one split, which overlap or follow one
/// another on purpose.
///
/// Of many clips, near pairs are searched in random projection trees (Dasgupta and Freund, 2008): each divides the clips again and again
/// into those nearer to one of two clips and those nearer to the other, and compares those that are left together. A pair that is near
/// is divided rarely, and in all trees almost never.
///
/// - Complexity: O(n log n) distances.
struct SimilarPairs: Sendable {
    let points: ClipPoints
    /// For each clip the number of its split; −1: none.
    let splits: [Int32]
    /// For each clip the number of its recording.
    let recordings: [Int32]
    let isSilent: [Bool]
    let duplicates: Duplicates

    static let maximumPairs = 1000
    /// So that many copies of one clip do not hide other pairs.
    private static let maximumPairsOfClip = 3
    private static let trees = 8
    /// Clips that are compared with one another.
    private static let leafSize = 128

    /// A clip and its distance.
    private struct Neighbour: Sendable {
        var clip: Int32 = -1
        var squared = Float.infinity

        mutating func take(_ other: Neighbour) {
            if (other.squared, other.clip) < (squared, clip) { self = other }
        }
    }

    /// The nearest of all clips and the nearest of another split.
    private struct Neighbours: Sendable {
        var any = Neighbour()
        var across = Neighbour()
    }

    private func areInDifferentSplits(_ one: Int, _ other: Int) -> Bool {
        splits[one] >= 0 && splits[other] >= 0 && splits[one] != splits[other]
    }

    /// The pairs, the most similar first; of those that are as similar, pairs of different splits first.
    ///
    /// - Parameter jobs: Number of threads; the result does not depend on it.
    func pairs(jobs: Int) throws -> [Suspicion.Pair] {
        let groups = equalGroups()
        var found = Set(equalPairs())
        let clips = representatives(groups)
        if clips.count > 1, points.axes > 0 {
            let scale = rootMeanSquareDistance(of: clips)
            let trees = clips.count > Self.leafSize ? Self.trees : 1
            let all = try WorkerPool.map(trees, jobs: jobs, worker: {}) { _, tree in
                neighbours(in: clips, groups, seed: UInt64(tree))
            }
            for (index, clip) in clips.enumerated() {
                var own = all[0][index]
                for tree in all.dropFirst() {
                    own.any.take(tree[index].any)
                    own.across.take(tree[index].across)
                }
                for neighbour in [own.any, own.across] where neighbour.clip >= 0 {
                    let distance = neighbour.squared.squareRoot()
                    found.insert(
                        pair(
                            Int(clip), Int(neighbour.clip), similarity: scale > 0 ? max(0, 1 - distance / scale) : 1,
                            areEqual: false))
                }
            }
        }
        return Self.first(of: found.sorted(by: Self.precedes))
    }

    private func pair(_ one: Int, _ other: Int, similarity: Float, areEqual: Bool) -> Suspicion.Pair {
        Suspicion.Pair(
            first: min(one, other), second: max(one, other), similarity: similarity,
            areInDifferentSplits: areInDifferentSplits(one, other), areEqual: areEqual)
    }

    private static func precedes(_ one: Suspicion.Pair, _ other: Suspicion.Pair) -> Bool {
        func rank(_ pair: Suspicion.Pair) -> (Float, Int, Int, Int, Int) {
            (-pair.similarity, pair.areEqual ? 0 : 1, pair.areInDifferentSplits ? 0 : 1, pair.first, pair.second)
        }
        return rank(one) < rank(other)
    }

    /// The first pairs, with each clip in few; at least half of them of different splits, if there are so many.
    private static func first(of sorted: [Suspicion.Pair]) -> [Suspicion.Pair] {
        var uses: [Int: Int] = [:]
        let all = sorted.filter { pair in
            let (first, second) = (uses[pair.first, default: 0], uses[pair.second, default: 0])
            guard max(first, second) < maximumPairsOfClip else { return false }
            (uses[pair.first], uses[pair.second]) = (first + 1, second + 1)
            return true
        }
        guard all.count > maximumPairs else { return all }
        let across = Set(all.filter(\.areInDifferentSplits).prefix(maximumPairs / 2))
        let others = all.filter { !across.contains($0) }.prefix(maximumPairs - across.count)
        return (across + others).sorted(by: precedes)
    }

    // MARK: - Equal clips

    /// For each clip the number of the greatest group of equal clips that has it; −1: none has.
    private func equalGroups() -> [Int32] {
        var groups = [Int32](repeating: -1, count: splits.count)
        let rising = duplicates.groups.sorted {
            ($0.clipIndices.count, $0.clipIndices[0]) < ($1.clipIndices.count, $1.clipIndices[0])
        }
        for (number, group) in rising.enumerated() { for clip in group.clipIndices { groups[clip] = Int32(number) } }
        return groups
    }

    /// Each clip with the one before of its group, if there is any with the last of another split.
    private func equalPairs() -> [Suspicion.Pair] {
        duplicates.groups.flatMap { group -> [Suspicion.Pair] in
            var lastOfSplit: [Int32: Int] = [:]
            var pairs: [Suspicion.Pair] = []
            for (position, clip) in group.clipIndices.enumerated() where !isSilent[clip] {
                if position > 0 {
                    let other = lastOfSplit.filter { areInDifferentSplits($0.value, clip) }.values.max()
                    pairs.append(
                        pair(other ?? group.clipIndices[position - 1], clip, similarity: 1, areEqual: true))
                }
                lastOfSplit[splits[clip]] = clip
            }
            return pairs
        }
    }

    /// The clips that are compared, rising: of equal ones the first of each split.
    private func representatives(_ groups: [Int32]) -> [Int32] {
        var seen: Set<SIMD2<Int32>> = []
        return splits.indices.compactMap { clip in
            let isFirst = groups[clip] < 0 || seen.insert([groups[clip], splits[clip]]).inserted
            return !isSilent[clip] && isFirst ? Int32(clip) : nil
        }
    }

    // MARK: - Near clips

    private func rootMeanSquareDistance(of clips: [Int32]) -> Float {
        var (sums, squares) = ([Double](repeating: 0, count: points.axes), 0.0)
        for clip in clips {
            for axis in 0..<points.axes {
                let value = Double(points.values[Int(clip) * points.axes + axis])
                sums[axis] += value
                squares += value * value
            }
        }
        let count = Double(clips.count)
        let variance = squares / count - sums.reduce(0) { $0 + $1 / count * ($1 / count) }
        return Float((2 * max(variance, 0) * count / (count - 1)).squareRoot())
    }

    /// The nearest neighbours of each clip among those that are left with it in a tree.
    private func neighbours(in clips: [Int32], _ groups: [Int32], seed: UInt64) -> [Neighbours] {
        var found = [Neighbours](repeating: Neighbours(), count: clips.count)
        var order = Array(0..<Int32(clips.count))
        var keys = [Float](repeating: 0, count: clips.count)
        var state = 2 * seed + 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        var rest = [0..<clips.count]
        while let range = rest.popLast() {
            guard range.count > Self.leafSize else {
                compare(order[range], clips, groups, &found)
                continue
            }
            let (one, other) = (
                Int(clips[Int(order[range.lowerBound + random(range.count)])]),
                Int(clips[Int(order[range.lowerBound + random(range.count)])])
            )
            for index in order[range] {
                let clip = Int(clips[Int(index)])
                keys[Int(index)] = points.squaredDistance(clip, one) - points.squaredDistance(clip, other)
            }
            // About the median.
            let sample = (0..<31).map { _ in keys[Int(order[range.lowerBound + random(range.count)])] }.sorted()
            var middle = order[range].partition { keys[Int($0)] > sample[15] }
            if middle == range.lowerBound || middle == range.upperBound { middle = range.lowerBound + range.count / 2 }
            rest += [range.lowerBound..<middle, middle..<range.upperBound]
        }
        return found
    }

    private func compare(_ leaf: ArraySlice<Int32>, _ clips: [Int32], _ groups: [Int32], _ found: inout [Neighbours]) {
        for (position, first) in zip(leaf.indices, leaf) {
            let one = Int(clips[Int(first)])
            for second in leaf[(position + 1)...] {
                let other = Int(clips[Int(second)])
                if groups[one] >= 0, groups[one] == groups[other] { continue }
                let isAcross = areInDifferentSplits(one, other)
                if recordings[one] == recordings[other], !isAcross { continue }
                let squared = points.squaredDistance(one, other)
                found[Int(first)].any.take(Neighbour(clip: Int32(other), squared: squared))
                found[Int(second)].any.take(Neighbour(clip: Int32(one), squared: squared))
                guard isAcross else { continue }
                found[Int(first)].across.take(Neighbour(clip: Int32(other), squared: squared))
                found[Int(second)].across.take(Neighbour(clip: Int32(one), squared: squared))
            }
        }
    }
}
