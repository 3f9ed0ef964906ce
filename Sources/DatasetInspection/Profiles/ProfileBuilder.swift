import FeatureModel
import FeatureStorage

/// Takes clips' rows one after another and keeps their figures.
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

    /// What is known of a clip whose rows are coming.
    private struct Clip {
        let clipIndex: Int
        let labelIndex: Int
        let figures: NormalizationFigures?
        var frames = 0
        var sums: [Double]
        var counts: [Int]
        /// The values of the first frame.
        var first: [Float] = []
        /// The greatest value of each column.
        var peaks: [Float]
        /// The greatest value of each column that counts as the floor; empty: not known yet.
        var limits: [Float] = []
        var least = Float.infinity
        var most = -Float.infinity
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

    /// Whether the floor follows the clip, so that all its rows have to be looked at before the first is added.
    var needsPeaks: Bool { rule?.range != nil }

    /// Begins a clip.
    ///
    /// - Parameter figures: How its values were normalised; nil: they were not.
    mutating func begin(clipIndex: Int, labelIndex: Int, _ figures: NormalizationFigures?) {
        clip = Clip(clipIndex: clipIndex, labelIndex: labelIndex, figures: figures, bins: bins)
    }

    /// Looks at some of the clip's rows where `needsPeaks`; in any order.
    mutating func look(_ rows: FeatureMatrix) {
        Self.raise(&clip.peaks, to: rows.values)
    }

    private static func raise(_ peaks: inout [Float], to values: [Float]) {
        peaks.withUnsafeMutableBufferPointer { peaks in
            values.withUnsafeBufferPointer { values in
                for start in stride(from: 0, to: values.count, by: peaks.count) {
                    for bin in 0..<peaks.count { peaks[bin] = max(peaks[bin], values[start + bin]) }
                }
            }
        }
    }

    /// Adds the clip's next rows. However they are cut into pieces, the figures are the same to the last bit.
    mutating func add(_ rows: FeatureMatrix) {
        guard rows.rows > 0 else { return }
        if clip.frames == 0 {
            clip.limits =
                rule?.limits(clip.figures, element, peaks: clip.peaks) ?? Array(repeating: -.infinity, count: bins)
            clip.first = Array(rows.values[..<bins])
        }
        clip.frames += rows.rows
        // Taken out, so that the loop has them by their address.
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
        var (least, most, low, bad, isConstant) = (clip.least, clip.most, 0, 0, clip.isConstant)
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
                        least = min(least, value)
                        most = max(most, value)
                        if value <= limits[bin] { low += 1 }
                        histogram.add(value)
                    }
                }
            }
        }
        (clip.least, clip.most, clip.isConstant) = (least, most, isConstant)
        clip.low += low
        clip.invalid += bad
    }

    /// Ends the clip, once all its rows were added.
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
        let hasValues = clip.least <= clip.most
        profiles.append(
            ClipProfile(
                clipIndex: clip.clipIndex, labelIndex: clip.labelIndex, frames: clip.frames,
                minimum: hasValues ? clip.least : 0, maximum: hasValues ? clip.most : 0, floorShare: share,
                isConstant: clip.isConstant && clip.frames > 1, invalidValues: clip.invalid))
    }

    func finished(_ scope: ProfileScope, _ labels: [LabelSample]) -> ClipProfiles {
        let binMeans = zip(sums, counts).map { $0 / Double($1) }
        let deviations = (0..<bins).map { bin in
            // Rounding may leave a difference just below 0.
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
