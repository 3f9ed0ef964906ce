import FeatureModel

/// The clips of a source in groups: for each clip its group and all its labels.
package struct ClipGroups: Sendable {
    /// Names of the groups, in the order in which they appear.
    package private(set) var names: [String] = []
    /// Names of the labels, in the order in which they appear; empty: no label.
    package private(set) var labels: [String] = []
    /// The group of each clip.
    package private(set) var groupOf: [Int32] = []
    /// The labels of all clips, one clip after another, and where those of each clip end. A clip has at least one, which may be the
    /// empty name.
    private var (labelList, labelEnds): ([Int32], [Int]) = ([], [])
    /// The split that each group has in the source; nil: none.
    package private(set) var given: [String?] = []
    /// Groups with clips in several splits of the source: the group and the splits.
    package private(set) var divided: [(group: String, splits: [String])] = []
    /// Clips whose value of the column is empty. Their recordings are their groups.
    package private(set) var clipsWithoutGroup = 0

    package var groupCount: Int { names.count }
    package var clipCount: Int { groupOf.count }
    /// Whether a clip has more than one label.
    package var hasSeveralLabels: Bool { labelList.count > labelEnds.count }

    /// The labels of a clip; at least one, which may be the empty name.
    package func labels(ofClip clip: Int) -> ArraySlice<Int32> {
        labelList[(clip > 0 ? labelEnds[clip - 1] : 0)..<labelEnds[clip]]
    }

    /// Reads the clips.
    ///
    /// - Parameter written: The paths of the manifest that is written, by which recordings are named; nil: by those of the source.
    /// - Throws: `ManifestError`; `noSuchColumn` where the source has no such column.
    /// - Complexity: Reads the source once. 12 bytes a clip, 4 a label of a clip, and about 100 a group.
    package init(
        of source: any ClipSource, by key: GroupKey, written: RelocatedPaths? = nil
    ) throws(ManifestError) {
        let grouping = try ClipGrouping(of: source, by: key, written: written)
        // By bytes: names that Unicode calls equivalent are different groups, as they are different labels.
        var (groups, labelTable) = (NameTable(), NameTable())
        var splits: [NameTable] = []
        let clips = try source.reader()
        while let clip = try clips.next() {
            let groupNames = grouping.groups(of: clip)
            guard groupNames.count < 2 else {
                throw .severalGroups(path: source.path, clip: clip.id, column: grouping.name, groups: groupNames)
            }
            let value = groupNames.first ?? ""
            if value.isEmpty { clipsWithoutGroup += 1 }
            // A recording cannot have the name of a value: no value holds a NUL.
            let group = groups.insert(value.isEmpty ? "\0" + grouping.recording(of: clip) : value)
            groupOf.append(Int32(clamping: group))
            let names = try source.labelNames(of: clip)
            for name in names.isEmpty ? [""] : names { labelList.append(Int32(clamping: labelTable.insert(name))) }
            labelEnds.append(labelList.count)
            if source.hasSplitColumn {
                if group == splits.count { splits.append(NameTable()) }
                if !clip.split.isEmpty { _ = splits[group].insert(clip.split) }
            }
        }
        names = (0..<groups.count).map { groups[$0] }
        labels = (0..<labelTable.count).map { labelTable[$0] }
        given = Array(repeating: nil, count: names.count)
        for (group, table) in splits.enumerated() where table.count > 0 {
            given[group] = table[0]
            if table.count > 1 { divided.append((names[group], (0..<table.count).map { table[$0] })) }
        }
    }

    /// For each group, its labels with the number of its clips that have them.
    var labelCounts: [[(label: Int, count: Int)]] {
        var counts = Array(repeating: [Int: Int](), count: groupCount)
        for (clip, group) in groupOf.enumerated() {
            for label in labels(ofClip: clip) { counts[Int(group)][Int(label), default: 0] += 1 }
        }
        return counts.map { $0.sorted { $0.key < $1.key }.map { (label: $0.key, count: $0.value) } }
    }

    /// The number of clips of each group.
    var sizes: [Int] {
        var sizes = Array(repeating: 0, count: groupCount)
        for group in groupOf { sizes[Int(group)] += 1 }
        return sizes
    }
}
