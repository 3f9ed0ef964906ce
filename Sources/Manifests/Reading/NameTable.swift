import Checksums

/// Distinct names in the order in which they came, each with the number of times it was inserted.
///
/// Names are bytes: two that Unicode calls equivalent but that are written differently stay two. The names lie in one
/// buffer and are found by open addressing, so that looking one up allocates nothing.
struct NameTable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots: [Int32] = Array(repeating: -1, count: 16)
    /// How often each name was inserted.
    private(set) var insertions: [Int] = []

    /// Number of names.
    var count: Int { insertions.count }

    /// A name by its index.
    subscript(index: Int) -> String {
        String(decoding: bytes[ends[index]..<ends[index + 1]], as: UTF8.self)
    }

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
    mutating func insert(_ name: String) -> Int {
        Array(name.utf8).withUnsafeBytes { insert($0) }
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
