import FileIO

/// The B-tree of a dataset's chunks.
struct ChunkTree {
    /// The number of chunks.
    private(set) var count = 0
    /// Whether the keys of all nodes rise. libhdf5 looks for a chunk by them, and reads the fill value if they lead elsewhere.
    private(set) var isOrdered = true

    private let bytes: StructureBytes
    private let dataset: String
    private let chunk: [UInt64]
    private let extents: [UInt64]
    private let maximumStored: UInt64
    private let capacity: Int
    private var nodesLeft: Int
    private let maximumCount: UInt64
    private let found: ((StoredChunk) throws(StorageError) -> Void)?

    /// Reads it. Takes time in proportion to the chunks.
    ///
    /// - Parameters:
    ///   - address: The address of its first node; undefined: there are no chunks.
    ///   - capacity: Half of the maximum number of entries in a node.
    ///   - chunk: The extents of a chunk, the bytes of a value the last of them.
    ///   - extents: Those of the dataset.
    ///   - maximumStored: The maximum size of a chunk in the file, in bytes.
    ///   - found: Called with each chunk.
    /// - Throws: What `found` throws, or `StorageError.damaged` where a node or a chunk lies outside the file, or occurs twice.
    init(
        _ bytes: StructureBytes, at address: UInt64, capacity: Int, chunk: [UInt64], extents: [UInt64],
        maximumStored: UInt64, dataset: String,
        found: ((StoredChunk) throws(StorageError) -> Void)? = nil
    ) throws(StorageError) {
        self.bytes = bytes
        self.dataset = dataset
        self.chunk = chunk
        self.extents = extents
        self.maximumStored = maximumStored
        self.capacity = capacity
        self.found = found
        nodesLeft = bytes.byteCount / Self.nodeSize(capacity: capacity, rank: chunk.count) + 1
        // The number of chunks, rounded up in each dimension. The product of the extents is known not to overflow.
        maximumCount = zip(extents, chunk).reduce(1) { $0 &* ($1.0 / $1.1 + ($1.0 % $1.1 == 0 ? 0 : 1)) }
        if address != StructureBytes.undefined { try node(at: address, below: nil, within: nil) }
    }

    private static func nodeSize(capacity: Int, rank: Int) -> Int {
        24 + (2 * capacity + 1) * (8 + 8 * rank) + 16 * capacity
    }

    /// - Parameter bounds: The keys around the node in the one above.
    private mutating func node(
        at address: UInt64, below above: UInt8?, within bounds: (low: [UInt64], high: [UInt64])?
    ) throws(StorageError) {
        guard nodesLeft > 0 else { throw bytes.damaged("the tree of chunks of \(dataset) has a cycle") }
        nodesLeft -= 1
        let node = try bytes.piece(
            "the tree of chunks of \(dataset)", at: address,
            count: UInt64(Self.nodeSize(capacity: capacity, rank: chunk.count)))
        try node.require("TREE")
        let (kind, level) = (try node.number(4, UInt8.self), try node.number(5, UInt8.self))
        let entries = Int(try node.number(6, UInt16.self))
        guard kind == 1, above.map({ level == $0 - 1 }) ?? true, entries <= 2 * capacity else {
            throw node.damaged("is of kind \(kind) and level \(level), with \(entries) entries")
        }
        let keySize = 8 + 8 * chunk.count
        var low = try position(node, 24)
        if let bounds, low.lexicographicallyPrecedes(bounds.low) { isOrdered = false }
        for index in 0..<entries {
            let key = 24 + index * (keySize + 8)
            let child: UInt64 = try node.number(key + keySize)
            let high = try position(node, key + keySize + 8)
            // Each chunk is looked for with the first byte of its values.
            if !low.lexicographicallyPrecedes(high) || level == 0 && low.last != 0 { isOrdered = false }
            defer { low = high }
            guard level == 0 else {
                try self.node(at: child, below: level, within: (low, high))
                continue
            }
            let stored = UInt64(try node.number(key, UInt32.self))
            guard stored > 0, stored <= maximumStored else {
                throw node.damaged("has a chunk of \(stored) bytes; the maximum is \(maximumStored)")
            }
            let byteOffset = try bytes.offset(of: "a chunk of \(dataset)", at: child, count: stored)
            var start: [Int] = []
            for (dimension, extent) in extents.enumerated() {
                let offset: UInt64 = try node.number(key + 8 + 8 * dimension)
                guard offset < extent, offset % chunk[dimension] == 0 else {
                    throw node.damaged("has a chunk at \(offset) in dimension \(dimension) of the extent \(extent)")
                }
                if found != nil { start.append(Int(clamping: offset)) }
            }
            count += 1
            guard UInt64(count) <= maximumCount else {
                throw node.damaged("has more chunks than the dataset can hold")
            }
            guard let found else { continue }
            let mask: UInt32 = try node.number(key + 4)
            try found(StoredChunk(start: start, offset: byteOffset, byteCount: Int(stored), filterMask: mask))
        }
        if let bounds, bounds.high.lexicographicallyPrecedes(low) { isOrdered = false }
    }

    /// Where the chunk of a key lies, counted in chunks, as libhdf5 compares keys.
    private func position(_ node: StructurePiece, _ key: Int) throws(StorageError) -> [UInt64] {
        var position: [UInt64] = []
        position.reserveCapacity(chunk.count)
        for dimension in chunk.indices {
            position.append(try node.number(key + 8 + 8 * dimension, UInt64.self) / chunk[dimension])
        }
        return position
    }
}
