import FeatureModel

/// The means of a clip's values over the pixels of a small picture, from rows that arrive block by block.
///
/// Frames are divided evenly among the columns of pixels, and bins among the rows; fewer frames or bins than pixels are kept as
/// they are. So the picture of the means equals that of all values. A mean that includes a value that is not finite is not finite.
///
/// Memory: 8 bytes for each bin, and 4 for each pixel.
package struct PictureCells: Sendable {
    private let frames: Int
    private let bins: Int
    private let columns: Int
    private let height: Int
    /// Each bin's sum over the frames of a column that is not complete, and their number.
    private var sums: [Double]
    private var pending = 0
    private var next = 0
    private var values: [Float] = []

    /// - Parameter frames: The number of frames to expect.
    package init(frames: Int, bins: Int, width: Int, height: Int) {
        self.frames = frames
        self.bins = bins
        columns = min(frames, width)
        self.height = min(bins, height)
        sums = Array(repeating: 0, count: bins)
        values.reserveCapacity(columns * self.height)
    }

    /// - Precondition: Bins and frames are as announced.
    package mutating func add(_ block: FeatureMatrix) {
        precondition(block.bins == bins && next + block.rows <= frames, "more frames or bins came than were announced")
        block.values.withUnsafeBufferPointer { values in
            var row = 0
            while row < block.rows {
                let columnEnd = (self.values.count / height + 1) * frames / columns
                let count = min(columnEnd - next, block.rows - row)
                Self.add(UnsafeBufferPointer(rebasing: values[row * bins..<(row + count) * bins]), to: &sums)
                row += count
                pending += count
                next += count
                if next == columnEnd { completeColumn() }
            }
        }
    }

    private static func add(_ values: UnsafeBufferPointer<Float>, to sums: inout [Double]) {
        sums.withUnsafeMutableBufferPointer { sums in
            for start in stride(from: 0, to: values.count, by: sums.count) {
                for bin in 0..<sums.count { sums[bin] += Double(values[start + bin]) }
            }
        }
    }

    /// The means, a row for each column of pixels, after all frames.
    package var matrix: FeatureMatrix { FeatureMatrix(bins: height, values: values) }

    private mutating func completeColumn() {
        for y in 0..<height {
            let range = y * bins / height..<(y + 1) * bins / height
            var sum = 0.0
            for bin in range { sum += sums[bin] }
            values.append(Float(sum / Double(pending * range.count)))
        }
        for bin in 0..<bins { sums[bin] = 0 }
        pending = 0
    }
}

/// The least and the greatest of a clip's samples over the columns of pixels of a small picture, from samples that arrive block by
/// block. Fewer samples than columns are kept as they are; those that are not finite are left out.
package struct WaveformCells: Sendable {
    private let frames: Int
    private var next = 0
    private var column = 0
    /// An element for each column; nil: it has no finite sample.
    package private(set) var extremes: [ClosedRange<Float>?]

    /// - Parameter frames: The number of samples to expect.
    package init(frames: Int, width: Int) {
        self.frames = frames
        extremes = Array(repeating: nil, count: min(frames, width))
    }

    /// - Precondition: A sample is a row, and there are as many as announced.
    package mutating func add(_ block: FeatureMatrix) {
        precondition(block.bins == 1 && next + block.rows <= frames, "more samples came than were announced")
        for sample in block.values {
            if next == (column + 1) * frames / extremes.count { column += 1 }
            next += 1
            guard sample.isFinite else { continue }
            let known = extremes[column] ?? sample...sample
            extremes[column] = min(known.lowerBound, sample)...max(known.upperBound, sample)
        }
    }
}
