/// How many clips of each label are in each split. A clip counts for each of its labels.
package struct SplitTable: Hashable, Sendable {
    /// A label, or all of them.
    package struct Row: Hashable, Sendable {
        package let name: String
        /// Clips in each split.
        package fileprivate(set) var clips: [Int]
    }

    package let splits: [String]
    /// Whether a clip has more than one label, so that the rows of labels add up to more than all clips.
    package let hasSeveralLabels: Bool
    /// Labels in the order of their names' bytes; empty: no label.
    package private(set) var labels: [Row]
    /// Clips in each split.
    package private(set) var clips: [Int]
    /// Groups in each split.
    package private(set) var groups: [Int]

    /// - Parameter splitOf: The split of each clip; −1: none.
    package init(_ groups: ClipGroups, splits: [String], splitOf: [Int32]) {
        (self.splits, hasSeveralLabels) = (splits, groups.hasSeveralLabels)
        let none = Array(repeating: 0, count: splits.count)
        var (rows, clips) = (groups.labels.map { Row(name: $0, clips: none) }, none)
        var seen = splits.map { _ in Set<Int32>() }
        for (clip, split) in splitOf.enumerated() where split >= 0 {
            for label in groups.labels(ofClip: clip) { rows[Int(label)].clips[Int(split)] += 1 }
            clips[Int(split)] += 1
            seen[Int(split)].insert(groups.groupOf[clip])
        }
        labels = rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.clips = clips
        self.groups = seen.map(\.count)
    }
}
