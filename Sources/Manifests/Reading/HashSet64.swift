/// A set of 64-bit hashes in one flat array: 8 bytes a slot, at most 7 of 8 slots in use.
///
/// A hash's slot is its share of the whole range, so that the set can grow by half instead of doubling: 9 to 14 bytes a hash
/// once it is large, and 23 while it grows.
struct HashSet64: Sendable {
    private var slots: [UInt64] = Array(repeating: 0, count: 64)
    private(set) var count = 0

    /// Adds a hash; false if it was there. A hash of 0, which marks an empty slot, counts as 1.
    mutating func insert(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        let slot = find(hash)
        guard slots[slot] == 0 else { return false }
        slots[slot] = hash
        count += 1
        if count * 8 > slots.count * 7 { grow() }
        return true
    }

    func contains(_ hash: UInt64) -> Bool { slots[find(max(hash, 1))] != 0 }

    /// The slot that holds the hash, or the empty one where it belongs.
    private func find(_ hash: UInt64) -> Int {
        var slot = Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high)
        while slots[slot] != 0, slots[slot] != hash {
            slot += 1
            if slot == slots.count { slot = 0 }
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count + old.count / 2)
        for hash in old where hash != 0 { slots[find(hash)] = hash }
    }
}
