/// The last rows of a stream as means over slices of time, from which the columns of a scrolling picture are made.
struct RowHistory {
    let bins: Int
    let rowsPerSlice: Int
    let capacity: Int
    /// Slices started so far.
    private(set) var count = 0

    private var sums: [Float]
    private var rows: [Int32]

    /// 16 MB.
    private static let maximumValues = 1 << 22
    private static let maximumSlices = 2048

    /// - Parameter span: Rows that are shown at a time; 0: as many as there are columns.
    init(bins: Int, span: Double) {
        self.bins = bins
        capacity = max(min(Self.maximumSlices, Self.maximumValues / bins), 1)
        // Half of the slices: a picture may be wider than `span` by a part of a column.
        rowsPerSlice = max(Int((2 * span / Double(capacity)).rounded(.up)), 1)
        sums = Array(repeating: 0, count: bins * capacity)
        rows = Array(repeating: 0, count: capacity)
    }

    mutating func add(_ row: UnsafeBufferPointer<Float>) {
        if count == 0 || Int(rows[(count - 1) % capacity]) == rowsPerSlice {
            let slot = count % capacity
            for index in slot * bins..<(slot + 1) * bins { sums[index] = 0 }
            rows[slot] = 0
            count += 1
        }
        let slot = (count - 1) % capacity
        sums.withUnsafeMutableBufferPointer { sums in
            for bin in 0..<bins { sums[slot * bins + bin] += row[bin] }
        }
        rows[slot] += 1
    }

    /// The mean of all rows in some slices; false: none of them is kept.
    func mean(of slices: Range<Int>, into means: inout [Float]) -> Bool {
        for bin in 0..<bins { means[bin] = 0 }
        var total: Int32 = 0
        for slice in slices where slice >= max(count - capacity, 0) && slice < count {
            let slot = slice % capacity
            total += rows[slot]
            for bin in 0..<bins { means[bin] += sums[slot * bins + bin] }
        }
        guard total > 0 else { return false }
        for bin in 0..<bins { means[bin] /= Float(total) }
        return true
    }

    mutating func clear() { count = 0 }
}
