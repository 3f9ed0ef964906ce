import FeatureModel

extension Subject {
    /// The share of the difference that rows of digital silence have to hold.
    private static var shareInSilence: Double { 0.9 }
    /// How much values have to change from one of these rows to the next, as a share of the range: noise does by a hundredth of the
    /// logarithms, other limits of values not at all.
    private static var leastNoise: Double { 1e-3 }

    /// Whether nearly all of the difference is where the recording is digitally silent, and the array has noise there.
    var isOffInSilence: Bool {
        let (given, width) = (target.matrix, features.bins)
        guard let samples = signals.signals.first, signals.signals.count == 1, given.bins == width else { return false }
        let count = min(given.rows, features.rows)
        let rows = SilentRows.rows(of: samples, plan).filter { $0 < count }
        func square(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Double {
            zip(one, other).reduce(0) { sum, pair in
                let difference = Double(pair.0) - Double(pair.1)
                return difference.isFinite ? sum + difference * difference : sum
            }
        }
        func row(_ matrix: FeatureMatrix, _ row: Int) -> ArraySlice<Float> {
            matrix.values[row * width..<(row + 1) * width]
        }
        func squares(_ rows: some Sequence<Int>) -> Double {
            rows.reduce(0) { $0 + square(row(given, $1), row(features, $1)) }
        }
        let neighbours = zip(rows, rows.dropFirst()).filter { $1 == $0 + 1 }
        let (inSilence, all) = (squares(rows), squares(0..<count))
        guard !neighbours.isEmpty, all > 0, inSilence >= Self.shareInSilence * all else { return false }
        let changes = neighbours.reduce(0) { $0 + square(row(given, $1.0), row(given, $1.1)) }
        let typical = (changes / Double(2 * neighbours.count * width)).squareRoot()
        return typical >= Self.leastNoise * target.range.whole
    }
}
