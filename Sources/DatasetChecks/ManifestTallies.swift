import FeatureModel
import Manifests

/// Clips by label, split and group, counted while the manifest is read.
struct ManifestTallies: Sendable {
    /// A group, such as a speaker.
    struct Group: Sendable {
        /// Clips that have a split.
        var clips = 0
        var firstClip = Int.max
        /// Indices of its splits, in rising order.
        var splits: [Int32] = []
    }

    private let source: any ClipSource
    private let splitIndex: [[UInt8]: Int32]
    /// nil: no groups.
    private let grouping: ClipGrouping?
    /// What clips are grouped by, such as the name of a column; nil: no groups.
    var groupName: String? { grouping?.name }
    /// The clips of each label.
    private var clips: [Int32]
    /// The splits that have a clip of a label: label · splits + split. A table would need a number for each label and split, also
    /// where every clip has a label and a split of its own.
    private var labelSplits: Set<Int> = []
    /// Number of splits that have a clip of each label.
    private var splitCounts: [Int32]
    /// The first clip of each label.
    private(set) var firstClips: [Int32]
    /// Clips without a label.
    private(set) var unlabelled = 0
    private(set) var groups: [String: Group] = [:]

    /// - Parameter group: What must not be divided among splits; nil: `speaker`, where there is such a column.
    /// - Throws: `noSuchColumn`.
    init(_ source: any ClipSource, group: GroupKey?) throws(ManifestError) {
        self.source = source
        let group = group ?? .usual(of: source)
        grouping = try group.map { group throws(ManifestError) in try ClipGrouping(of: source, by: group) }
        var splits: [[UInt8]: Int32] = [:]
        for (index, split) in source.splits.enumerated() { splits[Array(split.name.utf8)] = Int32(index) }
        splitIndex = splits
        clips = Array(repeating: 0, count: source.labels.count)
        splitCounts = clips
        firstClips = Array(repeating: .max, count: source.labels.count)
    }

    /// Counts a clip; returns the index of its split, −1 for none.
    mutating func add(_ clip: Clip) -> Int32 {
        let split = clip.split.isEmpty ? -1 : splitIndex[Array(clip.split.utf8)] ?? -1
        let labels = labels(of: clip)
        if labels.isEmpty { unlabelled += 1 }
        for label in labels {
            clips[label] += 1
            firstClips[label] = min(firstClips[label], Int32(clamping: clip.index))
            guard split >= 0 else { continue }
            if labelSplits.insert(label * source.splits.count + Int(split)).inserted { splitCounts[label] += 1 }
        }
        guard split >= 0, source.splits.count > 1 else { return split }
        for name in grouping?.groups(of: clip) ?? [] {
            var group = groups[name] ?? Group()
            group.clips += 1
            group.firstClip = min(group.firstClip, clip.index)
            if !group.splits.contains(split) {
                group.splits.append(split)
                group.splits.sort()
            }
            groups[name] = group
        }
        return split
    }

    /// The indices of all labels of a clip; none: it is unlabelled.
    func labels(of clip: Clip) -> [Int] {
        // The first reading has found all lists valid.
        ((try? source.labelNames(of: clip)) ?? []).compactMap(source.labelIndex(of:))
    }

    /// The clips of a label.
    func clips(ofLabel label: Int) -> Int { Int(clips[label]) }

    /// The splits that have no clip of a label: their number, and the names of the first few.
    func absentSplits(ofLabel label: Int) -> (count: Int, names: [String]) {
        let count = source.splits.count - Int(splitCounts[label])
        guard count > 0 else { return (0, []) }
        let absent = source.splits.indices.lazy.filter { !labelSplits.contains(label * source.splits.count + $0) }
        return (count, absent.prefix(Self.namedSplits).map { source.splits[$0].name })
    }

    private static let namedSplits = 10
}
