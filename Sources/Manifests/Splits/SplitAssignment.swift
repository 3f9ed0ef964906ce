/// The split of every group.
package struct SplitAssignment: Sendable {
    /// Names of splits, those of the shares first.
    package private(set) var names: [String]
    /// For each group the index of its split in `names`; −1: it has none.
    package private(set) var splitOf: [Int32]

    /// By the hash of each group's name. A group keeps its split whatever else the dataset holds.
    package init(_ groups: ClipGroups, _ shares: SplitShares, seed: Int, keepsGiven: Bool = false) {
        let hash = GroupHash(seed: seed)
        self.init(groups, shares, keepsGiven: keepsGiven) { open in
            open.map { Int32(shares.index(at: hash.fraction(of: groups.names[$0]))) }
        }
    }

    /// So that every split has its share of every label, as far as groups allow. A group may change its split when the dataset
    /// grows.
    package init(stratifying groups: ClipGroups, _ shares: SplitShares, seed: Int, keepsGiven: Bool = false) {
        self.init(groups, shares, keepsGiven: keepsGiven) { open in
            StratifiedGroups(groups, shares, seed: seed).assign(open)
        }
    }

    private init(_ groups: ClipGroups, _ shares: SplitShares, keepsGiven: Bool, choose: ([Int]) -> [Int32]) {
        names = shares.names
        splitOf = Array(repeating: -1, count: groups.groupCount)
        if keepsGiven {
            for (group, name) in groups.given.enumerated() {
                if let name { splitOf[group] = Int32(index(of: name)) }
            }
        }
        let open = splitOf.indices.filter { splitOf[$0] < 0 }
        for (group, split) in zip(open, choose(open)) { splitOf[group] = split }
    }

    /// The index of a name, which is added if it is new. Names are equal if their bytes are.
    private mutating func index(of name: String) -> Int {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
        names.append(name)
        return names.count - 1
    }

    /// The split of a group; empty: none.
    package func name(ofGroup group: Int) -> String { splitOf[group] < 0 ? "" : names[Int(splitOf[group])] }
}
