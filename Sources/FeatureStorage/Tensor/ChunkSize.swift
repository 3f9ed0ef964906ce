/// How many rows a chunk of a compressed tensor has.
package enum ChunkSize {
    /// Chunks are no larger than this, in bytes, if they can have more than `minimumRows` rows: small enough that reading a clip
    /// unpacks little else.
    static let preferredBytes = 65_536
    /// And no larger than this in any case: libhdf5's cache holds as much, and unpacks a larger chunk again for each row.
    static let maximumBytes = 1 << 20
    /// Rows of a chunk where no larger number is good.
    static let minimumRows = 8
    /// Maximum number of rows of a chunk.
    static let maximumRows = 256
    /// The share of rows that may be padding.
    static let maximumPadding = 0.05

    /// The number of rows of a chunk.
    ///
    /// Every clip starts a chunk of its own, so the rows after its last one are padding. The number is the largest of
    /// 8, 16, 32 … 256 with which a chunk has at most 64 KiB and the padding is at most 5 % of the rows of all clips; 8
    /// where none is. Only where 8 rows are more than 1 MiB is it less: 4, 2 or 1.
    ///
    /// - Parameters:
    ///   - rowBytes: Bytes of a row.
    ///   - lengths: For each length that clips have, in rows, the number of those clips. In the fixed layout: that of a
    ///     block, once.
    package static func rows(rowBytes: Int, lengths: [Int: Int]) -> Int {
        let rows = lengths.reduce(0.0) { $0 + Double($1.key) * Double($1.value) }
        func padding(_ chunk: Int) -> Double {
            lengths.reduce(0.0) { $0 + Double((chunk - $1.key % chunk) % chunk) * Double($1.value) }
        }
        var size = maximumRows
        while size > minimumRows {
            if size <= preferredBytes / max(rowBytes, 1), padding(size) <= maximumPadding * rows { return size }
            size /= 2
        }
        while size > 1, size > maximumBytes / max(rowBytes, 1) { size /= 2 }
        return size
    }
}
