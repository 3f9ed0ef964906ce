import FeatureModel

/// Keeps rows in bounded memory: of too many, the means of 2, 4, 8 … neighbours.
///
/// In a picture of a day, a pixel shows the mean of tens of thousands of frames. The mean of the kept means is the same, except
/// for the few frames at a pixel's edges.
package struct FrameReduction: Sendable {
    /// How many frames a row is the mean of; the last row may have fewer.
    package private(set) var framesPerRow = 1
    package private(set) var frameCount = 0
    private let bins: Int
    private let maximumRows: Int
    private var values: [Float] = []
    /// The sum of the frames of a row that is not complete, and their number.
    private var sums: [Double]
    private var pending = 0

    /// - Parameter maximumValues: Maximum number of values that are kept; at least two rows are.
    package init(bins: Int, maximumValues: Int = 1 << 25) {
        self.bins = bins
        maximumRows = max(maximumValues / bins / 2 * 2, 2)
        sums = Array(repeating: 0, count: bins)
    }

    /// - Precondition: The number of values is a multiple of the number of bins.
    package mutating func add(_ frames: UnsafeBufferPointer<Float>) {
        precondition(frames.count % bins == 0, "a reduction needs whole frames")
        var start = 0
        while start < frames.count {
            if values.count == maximumRows * bins { merge() }
            if framesPerRow == 1 {
                let end = min(frames.count, start + maximumRows * bins - values.count)
                values.append(contentsOf: UnsafeBufferPointer(rebasing: frames[start..<end]))
                frameCount += (end - start) / bins
                start = end
            } else {
                for bin in 0..<bins { sums[bin] += Double(frames[start + bin]) }
                pending += 1
                frameCount += 1
                start += bins
                if pending == framesPerRow { completeRow() }
            }
        }
    }

    /// The rows. Call it once, after all frames.
    package mutating func finish() -> FeatureMatrix {
        if pending > 0 { completeRow() }
        defer { values = [] }
        return FeatureMatrix(bins: bins, values: values)
    }

    private mutating func completeRow() {
        for bin in 0..<bins {
            values.append(Float(sums[bin] / Double(pending)))
            sums[bin] = 0
        }
        pending = 0
    }

    private mutating func merge() {
        let rows = values.count / bins / 2
        for row in 0..<rows {
            for bin in 0..<bins {
                let first = Double(values[2 * row * bins + bin])
                let second = Double(values[(2 * row + 1) * bins + bin])
                values[row * bins + bin] = Float((first + second) / 2)
            }
        }
        values.removeLast(values.count - rows * bins)
        framesPerRow *= 2
    }
}

/// Keeps the last of many frames as they are, in bounded memory.
package struct NewestFrames: Sendable {
    package private(set) var frameCount = 0
    private let bins: Int
    private let maximumRows: Int
    private var values: [Float] = []
    /// The row that the next frame replaces, once all rows are in use.
    private var oldest = 0

    /// - Parameter maximumValues: Maximum number of values that are kept; at least one frame is.
    package init(bins: Int, maximumRows: Int, maximumValues: Int) {
        self.bins = bins
        self.maximumRows = max(min(maximumRows, maximumValues / bins), 1)
    }

    /// - Precondition: The number of values is a multiple of the number of bins.
    package mutating func add(_ frames: UnsafeBufferPointer<Float>) {
        precondition(frames.count % bins == 0, "whole frames")
        frameCount += frames.count / bins
        for start in stride(from: 0, to: frames.count, by: bins) {
            let frame = UnsafeBufferPointer(rebasing: frames[start..<start + bins])
            guard values.count == maximumRows * bins else {
                values.append(contentsOf: frame)
                continue
            }
            for bin in 0..<bins { values[oldest * bins + bin] = frame[bin] }
            oldest = (oldest + 1) % maximumRows
        }
    }

    /// The rows, the oldest first. Call it once, after all frames.
    package mutating func finish() -> FeatureMatrix {
        defer { values = [] }
        guard oldest > 0 else { return FeatureMatrix(bins: bins, values: values) }
        return FeatureMatrix(bins: bins, values: Array(values[(oldest * bins)...] + values[..<(oldest * bins)]))
    }
}
