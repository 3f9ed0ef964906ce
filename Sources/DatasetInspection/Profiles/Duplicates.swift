import Checksums
import ClipSpool
import FeatureStorage

/// Clips that are the same to the last bit, by the checksums that the file holds of them.
package struct Duplicates: Sendable {
    /// Clips that are the same.
    package struct Group: Hashable, Sendable {
        /// Places of the clips among the stored ones, rising; two or more.
        package let places: [Int]
        /// Whether the decoded recordings are the same; otherwise only the stored values are.
        package let isAudio: Bool
        /// Whether they lie in different splits.
        package let isLeak: Bool
        /// Whether they have different labels.
        package let isContradiction: Bool
    }

    /// The groups: leaks first, then contradictions, then by the place of the first clip.
    package let groups: [Group]
    /// Number of clips that were compared, from the first on.
    package let compared: Int

    /// The most clips that are compared.
    package static let mostClips = 1 << 22

    /// Compares all clips with one another, by sorting. Memory: 48 bytes a clip.
    ///
    /// - Throws: `StorageError`.
    package static func find(_ reader: FeatureReader, _ census: ClipCensus) throws(StorageError) -> Duplicates {
        let count = min(reader.clipCount, mostClips)
        var groups: [Group] = []
        var known: Set<[Int]> = []
        for column in [ClipColumn.Text.audioChecksum, .tensorChecksum] {
            for places in try equal(column, in: reader, count: count) where known.insert(places).inserted {
                let (splits, labels) = (Set(places.map { census.splitOf[$0] }), Set(places.map { census.labelOf[$0] }))
                groups.append(
                    Group(
                        places: places, isAudio: column == .audioChecksum, isLeak: splits.count > 1,
                        isContradiction: labels.count > 1))
            }
        }
        func rank(_ group: Group) -> (Int, Int, Int, Int) {
            (group.isLeak ? 0 : 1, group.isContradiction ? 0 : 1, group.places[0], group.isAudio ? 0 : 1)
        }
        return Duplicates(groups: groups.sorted { rank($0) < rank($1) }, compared: count)
    }

    /// The places of clips whose checksums are equal, for each that more than one has.
    private static func equal(
        _ column: ClipColumn.Text, in reader: FeatureReader, count: Int
    ) throws(StorageError) -> [[Int]] {
        var entries: [(sum: Checksum128, place: Int)] = []
        entries.reserveCapacity(count)
        let blockSize = 16_384
        for start in stride(from: 0, to: count, by: blockSize) {
            let texts = try reader.texts(column, ofClips: start..<min(start + blockSize, count))
            for (offset, text) in texts.enumerated() {
                if let sum = Checksum128(hex: text) { entries.append((sum, start + offset)) }
            }
        }
        entries.sort { ($0.sum.high, $0.sum.low, $0.place) < ($1.sum.high, $1.sum.low, $1.place) }
        var groups: [[Int]] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].sum == entries[start].sum { end += 1 }
            if end > start + 1 { groups.append(entries[start..<end].map(\.place)) }
            start = end
        }
        return groups
    }
}
