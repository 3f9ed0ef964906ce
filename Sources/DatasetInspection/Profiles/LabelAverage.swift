import FeatureModel
import FeatureStorage
import FileIO

/// The mean of some clips, frame by frame.
package struct LabelAverage: Hashable, Sendable {
    /// The mean of frame t over the clips that have a frame t, as stored.
    package let mean: FeatureMatrix
    /// Their standard deviation (of the population).
    package let deviation: FeatureMatrix
    package let counts: [Int]

    /// Values that are not finite are left out. Memory: 8 bytes for each frame and bin of the result.
    ///
    /// - Parameter frames: Maximum number of frames of the result, which otherwise has as many as the longest clip.
    package static func take(
        _ reader: FeatureReader, clipIndices: [Int], frames: Int, blocks: RowBlocks = .standard
    ) throws(StorageError) -> LabelAverage {
        var (means, deviations): ([Float], [Float]) = ([], [])
        var counts: [Int] = []
        var rows: [Range<Int>] = []
        for index in clipIndices { rows += try reader.rowRanges(ofClips: index..<index + 1) }
        try each(reader, rows: rows, frames: frames, blocks: blocks) { block in
            means += block.mean.values
            deviations += block.deviation.values
            counts += block.counts
        }
        return LabelAverage(
            mean: FeatureMatrix(bins: reader.bins, values: means),
            deviation: FeatureMatrix(bins: reader.bins, values: deviations), counts: counts)
    }

    /// Calls a closure with the mean and deviation of clips with these rows, some frames at a time, from the first on. Takes memory
    /// for one block.
    package static func each(
        _ source: some RowSource, rows ranges: [Range<Int>], frames: Int, blocks: RowBlocks = .standard,
        _ body: (LabelAverage) -> Void
    ) throws(StorageError) {
        let step = blocks.rows(of: source.shape)
        let count = min(ranges.map { source.frameCount(ofRows: $0.count) }.max() ?? 0, max(frames, 0))
        for range in (0..<count).blocks(of: step) {
            body(try average(range, ofRows: ranges, of: source))
        }
    }

    /// The mean and deviation of some frames of the clips with these rows, at each frame of the clips that reach it.
    private static func average(
        _ frames: Range<Int>, ofRows ranges: [Range<Int>], of source: some RowSource
    ) throws(StorageError) -> LabelAverage {
        let bins = source.shape.bins
        var counts = Array(repeating: 0, count: frames.count)
        var numbers = Array(repeating: Int32(0), count: counts.count * bins)
        var (sums, squares) = (Array(repeating: 0.0, count: numbers.count), Array(repeating: 0.0, count: numbers.count))
        for range in ranges {
            let own = frames.clamped(to: 0..<source.frameCount(ofRows: range.count))
            guard !own.isEmpty else { continue }
            let matrix = try source.frames(own, ofRows: range)
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
