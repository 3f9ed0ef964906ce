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

    init(_ configuration: FeatureConfiguration, shape: TensorShape) {
        bins = shape.bins
        element = shape.element
        rule = FloorRule(configuration, bins: shape.bins)
        sums = Array(repeating: 0, count: shape.bins)
        squares = sums
        counts = Array(repeating: 0, count: shape.bins)
    }

    /// Adds a clip.
    ///
    /// - Parameters:
    ///   - rows: Its stored values.
    ///   - figures: How they were normalised; nil: they were not.
    mutating func add(
        _ rows: FeatureMatrix, place: Int, labelIndex: Int, _ figures: NormalizationFigures?
    ) {
        let limits = rule?.limits(figures, element, peaks: peaks(rows)) ?? Array(repeating: -.infinity, count: bins)
        var clipSums = Array(repeating: 0.0, count: bins)
        var clipCounts = Array(repeating: 0, count: bins)
        var (least, most, low, bad) = (Float.infinity, -Float.infinity, 0, 0)
        var isConstant = rows.rows > 1
        rows.values.withUnsafeBufferPointer { values in
            for row in 0..<rows.rows {
                for bin in 0..<bins {
                    let value = values[row * bins + bin]
                    if value != values[bin] { isConstant = false }
                    guard value.isFinite else {
                        bad += 1
                        continue
                    }
                    clipSums[bin] += Double(value)
                    squares[bin] += Double(value) * Double(value)
                    clipCounts[bin] += 1
                    least = min(least, value)
                    most = max(most, value)
                    if value <= limits[bin] { low += 1 }
                    histogram.add(value)
                }
            }
        }
        for bin in 0..<bins {
            sums[bin] += clipSums[bin]
            counts[bin] += clipCounts[bin]
            means.append(Float(clipSums[bin] / Double(max(clipCounts[bin], 1))))
        }
        invalid += bad
        var share: Double?
        if let rule {
            let all = rows.rows * rule.columns
            share = all > 0 ? Double(low) / Double(all) : 0
            atFloor += low
            comparable += all
        }
        profiles.append(
            ClipProfile(
                place: place, labelIndex: labelIndex, frames: rows.rows, minimum: least <= most ? least : 0,
                maximum: least <= most ? most : 0, floorShare: share, isConstant: isConstant))
    }

    /// The greatest value of each column; where the floor follows the clip, it is measured from there.
    private func peaks(_ rows: FeatureMatrix) -> [Float] {
        var peaks = Array(repeating: -Float.infinity, count: bins)
        guard rule?.range != nil else { return peaks }
        for row in 0..<rows.rows {
            for bin in 0..<bins { peaks[bin] = max(peaks[bin], rows.values[row * bins + bin]) }
        }
        return peaks
    }

    /// Everything that was added.
    func finished(_ scope: ProfileScope, _ labels: [LabelSample]) -> ClipProfiles {
        let binMeans = zip(sums, counts).map { $0 / Double(max($1, 1)) }
        let deviations = (0..<bins).map { bin in
            // Rounding may leave a difference just below 0.
            max(squares[bin] / Double(max(counts[bin], 1)) - binMeans[bin] * binMeans[bin], 0).squareRoot()
        }
        return ClipProfiles(
            scope: scope, labels: labels, profiles: profiles, means: FeatureMatrix(bins: bins, values: means),
            binMeans: binMeans, binDeviations: deviations, values: histogram,
            floorShare: rule == nil || comparable == 0 ? nil : Double(atFloor) / Double(comparable),
            invalidValues: invalid)
    }
}
