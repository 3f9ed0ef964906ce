import FeatureModel

/// Keeps the last of many frames as they are, in bounded memory.
package struct NewestFrames: Sendable {
    /// The number of frames so far.
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

    /// Takes whole frames.
    ///
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
