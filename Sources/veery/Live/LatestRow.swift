/// What bars show: the greatest value of each bin in the frames that have come since the last picture, or where none has,
/// the last frame.
struct LatestRow {
    /// The values; empty before the first frame.
    private(set) var values: [Float] = []
    private let bins: Int
    private var isShown = true

    /// - Parameter bins: Values in a row.
    init(bins: Int) { self.bins = bins }

    /// Takes whole rows.
    mutating func add(_ rows: [Float], meter: ValueMeter) {
        for start in stride(from: 0, to: rows.count, by: bins) {
            if isShown {
                values = rows[start..<start + bins].map { meter($0) }
                isShown = false
            } else {
                for bin in 0..<bins { values[bin] = max(values[bin], meter(rows[start + bin])) }
            }
        }
    }

    /// Says that a picture was made.
    mutating func show() { isShown = true }

    /// Forgets all frames.
    mutating func clear() {
        values = []
        isShown = true
    }
}
