import Checksums

/// Distinct names in the order of insertion, each with the number of times it was inserted.
///
/// Names are bytes: those that differ stay distinct, even if Unicode calls them equivalent. They are in one buffer and found
/// by open addressing, so that a lookup allocates nothing.
package struct NameTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots: [Int32] = Array(repeating: -1, count: 16)
    /// How often each name was inserted.
    package private(set) var insertions: [Int] = []

    package init() {}

    package var count: Int { insertions.count }

    package subscript(index: Int) -> String { String(decoding: bytes[ends[index]..<ends[index + 1]], as: UTF8.self) }

    /// The index of a name, which is added if it is new.
    mutating func insert(_ name: UnsafeRawBufferPointer) -> Int {
        var slot = firstSlot(xxh3(name))
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if holds(name, at: index) {
                insertions[index] += 1
                return index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(count)
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        insertions.append(1)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// The index of a name, which is added if it is new.
    package mutating func insert(_ name: String) -> Int {
        Array(name.utf8).withUnsafeBytes { insert($0) }
    }

    /// The index of a name; nil: it was not inserted.
    package func index(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var slot = firstSlot(xxh3(bytes))
            while slots[slot] >= 0 {
                if holds(bytes, at: Int(slots[slot])) { return Int(slots[slot]) }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    private func firstSlot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func holds(_ name: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard ends[index + 1] - ends[index] == name.count else { return false }
        return bytes.withUnsafeBytes { $0[ends[index]..<ends[index + 1]].elementsEqual(name) }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for index in 0..<count {
            let range = ends[index]..<ends[index + 1]
            let hash = bytes.withUnsafeBytes { xxh3(UnsafeRawBufferPointer(rebasing: $0[range])) }
            var slot = firstSlot(hash)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}

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
