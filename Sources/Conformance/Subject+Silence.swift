import FeatureModel
import Platform

extension Subject {
    /// The share of the difference, as a sum of squares, that rows of digital silence have to hold.
    private static var shareInSilence: Double { 0.5 }
    /// The fewest of these rows that tell noise from other sound.
    private static var fewestRows: Int { 4 }
    /// How far a copy of the recording with noise may be off by another difference, which the noise hides, as a share of the range.
    private static var hidden: Double { 0.03 }
    /// How many times more or less than those of noise values may vary. Those of faint speech vary three times as much.
    private static var variation: Double { 1.5 }
    /// The strengths of noise that are tried, as decimal logarithms, and the number of halvings of that range.
    private static var strengths: (range: ClosedRange<Double>, halvings: Int) { (-7 ... -2, 8) }

    /// Whether most of the difference is where the recording is digitally silent, and the array has noise there, such as dither.
    ///
    /// A copy of the recording with noise has to be near to the array: in all other rows, and in the silent ones, whose values are
    /// random, by the means of the bins and by how much values vary from row to row, in each bin and over all bins.
    var isOffInSilence: Bool {
        guard let samples = signals.signals.first, signals.signals.count == 1, target.matrix.bins == features.bins
        else { return false }
        let count = min(target.matrix.rows, features.rows)
        let silent = SilentRows.rows(of: samples, plan).filter { $0 < count }
        let isSilent = Set(silent)
        let others = (0..<count).filter { !isSilent.contains($0) }
        let (inSilence, elsewhere) = (squares(silent, features), squares(others, features))
        guard silent.count >= Self.fewestRows, inSilence > 0,
            inSilence >= Self.shareInSilence * (inSilence + elsewhere)
        else { return false }
        let given = RowStatistics(target.matrix, silent)
        guard let copy = noisyCopy(samples, silent, mean: given.mean) else { return false }
        let noise = RowStatistics(copy, silent)
        let limit = Self.hidden * target.range.whole
        let typical = (squares(others, copy) / Double(max(others.count * features.bins, 1))).squareRoot()
        let levels = Self.variation + 3 / Double(silent.count).squareRoot()
        return typical <= limit && given.distance(to: noise) <= limit
            && given.spread <= Self.variation * noise.spread && noise.spread <= Self.variation * given.spread
            && given.levels <= levels * noise.levels
    }

    /// The sum of the squares that the array is off from features in some rows; values that are not finite are left out.
    private func squares(_ rows: [Int], _ features: FeatureMatrix) -> Double {
        let given = target.matrix
        return rows.reduce(0) { sum, row in
            zip(given[row: row], features[row: row]).reduce(sum) { sum, pair in
                let difference = Double(pair.0) - Double(pair.1)
                return difference.isFinite ? sum + difference * difference : sum
            }
        }
    }

    /// The features of the recording with noise, as strong as the mean of some rows tells.
    private func noisyCopy(_ samples: [Float], _ rows: [Int], mean: Double) -> FeatureMatrix? {
        var (low, high) = (Self.strengths.range.lowerBound, Self.strengths.range.upperBound)
        var copy: FeatureMatrix?
        for _ in 0..<Self.strengths.halvings {
            let middle = (low + high) / 2
            let amplitude = pow(10, middle)
            var noise = GaussianNoise(seed: 1)
            let noisy = samples.map { $0 + Float(amplitude * noise.next()) }
            guard let found = try? ExpectedFeatures.rows(of: noisy, plan), found.rows == features.rows else {
                return nil
            }
            copy = found
            if RowStatistics(found, rows).mean < mean { low = middle } else { high = middle }
        }
        return copy
    }
}

/// How the values of some rows are distributed.
private struct RowStatistics {
    /// The mean of each bin.
    private let means: [Double]
    /// The standard deviation from row to row, of all bins: the root of the mean of the squares.
    let spread: Double
    /// The standard deviation of the means of rows: small where bins vary independently.
    let levels: Double

    var mean: Double { means.reduce(0, +) / Double(means.count) }

    init(_ matrix: FeatureMatrix, _ rows: [Int]) {
        let series = (0..<matrix.bins).map { bin in rows.map { Double(matrix[$0, bin]) } }
        means = series.map { $0.reduce(0, +) / Double(rows.count) }
        spread = (series.map(Self.variance).reduce(0, +) / Double(matrix.bins)).squareRoot()
        levels =
            Self.variance(rows.map { row in matrix[row: row].reduce(0) { $0 + Double($1) } }).squareRoot()
            / Double(matrix.bins)
    }

    private static func variance(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    }

    /// The root of the mean of the squares of the differences between the means of bins.
    func distance(to other: RowStatistics) -> Double {
        let squares = zip(means, other.means).map { ($0 - $1) * ($0 - $1) }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
}
