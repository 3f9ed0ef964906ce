/// How many clips' statistics are in memory at a time: a clip of 32,769 bins has a megabyte of them.
package enum StatisticsBlock {
    /// Bytes of a block's statistics, as they are stored.
    package static let room = 16 << 20

    /// Divides clips into blocks whose statistics fit into `room` bytes; a block has at least one clip.
    ///
    /// - Parameters:
    ///   - indices: The clips.
    ///   - bins: Columns that each has statistics of, at least 1.
    ///   - room: Bytes.
    /// - Returns: The blocks in order; none where there are no clips.
    package static func blocks(of indices: Range<Int>, bins: Int, room: Int = room) -> [Range<Int>] {
        let clipBytes = FeatureFormat.statistics.count * MemoryLayout<Double>.size * bins
        let size = max(1, room / clipBytes)
        return stride(from: indices.lowerBound, to: indices.upperBound, by: size).map {
            $0..<min($0 + size, indices.upperBound)
        }
    }
}
