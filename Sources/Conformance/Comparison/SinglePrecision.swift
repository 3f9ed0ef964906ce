import FeatureModel

/// What a transform in single precision loses: of bins that are quiet next to loud ones of their row, the last digits, at random.
enum SinglePrecision {
    /// The share of the squared differences that the quietest quarter of the values has to hold.
    private static let leastShare = 0.9
    /// The share of its differences that have to be up, and down.
    private static let leastSigned = 0.25

    /// Whether differences of logarithms are distributed like that.
    ///
    /// - Parameter levels: The expected logarithms before they were normalised, which tell loud bins from quiet ones.
    static func isLikely(expected: FeatureMatrix, given: FeatureMatrix, levels: FeatureMatrix) -> Bool {
        let bins = expected.bins
        guard given.bins == bins, levels.bins == bins, given.rows == expected.rows, levels.rows == expected.rows else {
            return false
        }
        var values: [(depth: Float, difference: Double)] = []
        values.reserveCapacity(expected.values.count)
        for row in 0..<expected.rows {
            let loudest = levels[row: row].max() ?? 0
            for index in (row * bins)..<((row + 1) * bins) {
                let difference = Double(given.values[index]) - Double(expected.values[index])
                guard difference.isFinite else { return false }
                values.append((loudest - levels.values[index], difference))
            }
        }
        let quiet = values.sorted { $0.depth > $1.depth }.prefix(values.count / 4)
        func squares(_ values: some Sequence<(depth: Float, difference: Double)>) -> Double {
            values.reduce(0) { $0 + $1.difference * $1.difference }
        }
        let all = squares(values)
        guard all > 0, squares(quiet) >= leastShare * all else { return false }
        let (up, down) = (quiet.count { $0.difference > 0 }, quiet.count { $0.difference < 0 })
        return Double(min(up, down)) >= leastSigned * Double(up + down)
    }
}
