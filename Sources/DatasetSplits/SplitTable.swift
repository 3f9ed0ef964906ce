/// How many clips of each label are in each split.
package struct SplitTable: Hashable, Sendable {
    /// A label, or all of them.
    package struct Row: Hashable, Sendable {
        package let name: String
        /// Clips in each split.
        package fileprivate(set) var clips: [Int]
    }

    package let splits: [String]
    /// Labels in the order of their names' bytes; empty: no label.
    package private(set) var labels: [Row]
    /// Clips in each split.
    package private(set) var clips: [Int]
    /// Groups in each split.
    package private(set) var groups: [Int]

    /// - Parameter splitOf: The split of each clip; −1: none.
    package init(_ groups: ClipGroups, splits: [String], splitOf: [Int32]) {
        self.splits = splits
        let none = Array(repeating: 0, count: splits.count)
        var (rows, clips) = (groups.labels.map { Row(name: $0, clips: none) }, none)
        var seen = splits.map { _ in Set<Int32>() }
        for (clip, split) in splitOf.enumerated() where split >= 0 {
            rows[Int(groups.labelOf[clip])].clips[Int(split)] += 1
            clips[Int(split)] += 1
            seen[Int(split)].insert(groups.groupOf[clip])
        }
        labels = rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.clips = clips
        self.groups = seen.map(\.count)
    }
}
