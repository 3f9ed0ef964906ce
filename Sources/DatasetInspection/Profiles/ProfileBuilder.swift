import CKernels
import FeatureModel
import FeatureStorage
import Platform

/// Computes profiles from the rows of clips, one clip after another. Each thread has one, and processes one part of the file's
/// clips after another.
struct ProfileBuilder {
    /// The statistics of consecutive clips.
    struct Part: Sendable {
        var profiles: [ClipProfile] = []
        var means: [Float] = []
        /// The sums of each bin, over all frames of these clips.
        var sums: [Double]
        var squares: [Double]
        var counts: [Int]
        var invalid = 0
        var atFloor = 0
        var comparable = 0

        init(bins: Int) {
            sums = Array(repeating: 0, count: bins)
            squares = sums
            counts = Array(repeating: 0, count: bins)
        }
    }

    private let bins: Int
    private let element: StoreConfiguration.Element
    private let rule: FloorRule?
    /// The histogram of the values of all parts.
    private(set) var histogram: ValueHistogram
    private var part: Part
    private var clip: Clip
    private let kernels = veery_kernels_best()

    /// Values that are processed together: they fit into the first-level cache.
    private static let tileValues = 4096

    private struct Clip {
        let clipIndex: Int
        let rows: Range<Int>
        let figures: NormalizationFigures?
        var frames = 0
        var sums: [Double]
        var counts: [Int]
        var first: [Float] = []
        var peaks: [Float]
        /// The greatest value of each column that counts as the floor; empty: not known yet.
        var limits: [Float] = []
        var low = 0
        var invalid = 0
        var isConstant = true

        init(clipIndex: Int, rows: Range<Int>, figures: NormalizationFigures?, bins: Int) {
            self.clipIndex = clipIndex
            self.rows = rows
            self.figures = figures
            sums = Array(repeating: 0, count: bins)
            counts = Array(repeating: 0, count: bins)
            peaks = Array(repeating: -.infinity, count: bins)
        }
    }

    /// - Parameter first: The first value of the first clip of all that is finite, which sets the histogram's minimum width.
    init(_ configuration: FeatureConfiguration, shape: TensorShape, first: Float?) {
        bins = shape.bins
        element = shape.element
        rule = FloorRule(configuration, bins: shape.bins)
        histogram = first.map { ValueHistogram(startingAt: $0) } ?? ValueHistogram()
        part = Part(bins: shape.bins)
        clip = Clip(clipIndex: 0, rows: 0..<0, figures: nil, bins: shape.bins)
    }

    /// Whether the scale has a floor.
    var hasFloor: Bool { rule != nil }

    /// Whether the floor depends on the clip's maximum, so that `look` needs all its rows before the first is added.
    var needsPeaks: Bool { rule?.range != nil }

    /// - Parameter figures: How the clip's values were normalised; nil: they were not.
    mutating func start(clipIndex: Int, rows: Range<Int>, _ figures: NormalizationFigures?) {
        clip = Clip(clipIndex: clipIndex, rows: rows, figures: figures, bins: bins)
    }

    /// Looks at some of the clip's rows where `needsPeaks`; in any order.
    mutating func look(_ rows: FeatureMatrix) { FloorRule.raise(&clip.peaks, to: rows.values) }

    /// Adds the clip's next rows. The statistics do not depend on how rows are divided into blocks.
    mutating func add(_ rows: FeatureMatrix) {
        guard rows.rows > 0 else { return }
        if clip.frames == 0 {
            clip.limits =
                rule?.limits(clip.figures, element, peaks: clip.peaks) ?? Array(repeating: -.infinity, count: bins)
            clip.first = Array(rows.values[..<bins])
        }
        clip.frames += rows.rows
        rows.values.withUnsafeBufferPointer { values in
            let step = max(1, Self.tileValues / bins) * bins
            for range in (0..<values.count).blocks(of: step) {
                let tile = UnsafeBufferPointer(rebasing: values[range])
                guard let address = tile.baseAddress else { continue }
                if kernels.pointee.finite(address, tile.count) != 0 {
                    add(finite: address, tile.count / bins)
                    histogram.add(tile)
                } else {
                    add(invalid: tile)
                }
            }
        }
    }

    private mutating func add(finite values: UnsafePointer<Float>, _ rows: Int) {
        for bin in 0..<bins { clip.counts[bin] += rows }
        let isChanged = kernels.pointee.profile(
            values, rows, bins, clip.first, clip.limits, &clip.sums, &part.squares, &clip.low)
        if isChanged != 0 { clip.isConstant = false }
    }

    /// Adds rows value by value, without those that are infinite or not numbers.
    private mutating func add(invalid values: UnsafeBufferPointer<Float>) {
        for (index, value) in values.enumerated() {
            let bin = index % bins
            if value != clip.first[bin] { clip.isConstant = false }
            guard value.isFinite else {
                clip.invalid += 1
                continue
            }
            clip.sums[bin] += Double(value)
            part.squares[bin] += Double(value) * Double(value)
            clip.counts[bin] += 1
            if value <= clip.limits[bin] { clip.low += 1 }
            histogram.add(value)
        }
    }

    mutating func end() {
        for bin in 0..<bins {
            part.sums[bin] += clip.sums[bin]
            part.counts[bin] += clip.counts[bin]
            part.means.append(Float(clip.sums[bin] / Double(max(clip.counts[bin], 1))))
        }
        part.invalid += clip.invalid
        var share: Double?
        if let rule {
            let all = clip.frames * rule.columns
            share = all > 0 ? Double(clip.low) / Double(all) : 0
            part.atFloor += clip.low
            part.comparable += all
        }
        part.profiles.append(
            ClipProfile(
                clipIndex: clip.clipIndex, frames: clip.frames, rows: clip.rows, floorShare: share,
                isConstant: clip.isConstant && clip.frames > 1, invalidValues: clip.invalid))
    }

    /// The statistics of the clips since the last call.
    mutating func takePart() -> Part {
        defer { part = Part(bins: bins) }
        return part
    }

    /// The profiles of all parts, in the order of their clips: sums of floating-point numbers depend on it.
    static func finished(
        _ scope: ProfileScope, _ labels: (samples: [LabelSample], clipCount: Int), _ parts: [Part],
        _ histogram: ValueHistogram, bins: Int, hasFloor: Bool
    ) -> ClipProfiles {
        var all = Part(bins: bins)
        for part in parts {
            all.profiles += part.profiles
            all.means += part.means
            for bin in 0..<bins {
                all.sums[bin] += part.sums[bin]
                all.squares[bin] += part.squares[bin]
                all.counts[bin] += part.counts[bin]
            }
            all.invalid += part.invalid
            all.atFloor += part.atFloor
            all.comparable += part.comparable
        }
        let binMeans = zip(all.sums, all.counts).map { $0 / Double($1) }
        let deviations = (0..<bins).map { bin in
            // Rounding may give a variance just below 0.
            let variance = all.squares[bin] / Double(all.counts[bin]) - binMeans[bin] * binMeans[bin]
            return variance < 0 ? 0 : variance.squareRoot()
        }
        return ClipProfiles(
            scope: scope, labels: labels.samples, clipCount: labels.clipCount, profiles: all.profiles,
            means: FeatureMatrix(bins: bins, values: all.means),
            binMeans: binMeans, binDeviations: deviations, values: histogram,
            floorShare: !hasFloor || all.comparable == 0 ? nil : Double(all.atFloor) / Double(all.comparable),
            invalidValues: all.invalid)
    }
}

/// Which stored values are at the floor: the minimum power that the scale distinguishes from silence.
///
/// That is `scale.floor` under a logarithm, or `scale.top_db` below the clip's maximum where that is more; 0 for `magnitude` and
/// `power`. Other scales, cepstra and deltas have no floor.
struct FloorRule: Sendable {
    let value: Double
    /// Maximum distance of the floor below the clip's maximum; nil: any.
    let range: Double?
    let columns: Int

    /// The rule for rows of `bins` values; nil: there is no floor.
    init?(_ configuration: FeatureConfiguration, bins: Int) {
        let (scale, transform) = (configuration.scale, configuration.transform)
        guard transform.cepstrum == nil else { return nil }
        // Constants of stacked rows, or a maximum that is not known any more, leave no common floor.
        if let count = configuration.normalize.constantColumns, bins % count != 0 { return nil }
        if configuration.normalizesBeforeResizing { return nil }
        if scale.isRelativeToMaximum, scale.topDB == nil { return nil }
        let bare: Double
        switch scale.kind {
        case .magnitude, .power: bare = 0
        case .db: bare = 10 * log10(scale.floor / scale.reference)
        case .ln: bare = log(scale.floor / scale.reference)
        case .log10: bare = log10(scale.floor / scale.reference)
        case .linear, .complex, .pcen: return nil
        }
        value =
            scale.isRelativeToMaximum
            ? -.greatestFiniteMagnitude : min((bare + scale.offset) * scale.factor, scale.limit ?? .infinity)
        let unit: Double =
            switch scale.kind {
            case .ln: log(10.0) / 10
            case .log10: 0.1
            default: 1
            }
        range = scale.topDB.map { $0 * unit * scale.factor }
        columns = bins / (transform.deltas.order + 1)
    }

    /// Raises the peak of each column to the values of some rows.
    static func raise(_ peaks: inout [Float], to values: [Float]) {
        peaks.withUnsafeMutableBufferPointer { peaks in
            values.withUnsafeBufferPointer { values in
                for start in stride(from: 0, to: values.count, by: peaks.count) {
                    for bin in 0..<peaks.count { peaks[bin] = max(peaks[bin], values[start + bin]) }
                }
            }
        }
    }

    /// For each column the maximum stored value that counts as the floor; −∞: none does.
    ///
    /// It allows for rounding: a millionth of the value before normalisation, and the precision of the stored number.
    ///
    /// - Parameters:
    ///   - figures: How the values were normalised; nil: they were not.
    ///   - peaks: The clip's maximum stored value of each column, for a floor that depends on the clip's maximum.
    func limits(_ figures: NormalizationFigures?, _ element: StoreConfiguration.Element, peaks: [Float]) -> [Float] {
        var floor = value
        if let range {
            let peak = (0..<columns).map { Double(figures?.undo(peaks[$0], bin: $0) ?? peaks[$0]) }.max() ?? value
            floor = max(floor, peak - range)
        }
        let precision = element == .float16 ? 0x1p-10 : 0x1p-20
        return peaks.indices.map { bin in
            guard bin < columns else { return -.infinity }
            let spread = figures.map { Double($0.spread[bin]) } ?? 1
            let stored = (floor - (figures?.offset[bin] ?? 0)) / spread + Double(figures?.base ?? 0)
            return Float(stored + 1e-6 * max(floor.magnitude, 1) / spread + precision * stored.magnitude)
        }
    }
}
