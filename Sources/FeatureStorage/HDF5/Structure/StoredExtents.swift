import ClipSpool

/// The extents of a dataset or an attribute; none: a single value.
struct StoredExtents {
    let extents: [UInt64]
    /// The maximum of each.
    let limits: [UInt64]
    /// The number of values.
    let count: UInt64

    /// Reads the message that holds them.
    ///
    /// - Throws: `StorageError.damaged`, also where the values are too many to be counted.
    init(_ piece: StructurePiece) throws(StorageError) {
        let version = try piece.number(0, UInt8.self)
        let (rank, flags) = (Int(try piece.number(1, UInt8.self)), try piece.number(2, UInt8.self))
        guard version == 1 || version == 2, rank <= 32 else {
            throw piece.damaged("has version \(version) and \(rank) dimensions")
        }
        // Version 2 knows a kind that has no values at all.
        let isNull = version == 2 ? try piece.number(3, UInt8.self) == 2 : false
        var offset = version == 1 ? 8 : 4
        var read: [[UInt64]] = []
        for _ in 0..<(flags & 1 == 0 ? 1 : 2) {
            var values: [UInt64] = []
            for _ in 0..<rank {
                values.append(try piece.number(offset))
                offset += 8
            }
            read.append(values)
        }
        extents = read[0]
        limits = read[read.count - 1]
        var count: UInt64 = isNull ? 0 : 1
        for (extent, limit) in zip(extents, limits) {
            let (product, overflow) = count.multipliedReportingOverflow(by: extent)
            guard !overflow, extent <= limit else {
                throw piece.damaged("claims the extents \(extents) of at most \(limits)")
            }
            count = product
        }
        self.count = count
    }
}
