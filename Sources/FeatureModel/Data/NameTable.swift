/// Distinct names in the order of insertion, each with the number of times it was inserted.
///
/// Names are compared byte by byte: two that Unicode calls equivalent are still distinct. All bytes are in one buffer, and a name is
/// found by open addressing, so that a lookup allocates nothing.
package struct NameTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots: [Int32] = Array(repeating: -1, count: 16)
    /// How often each name was inserted.
    package private(set) var insertions: [Int] = []

    package init() {}

    package var count: Int { insertions.count }

    package subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// The bytes of a name.
    package func bytes(_ index: Int) -> ArraySlice<UInt8> { bytes[ends[index]..<ends[index + 1]] }

    /// The index of a name, which is added if it is new.
    package mutating func insert(_ name: UnsafeRawBufferPointer) -> Int {
        let slot = slot(of: name)
        if slots[slot] >= 0 {
            insertions[Int(slots[slot])] += 1
            return Int(slots[slot])
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
        let index = name.withUTF8 { slots[slot(of: UnsafeRawBufferPointer($0))] }
        return index < 0 ? nil : Int(index)
    }

    /// The slot of a name, or the empty one where it belongs.
    private func slot(of name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] >= 0, !holds(name, at: Int(slots[slot])) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func holds(_ name: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard ends[index + 1] - ends[index] == name.count else { return false }
        return bytes.withUnsafeBytes { $0[ends[index]..<ends[index + 1]].elementsEqual(name) }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for index in 0..<count {
            let slot = bytes(index).withUnsafeBytes { self.slot(of: $0) }
            slots[slot] = Int32(index)
        }
    }
}
