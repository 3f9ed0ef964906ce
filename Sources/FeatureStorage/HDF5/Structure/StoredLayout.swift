import ClipSpool

/// Where a dataset's values are.
enum StoredLayout {
    /// In its header.
    case compact(byteCount: UInt64)
    /// In one piece; without an address nothing was ever written.
    case contiguous(address: UInt64, byteCount: UInt64)
    /// In chunks of these extents, the bytes of a value the last of them.
    case chunked(tree: UInt64, extents: [UInt64])
    /// In a way that only newer versions of HDF5 know, with checksums of their own.
    case newer

    /// Reads the message that holds it.
    ///
    /// - Throws: `StorageError.damaged`.
    init(_ piece: StructurePiece) throws(StorageError) {
        let version = try piece.number(0, UInt8.self)
        guard version != 4, version != 5 else {
            self = .newer
            return
        }
        // Those before were written until 2004.
        guard version == 3 else { throw piece.damaged("has the unknown version \(version)") }
        switch try piece.number(1, UInt8.self) {
        case 0:
            let count = try piece.number(2, UInt16.self)
            _ = try piece.part(from: 4, count: Int(count))
            self = .compact(byteCount: UInt64(count))
        case 1: self = .contiguous(address: try piece.number(2), byteCount: try piece.number(10))
        case 2:
            let rank = Int(try piece.number(2, UInt8.self))
            var extents: [UInt64] = []
            for index in 0..<rank { extents.append(UInt64(try piece.number(11 + 4 * index, UInt32.self))) }
            self = .chunked(tree: try piece.number(3), extents: extents)
        case let kind: throw piece.damaged("names the unknown kind \(kind)")
        }
    }
}
