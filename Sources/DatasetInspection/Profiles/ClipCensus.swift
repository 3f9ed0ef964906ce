import FeatureStorage
import FileIO

/// Label, split and length of every clip.
///
/// Memory: 16 bytes a clip.
package struct ClipCensus: Sendable {
    package let labels: [String]
    /// The splits, sorted; the empty name of clips without one is last.
    package let splits: [String]
    /// For each clip the index of its label in `labels`; −1: none.
    package let labelOf: [Int32]
    /// For each clip the index of its split in `splits`.
    package let splitOf: [Int32]
    /// For each clip its length in seconds.
    package let durations: [Double]

    /// Counts, in one pass over three columns.
    package static func take(_ reader: FeatureReader) throws(StorageError) -> ClipCensus {
        var found: [String: Int32] = [:]
        var (labelOf, splitOf): ([Int32], [Int32]) = ([], [])
        var durations: [Double] = []
        try reader.eachClip { _, clip in
            labelOf.append(reader.labels.indices.contains(clip.labelIndex) ? Int32(clip.labelIndex) : -1)
            let number = found[clip.split] ?? Int32(found.count)
            found[clip.split] = number
            splitOf.append(number)
            durations.append(clip.duration)
        }
        let splits = found.keys.sorted { ($0.isEmpty ? 1 : 0, $0) < ($1.isEmpty ? 1 : 0, $1) }
        var sorted = Array(repeating: Int32(0), count: splits.count)
        for (index, name) in splits.enumerated() { if let number = found[name] { sorted[Int(number)] = Int32(index) } }
        return ClipCensus(
            labels: reader.labels, splits: splits, labelOf: labelOf, splitOf: splitOf.map { sorted[Int($0)] },
            durations: durations)
    }

    /// Number of clips of each label, those without one last, in each split: `labels.count` + 1 rows of `splits.count`.
    package var counts: [Int] {
        var counts = Array(repeating: 0, count: (labels.count + 1) * splits.count)
        for (label, split) in zip(labelOf, splitOf) {
            counts[(label < 0 ? labels.count : Int(label)) * splits.count + Int(split)] += 1
        }
        return counts
    }

    /// The indices of the `count` longest clips, the longest first, or of the shortest, the shortest first.
    package func extreme(_ count: Int, longest: Bool) -> [Int] {
        var best: [Int] = []
        for index in durations.indices {
            func precedes(_ one: Int, _ other: Int) -> Bool {
                durations[one] != durations[other] ? (durations[one] > durations[other]) == longest : one < other
            }
            guard best.count < count || best.last.map({ precedes(index, $0) }) == true else { continue }
            best.insert(index, at: best.firstIndex { precedes(index, $0) } ?? best.count)
            if best.count > count { best.removeLast() }
        }
        return best
    }
}
