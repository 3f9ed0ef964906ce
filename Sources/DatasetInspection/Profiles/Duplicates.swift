import FeatureModel
import FeatureStorage
import FileIO

/// Clips that are equal to the last bit, by the checksums in the file.
package struct Duplicates: Sendable {
    package struct Group: Hashable, Sendable {
        /// The indices of the clips in the file, rising; two or more.
        package let clipIndices: [Int]
        /// Whether the decoded samples are equal; otherwise only the stored values are.
        package let isAudio: Bool
        /// Whether they are in different splits.
        package let isLeak: Bool
        package let isContradiction: Bool
    }

    /// The groups: leaks first, then contradictions, then by the index of the first clip.
    package let groups: [Group]
    /// Number of clips that were compared, from the first on.
    package let compared: Int

    package static let maximumClips = 1 << 22

    /// Compares all clips with one another, by sorting. Memory: 48 bytes a clip.
    package static func find(_ reader: FeatureReader, _ census: ClipCensus) throws(StorageError) -> Duplicates {
        let count = min(reader.clipCount, maximumClips)
        var groups: [Group] = []
        var known: Set<[Int]> = []
        for column in [ClipColumn.Text.audioChecksum, .tensorChecksum] {
            for clipIndices in try equal(column, in: reader, count: count) where known.insert(clipIndices).inserted {
                let (splits, labels) = (
                    Set(clipIndices.map { census.splitOf[$0] }), Set(clipIndices.map { census.labelOf[$0] })
                )
                groups.append(
                    Group(
                        clipIndices: clipIndices, isAudio: column == .audioChecksum, isLeak: splits.count > 1,
                        isContradiction: labels.count > 1))
            }
        }
        func rank(_ group: Group) -> (Int, Int, Int, Int) {
            (group.isLeak ? 0 : 1, group.isContradiction ? 0 : 1, group.clipIndices[0], group.isAudio ? 0 : 1)
        }
        return Duplicates(groups: groups.sorted { rank($0) < rank($1) }, compared: count)
    }

    /// The indices of clips with equal checksums, for each checksum of more than one clip.
    private static func equal(
        _ column: ClipColumn.Text, in reader: FeatureReader, count: Int
    ) throws(StorageError) -> [[Int]] {
        var entries: [(sum: Checksum128, clipIndex: Int)] = []
        entries.reserveCapacity(count)
        let blockSize = 16_384
        for range in (0..<count).blocks(of: blockSize) {
            let texts = try reader.texts(column, ofClips: range)
            for (offset, text) in texts.enumerated() {
                if let sum = Checksum128(hex: text) { entries.append((sum, range.lowerBound + offset)) }
            }
        }
        entries.sort { ($0.sum.high, $0.sum.low, $0.clipIndex) < ($1.sum.high, $1.sum.low, $1.clipIndex) }
        var groups: [[Int]] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].sum == entries[start].sum { end += 1 }
            if end > start + 1 { groups.append(entries[start..<end].map(\.clipIndex)) }
            start = end
        }
        return groups
    }
}
