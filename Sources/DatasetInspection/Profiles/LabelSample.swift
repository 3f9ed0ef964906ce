import FeatureStorage
import FileIO

/// The clips of one label that are profiled, of all that it has.
package struct LabelSample: Hashable, Sendable {
    /// The label; empty: clips without one.
    package let label: String
    /// The index of the label in the file; −1: clips without one.
    package let labelIndex: Int
    /// Number of its clips within the scope.
    package private(set) var clips = 0
    /// The indices of the sampled clips, rising once the sample is complete.
    package private(set) var clipIndices: [Int] = []

    private let order: SeededOrder
    private let limit: Int

    /// A sample of every label that has clips, in the file's order of labels; clips without a label are last. A clip may be in the
    /// samples of several labels.
    ///
    /// One pass over three columns, and one over the label matrix; memory for twice the clips of the samples.
    ///
    /// - Returns: The samples, and the number of clips within the scope.
    static func take(
        _ reader: FeatureReader, _ scope: ProfileScope
    ) throws(StorageError) -> (samples: [LabelSample], clipCount: Int) {
        let limit = scope.limit(
            labels: scope.labels?.count ?? reader.labels.count + 1, bins: reader.bins, clips: reader.clipCount)
        let order = SeededOrder(seed: scope.seed)
        var samples = (reader.labels + [""]).enumerated().map { index, label in
            LabelSample(label: label, labelIndex: index < reader.labels.count ? index : -1, order: order, limit: limit)
        }
        var clipCount = 0
        try reader.eachLabels(split: scope.split) { index, labels in
            var isWithin = false
            for label in labels where scope.labels?.contains(label) != false {
                samples[label < 0 ? reader.labels.count : label].add(index)
                isWithin = true
            }
            if isWithin { clipCount += 1 }
        }
        return (samples.filter { $0.clips > 0 }.map(\.complete), clipCount)
    }

    private mutating func add(_ clipIndex: Int) {
        clips += 1
        clipIndices.append(clipIndex)
        // Sorting at twice the limit costs each clip the logarithm of the limit.
        if clipIndices.count / 2 >= limit, clipIndices.count > 64 { clipIndices = order.first(limit, of: clipIndices) }
    }

    private var complete: LabelSample {
        var sample = self
        if clipIndices.count > limit { sample.clipIndices = order.first(limit, of: clipIndices) }
        sample.clipIndices.sort()
        return sample
    }
}

package struct ProfileScope: Hashable, Sendable {
    /// The split of the clips; nil: all.
    package var split: String?
    /// The indices of the labels in the file, −1 for clips without one; nil: all.
    package var labels: Set<Int>?
    /// Maximum number of clips of a label.
    package var perLabel: Int
    /// The seed of the choice among too many clips.
    package var seed: UInt64

    /// Maximum number of clips in all, unless two of each label are more.
    package static let maximumClips = 50_000
    /// Maximum number of values of all profiles, which also limits the clips: 64 MiB.
    package static let maximumValues = 1 << 24

    package init(split: String? = nil, labels: Set<Int>? = nil, perLabel: Int = 500, seed: UInt64 = 0) {
        self.split = split
        self.labels = labels
        self.perLabel = max(perLabel, 1)
        self.seed = seed
    }

    /// Maximum number of clips of each label in a file of this size.
    func limit(labels: Int, bins: Int, clips: Int) -> Int {
        let all = min(Self.maximumClips, Self.maximumValues / max(bins, 1))
        return clips <= all ? perLabel : max(min(perLabel, all / max(labels, 1)), min(perLabel, 2))
    }
}

/// A pseudo-random order of clips that depends only on a seed and the clips' indices.
///
/// The key of an index is SplitMix64's output number index + 1 from the state `seed`, so that the order of two clips does not
/// depend on the others.
struct SeededOrder: Hashable, Sendable {
    let seed: UInt64

    func key(_ index: Int) -> UInt64 {
        var mixed = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    func precedes(_ one: Int, _ other: Int) -> Bool { (key(one), one) < (key(other), other) }

    func first(_ count: Int, of indices: [Int]) -> [Int] { Array(indices.sorted(by: precedes).prefix(count)) }
}
