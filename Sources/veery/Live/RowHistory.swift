/// The last rows of a stream as means over slices of time, from which the columns of a scrolling picture are made.
struct RowHistory {
    /// Values in a row.
    let bins: Int
    /// Rows in a slice.
    let rowsPerSlice: Int
    /// Slices that are kept.
    let capacity: Int
    /// Slices that have been begun.
    private(set) var count = 0

    private var sums: [Float]
    private var rows: [Int32]

    /// 16 MB.
    private static let maximumValues = 1 << 22
    private static let mostSlices = 2048

    /// - Parameters:
    ///   - bins: Values in a row.
    ///   - span: Rows that are shown at a time; 0: as many as there are columns.
    init(bins: Int, span: Double) {
        self.bins = bins
        capacity = max(min(Self.mostSlices, Self.maximumValues / bins), 1)
        // Half as many slices as there is room for: a picture may be wider than asked for by a part of a column.
        rowsPerSlice = max(Int((2 * span / Double(capacity)).rounded(.up)), 1)
        sums = Array(repeating: 0, count: bins * capacity)
        rows = Array(repeating: 0, count: capacity)
    }

    /// Takes a row.
    mutating func add(_ row: UnsafeBufferPointer<Float>) {
        if count == 0 || Int(rows[(count - 1) % capacity]) == rowsPerSlice {
            let place = count % capacity
            for index in place * bins..<(place + 1) * bins { sums[index] = 0 }
            rows[place] = 0
            count += 1
        }
        let place = (count - 1) % capacity
        sums.withUnsafeMutableBufferPointer { sums in
            for bin in 0..<bins { sums[place * bins + bin] += row[bin] }
        }
        rows[place] += 1
    }

    /// The mean of all rows in some slices; false where there are none any more, or not yet.
    func mean(of slices: Range<Int>, into means: inout [Float]) -> Bool {
        for bin in 0..<bins { means[bin] = 0 }
        var total: Int32 = 0
        for slice in slices where slice >= max(count - capacity, 0) && slice < count {
            let place = slice % capacity
            total += rows[place]
            for bin in 0..<bins { means[bin] += sums[place * bins + bin] }
        }
        guard total > 0 else { return false }
        for bin in 0..<bins { means[bin] /= Float(total) }
        return true
    }

    /// Forgets everything.
    mutating func clear() { count = 0 }
}
