/// How many clips' statistics are in memory at a time: a clip of 32,769 bins has a megabyte of them.
package enum StatisticsBlock {
    /// Bytes of a block's statistics, as they are stored.
    package static let room = 16 << 20

    /// Cuts places of clips into blocks whose statistics have a place in `room` bytes, of one clip at least.
    ///
    /// - Parameters:
    ///   - places: The clips.
    ///   - bins: Columns that each has statistics of, at least 1.
    ///   - room: Bytes.
    /// - Returns: The blocks, one behind the other; none where there are no clips.
    package static func blocks(of places: Range<Int>, bins: Int, room: Int = room) -> [Range<Int>] {
        let clipBytes = FeatureFormat.statistics.count * MemoryLayout<Double>.size * bins
        let size = max(1, room / clipBytes)
        return stride(from: places.lowerBound, to: places.upperBound, by: size).map {
            $0..<min($0 + size, places.upperBound)
        }
    }
}
