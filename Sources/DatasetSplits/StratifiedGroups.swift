/// Iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011), of groups instead of single examples: the rarest label first, and
/// of its groups the largest first, each to the split that lacks most of that label.
struct StratifiedGroups {
    private let counts: [[(label: Int, count: Int)]]
    private let labelCount: Int
    private let hashes: [UInt64]
    private let shares: SplitShares

    init(_ groups: ClipGroups, _ shares: SplitShares, seed: Int) {
        counts = groups.labelCounts
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
            for (label, count) in counts[group] {
                left[label] += count
                total += count
                groupsOf[label].append(group)
            }
        }
        // What each split lacks, of each label and of all.
        var lacking = shares.shares.map { share in left.map { share * Double($0) } }
        var lackingAll = shares.shares.map { $0 * Double(total) }
        var chosen: [Int: Int32] = [:]
        while let label = left.indices.filter({ left[$0] > 0 }).min(by: { (left[$0], $0) < (left[$1], $1) }) {
            func count(_ group: Int) -> Int { counts[group].first { $0.label == label }?.count ?? 0 }
            let groups = groupsOf[label].filter { chosen[$0] == nil }
                .sorted { (-count($0), hashes[$0]) < (-count($1), hashes[$1]) }
            for group in groups {
                let split = best(lacking.map { $0[label] }, lackingAll, hashes[group])
                chosen[group] = Int32(split)
                for (label, count) in counts[group] {
                    left[label] -= count
                    lacking[split][label] -= Double(count)
                    lackingAll[split] -= Double(count)
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
