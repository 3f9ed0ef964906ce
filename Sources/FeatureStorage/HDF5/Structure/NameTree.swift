import FileIO

/// The names in a group and the headers that they refer to: a tree, and a heap of the names.
struct NameTree {
    /// Half of the maximum number of entries in a node of each kind.
    struct Capacity {
        let leaf: Int
        let node: Int
    }

    private static let entrySize = 40

    /// The objects of the group in the tree's order, without symbolic links.
    private(set) var objects: [(name: String, header: UInt64)] = []

    private let bytes: StructureBytes
    private let capacity: Capacity
    private let group: String
    private let names: StructurePiece
    private var nodesLeft: Int

    /// Reads them.
    ///
    /// - Throws: `StorageError.damaged` where a node, a heap or a name lies outside the file or its parent, or a node
    ///   occurs twice.
    init(_ bytes: StructureBytes, tree: UInt64, heap: UInt64, capacity: Capacity, group: String) throws(StorageError) {
        self.bytes = bytes
        self.capacity = capacity
        self.group = group
        names = try Self.heap(bytes, at: heap, group: group)
        // One more than fit into the file would mean that a node occurs twice.
        nodesLeft =
            bytes.byteCount / (8 + 2 * capacity.leaf * Self.entrySize) + bytes.byteCount / Self.nodeSize(capacity) + 1
        try node(at: tree, below: nil)
    }

    private static func nodeSize(_ capacity: Capacity) -> Int { 24 + 8 * (4 * capacity.node + 1) }

    private static func heap(
        _ bytes: StructureBytes, at address: UInt64, group: String
    ) throws(StorageError) -> StructurePiece {
        let head = try bytes.piece("the heap of names of \(group)", at: address, count: 32)
        try head.require("HEAP")
        let count: UInt64 = try head.number(8)
        let names = try bytes.piece("the names of \(group)", at: try head.number(24), count: count)
        // The free pieces are a linked list, which 1 ends.
        var free: UInt64 = try head.number(16)
        var freeLeft = count / 16
        while free != 1 {
            guard free <= count, count - free >= 16, freeLeft > 0 else {
                throw head.damaged("has a free piece at byte \(free) of \(count), or one that occurs twice")
            }
            let (next, length) = (
                try names.number(Int(free), UInt64.self), try names.number(Int(free) + 8, UInt64.self)
            )
            guard length <= count - free else {
                throw head.damaged("has \(length) bytes free from byte \(free) of \(count) on")
            }
            freeLeft -= 1
            free = next
        }
        return names
    }

    private mutating func take() throws(StorageError) {
        guard nodesLeft > 0 else { throw bytes.damaged("the tree of names of \(group) has a cycle") }
        nodesLeft -= 1
    }

    /// - Parameter above: The level of the node above; nil: this is the first.
    private mutating func node(at address: UInt64, below above: UInt8?) throws(StorageError) {
        try take()
        let node = try bytes.piece("the tree of names of \(group)", at: address, count: UInt64(Self.nodeSize(capacity)))
        try node.require("TREE")
        let (kind, level) = (try node.number(4, UInt8.self), try node.number(5, UInt8.self))
        let count = Int(try node.number(6, UInt16.self))
        guard kind == 0, above.map({ level == $0 - 1 }) ?? true, count <= 2 * capacity.node else {
            throw node.damaged("is of kind \(kind) and level \(level), with \(count) entries")
        }
        for index in 0..<count {
            let child: UInt64 = try node.number(32 + 16 * index)
            if level > 0 { try self.node(at: child, below: level) } else { try leaf(at: child) }
        }
    }

    private mutating func leaf(at address: UInt64) throws(StorageError) {
        try take()
        let leaf = try bytes.piece(
            "a list of names of \(group)", at: address, count: UInt64(8 + 2 * capacity.leaf * Self.entrySize))
        try leaf.require("SNOD")
        let count = Int(try leaf.number(6, UInt16.self))
        guard count <= 2 * capacity.leaf else { throw leaf.damaged("has \(count) entries") }
        for index in 0..<count {
            let entry = try leaf.part(from: 8 + index * Self.entrySize, count: Self.entrySize)
            guard let offset = Int(exactly: try entry.number(0, UInt64.self)) else {
                throw entry.damaged("has an offset for its name that is too large")
            }
            let name = try names.text(offset)
            // 2: a symbolic link, which has no header.
            guard try entry.number(16, UInt32.self) != 2 else { continue }
            objects.append((name, try entry.number(8)))
        }
    }
}
