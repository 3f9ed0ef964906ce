/// Iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011) of clips with any number of labels, of groups instead of single
/// examples: the rarest label first, and of its groups the largest first, each to the split that lacks most of that label.
struct StratifiedGroups {
    private let counts: [[(label: Int, count: Int)]]
    private let sizes: [Int]
    private let labelCount: Int
    private let hashes: [UInt64]
    private let shares: SplitShares

    init(_ groups: ClipGroups, _ shares: SplitShares, seed: Int) {
        (counts, sizes) = (groups.labelCounts, groups.sizes)
        labelCount = groups.labels.count
        let hash = GroupHash(seed: seed)
        hashes = groups.names.map(hash.value)
        self.shares = shares
    }

    /// The splits of some groups, in their order.
    ///
    /// - Complexity: O(l² + n log n) for l labels and n pairs of group and label.
    func assign(_ open: [Int]) -> [Int32] {
        var (left, groupsOf) = (Array(repeating: 0, count: labelCount), Array(repeating: [Int](), count: labelCount))
        var total = 0
        for group in open {
            total += sizes[group]
            for (label, count) in counts[group] {
                left[label] += count
                groupsOf[label].append(group)
            }
        }
        // What each split lacks, of each label and of all clips.
        var lacking = shares.shares.map { share in left.map { share * Double($0) } }
        var lackingAll = shares.shares.map { $0 * Double(total) }
        var chosen: [Int: Int32] = [:]
        while let label = left.indices.filter({ left[$0] > 0 }).min(by: { (left[$0], $0) < (left[$1], $1) }) {
            let groups = groupsOf[label].filter { chosen[$0] == nil }
                .map { group in (group, count: counts[group].first { $0.label == label }?.count ?? 0) }
                .sorted { (-$0.count, hashes[$0.0]) < (-$1.count, hashes[$1.0]) }
            for (group, _) in groups {
                let split = best(lacking.map { $0[label] }, lackingAll, hashes[group])
                chosen[group] = Int32(split)
                lackingAll[split] -= Double(sizes[group])
                for (label, count) in counts[group] {
                    left[label] -= count
                    lacking[split][label] -= Double(count)
                }
            }
        }
        return open.map { chosen[$0] ?? 0 }
    }

    /// The split that lacks most of a label; of equal ones that which lacks most of all, and then one by the group's hash.
    private func best(_ lacking: [Double], _ lackingAll: [Double], _ hash: UInt64) -> Int {
        let count = lacking.count
        let first = Int(hash % UInt64(count))
        let order = (0..<count).map { ($0 + first) % count }
        return order.max { (lacking[$0], lackingAll[$0]) < (lacking[$1], lackingAll[$1]) } ?? 0
    }
}
