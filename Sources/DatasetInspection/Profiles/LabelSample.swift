import ClipSpool
import FeatureStorage

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

    /// A sample of every label that has clips, in the file's order of labels; clips without a label are last.
    ///
    /// One pass over three columns; memory for twice the clips that are kept.
    static func take(_ reader: FeatureReader, _ scope: ProfileScope) throws(StorageError) -> [LabelSample] {
        let limit = scope.limit(
            labels: scope.labels?.count ?? reader.labels.count + 1, bins: reader.bins, clips: reader.clipCount)
        let order = SeededOrder(seed: scope.seed)
        var samples = (reader.labels + [""]).enumerated().map { index, label in
            LabelSample(
                label: label, labelIndex: index < reader.labels.count ? index : -1, order: order, limit: limit)
        }
        let blockSize = 16_384
        for start in stride(from: 0, to: reader.clipCount, by: blockSize) {
            let block = try reader.figures(start..<min(start + blockSize, reader.clipCount))
            for (offset, clip) in block.enumerated() {
                let isKnown = reader.labels.indices.contains(clip.labelIndex)
                if let split = scope.split, !split.utf8.elementsEqual(clip.split.utf8) { continue }
                if let wanted = scope.labels, !wanted.contains(isKnown ? clip.labelIndex : -1) { continue }
                samples[isKnown ? clip.labelIndex : reader.labels.count].add(start + offset)
            }
        }
        return samples.filter { $0.clips > 0 }.map(\.complete)
    }

    private init(label: String, labelIndex: Int, order: SeededOrder, limit: Int) {
        self.label = label
        self.labelIndex = labelIndex
        self.order = order
        self.limit = limit
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
