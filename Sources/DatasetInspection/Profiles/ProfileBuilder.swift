import FeatureModel
import FeatureStorage

/// Computes the profiles of clips from their rows, one clip after another.
struct ProfileBuilder {
    private let bins: Int
    private let element: StoreConfiguration.Element
    private let rule: FloorRule?
    private(set) var profiles: [ClipProfile] = []
    private(set) var means: [Float] = []
    private(set) var histogram = ValueHistogram()
    private(set) var invalid = 0
    private var sums: [Double]
    private var squares: [Double]
    private var counts: [Int]
    private var atFloor = 0
    private var comparable = 0
    private var clip: Clip

    private struct Clip {
        let clipIndex: Int
        let labelIndex: Int
        let figures: NormalizationFigures?
        var frames = 0
        var sums: [Double]
        var counts: [Int]
        var first: [Float] = []
        var peaks: [Float]
        /// The greatest value of each column that counts as the floor; empty: not known yet.
        var limits: [Float] = []
        var minimum = Float.infinity
        var maximum = -Float.infinity
        var low = 0
        var invalid = 0
        var isConstant = true

        init(clipIndex: Int, labelIndex: Int, figures: NormalizationFigures?, bins: Int) {
            self.clipIndex = clipIndex
            self.labelIndex = labelIndex
            self.figures = figures
            sums = Array(repeating: 0, count: bins)
            counts = Array(repeating: 0, count: bins)
            peaks = Array(repeating: -.infinity, count: bins)
        }
    }

    init(_ configuration: FeatureConfiguration, shape: TensorShape) {
        bins = shape.bins
        element = shape.element
        rule = FloorRule(configuration, bins: shape.bins)
        sums = Array(repeating: 0, count: shape.bins)
        squares = sums
        counts = Array(repeating: 0, count: shape.bins)
        clip = Clip(clipIndex: 0, labelIndex: -1, figures: nil, bins: shape.bins)
    }

    /// Whether the floor follows the clip, so that `look` needs all its rows before the first is added.
    var needsPeaks: Bool { rule?.range != nil }

    /// - Parameter figures: How the clip's values were normalised; nil: they were not.
    mutating func start(clipIndex: Int, labelIndex: Int, _ figures: NormalizationFigures?) {
        clip = Clip(clipIndex: clipIndex, labelIndex: labelIndex, figures: figures, bins: bins)
    }

    /// Looks at some of the clip's rows where `needsPeaks`; in any order.
    mutating func look(_ rows: FeatureMatrix) { Self.raise(&clip.peaks, to: rows.values) }

    private static func raise(_ peaks: inout [Float], to values: [Float]) {
        peaks.withUnsafeMutableBufferPointer { peaks in
            values.withUnsafeBufferPointer { values in
                for start in stride(from: 0, to: values.count, by: peaks.count) {
                    for bin in 0..<peaks.count { peaks[bin] = max(peaks[bin], values[start + bin]) }
                }
            }
        }
    }

    /// Adds the clip's next rows. The figures do not depend on how rows are divided into blocks.
    mutating func add(_ rows: FeatureMatrix) {
        guard rows.rows > 0 else { return }
        if clip.frames == 0 {
            clip.limits =
                rule?.limits(clip.figures, element, peaks: clip.peaks) ?? Array(repeating: -.infinity, count: bins)
            clip.first = Array(rows.values[..<bins])
        }
        clip.frames += rows.rows
        // Moved out, so that the loop accesses them by their address.
        var (sums, binSquares, counts): ([Double], [Double], [Int]) = ([], [], [])
        swap(&sums, &clip.sums)
        swap(&binSquares, &squares)
        swap(&counts, &clip.counts)
        sums.withUnsafeMutableBufferPointer { sums in
            binSquares.withUnsafeMutableBufferPointer { squares in
                counts.withUnsafeMutableBufferPointer { counts in
                    rows.values.withUnsafeBufferPointer { tally($0, sums, squares, counts) }
                }
            }
        }
        swap(&sums, &clip.sums)
        swap(&binSquares, &squares)
        swap(&counts, &clip.counts)
    }

    /// Adds whole rows to the sums of each column, and looks at each value.
    private mutating func tally(
        _ values: UnsafeBufferPointer<Float>, _ sums: UnsafeMutableBufferPointer<Double>,
        _ squares: UnsafeMutableBufferPointer<Double>, _ counts: UnsafeMutableBufferPointer<Int>
    ) {
        var (minimum, maximum, low, bad, isConstant) = (clip.minimum, clip.maximum, 0, 0, clip.isConstant)
        clip.first.withUnsafeBufferPointer { first in
            clip.limits.withUnsafeBufferPointer { limits in
                for start in stride(from: 0, to: values.count, by: bins) {
                    for bin in 0..<bins {
                        let value = values[start + bin]
                        if value != first[bin] { isConstant = false }
                        guard value.isFinite else {
                            bad += 1
                            continue
                        }
                        sums[bin] += Double(value)
                        squares[bin] += Double(value) * Double(value)
                        counts[bin] += 1
                        minimum = min(minimum, value)
                        maximum = max(maximum, value)
                        if value <= limits[bin] { low += 1 }
                        histogram.add(value)
                    }
                }
            }
        }
        (clip.minimum, clip.maximum, clip.isConstant) = (minimum, maximum, isConstant)
        clip.low += low
        clip.invalid += bad
    }

    mutating func end() {
        for bin in 0..<bins {
            sums[bin] += clip.sums[bin]
            counts[bin] += clip.counts[bin]
            means.append(Float(clip.sums[bin] / Double(max(clip.counts[bin], 1))))
        }
        invalid += clip.invalid
        var share: Double?
        if let rule {
            let all = clip.frames * rule.columns
            share = all > 0 ? Double(clip.low) / Double(all) : 0
            atFloor += clip.low
            comparable += all
        }
        let hasValues = clip.minimum <= clip.maximum
        profiles.append(
            ClipProfile(
                clipIndex: clip.clipIndex, labelIndex: clip.labelIndex, frames: clip.frames,
                minimum: hasValues ? clip.minimum : 0, maximum: hasValues ? clip.maximum : 0, floorShare: share,
                isConstant: clip.isConstant && clip.frames > 1, invalidValues: clip.invalid))
    }

    func finished(_ scope: ProfileScope, _ labels: [LabelSample]) -> ClipProfiles {
        let binMeans = zip(sums, counts).map { $0 / Double($1) }
        let deviations = (0..<bins).map { bin in
            // Rounding may give a variance just below 0.
            let variance = squares[bin] / Double(counts[bin]) - binMeans[bin] * binMeans[bin]
            return variance < 0 ? 0 : variance.squareRoot()
        }
        return ClipProfiles(
            scope: scope, labels: labels, profiles: profiles, means: FeatureMatrix(bins: bins, values: means),
            binMeans: binMeans, binDeviations: deviations, values: histogram,
            floorShare: rule == nil || comparable == 0 ? nil : Double(atFloor) / Double(comparable),
            invalidValues: invalid)
    }
}
