import FeatureModel
import FeatureStorage

/// What some clips look like on average, frame by frame.
package struct LabelAverage: Hashable, Sendable {
    /// The mean of frame t over the clips that have a frame t, as stored.
    package let mean: FeatureMatrix
    /// Their standard deviation (of the population).
    package let deviation: FeatureMatrix
    /// How many clips have a frame t.
    package let counts: [Int]

    /// Averages clips' stored values.
    ///
    /// Values that are not finite are left out. Memory: 40 bytes for each frame and bin of the result.
    ///
    /// - Parameters:
    ///   - places: Places of the clips among the stored ones.
    ///   - frames: The most frames that the result has; it has as many as the longest clip, up to these.
    /// - Throws: `StorageError`.
    package static func take(
        _ reader: FeatureReader, places: [Int], frames: Int
    ) throws(StorageError) -> LabelAverage {
        let bins = reader.bins
        var (sums, squares): ([Double], [Double]) = ([], [])
        var numbers: [Int32] = []
        var counts: [Int] = []
        for place in places {
            guard let rows = try reader.rowRanges(ofClips: place..<place + 1).first else { continue }
            let matrix = try reader.rows(rows.prefix(frames))
            let missing = matrix.rows - counts.count
            if missing > 0 {
                counts += Array(repeating: 0, count: missing)
                numbers += Array(repeating: 0, count: missing * bins)
                sums += Array(repeating: 0, count: missing * bins)
                squares += Array(repeating: 0, count: missing * bins)
            }
            for row in 0..<matrix.rows { counts[row] += 1 }
            for (index, value) in matrix.values.enumerated() where value.isFinite {
                sums[index] += Double(value)
                squares[index] += Double(value) * Double(value)
                numbers[index] += 1
            }
        }
        var means = Array(repeating: Float(0), count: sums.count)
        var deviations = means
        for index in sums.indices where numbers[index] > 0 {
            let mean = sums[index] / Double(numbers[index])
            means[index] = Float(mean)
            deviations[index] = Float(max(squares[index] / Double(numbers[index]) - mean * mean, 0).squareRoot())
        }
        return LabelAverage(
            mean: FeatureMatrix(bins: bins, values: means), deviation: FeatureMatrix(bins: bins, values: deviations),
            counts: counts)
    }
}
