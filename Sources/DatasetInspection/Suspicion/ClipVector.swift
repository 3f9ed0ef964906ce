import CKernels
import FeatureModel
import FeatureStorage
import Platform

/// Sums up the frames of a clip, of any number, in a vector of fixed length.
///
/// The vector has, for each group of bins, the mean over each of four parts of the clip that are equally long, one after another; then
/// for each group the standard deviation (of the population) over all frames; and last the natural logarithm of the number of frames.
/// Groups are neighbouring bins, as few as make at most 128 groups: one bin each, or the mean of several. Part i of n frames begins
/// at frame ⌊i·n/4⌋ and has at least one. Values that are infinite or not numbers count as 0.
struct ClipVectorBuilder {
    static let parts = 4
    static let maximumGroups = 128

    /// Number of values of a vector.
    let dimension: Int
    private let bins: Int
    private let binsPerGroup: Int
    private let groups: Int
    private let floor: FloorRule?
    private let element: StoreConfiguration.Element
    /// Sums of the values of each part, and of the squares of all values, by bin.
    private var sums: [Double]
    private var squares: [Double]
    private var frames = 0
    private var frame = 0
    /// The first frame of the clip.
    private var first: [Float]
    /// Whether all frames so far are equal to the first.
    private var isEqualToFirst = true
    private var figures: NormalizationFigures?
    private var peaks: [Float]
    /// The greatest value of each column that counts as the floor.
    private var limits: [Float]
    private var low = 0
    /// Whether no value of the clip so far is infinite or not a number.
    private(set) var isFinite = true
    private let kernels = veery_kernels_best()

    /// Values that are processed together: they fit into the first-level cache.
    private static let tileValues = 4096

    /// Whether all frames of the clip are equal, of two or more.
    var isConstant: Bool { isEqualToFirst && frames > 1 }

    /// The share, 0 … 1, of the clip's values at the floor of the scale; nil: the scale has none.
    var floorShare: Float? {
        guard let floor else { return nil }
        return frames > 0 ? Float(Double(low) / Double(frames * floor.columns)) : 0
    }

    /// Whether the floor depends on the clip's maximum, so that `look` needs all its rows before the first is added.
    var needsPeaks: Bool { floor?.range != nil }

    /// - Parameters:
    ///   - bins: Number of values of a frame, at least 1.
    ///   - floor: Which values are at the floor of the scale; nil: it has none.
    ///   - element: How values are stored.
    init(bins: Int, floor: FloorRule? = nil, element: StoreConfiguration.Element = .float32) {
        (self.bins, self.floor, self.element) = (bins, floor, element)
        binsPerGroup = (bins + Self.maximumGroups - 1) / Self.maximumGroups
        groups = (bins + binsPerGroup - 1) / binsPerGroup
        dimension = (Self.parts + 1) * groups + 1
        sums = Array(repeating: 0, count: Self.parts * bins)
        squares = Array(repeating: 0, count: bins)
        first = Array(repeating: 0, count: bins)
        peaks = first
        limits = Array(repeating: -.infinity, count: bins)
    }

    /// Starts a clip of this many frames.
    ///
    /// - Parameter figures: How its values were normalised; nil: they were not.
    mutating func start(frames: Int, _ figures: NormalizationFigures? = nil) {
        (self.frames, frame, isEqualToFirst, low, isFinite) = (frames, 0, true, 0, true)
        self.figures = figures
        for index in sums.indices { sums[index] = 0 }
        for index in squares.indices { squares[index] = 0 }
        for index in peaks.indices { peaks[index] = -.infinity }
    }

    /// Looks at some of the clip's rows where `needsPeaks`; in any order.
    mutating func look(_ values: [Float]) { FloorRule.raise(&peaks, to: values) }

    /// Adds the next frames, `bins` values each. The result does not depend on how frames are divided into calls.
    mutating func add(_ values: UnsafeBufferPointer<Float>) {
        guard values.count >= bins else { return }
        if frame == 0 {
            for bin in 0..<bins { first[bin] = values[bin] }
            if let floor { limits = floor.limits(figures, element, peaks: peaks) }
        }
        let step = max(1, Self.tileValues / bins) * bins
        for start in stride(from: 0, to: values.count, by: step) {
            let tile = UnsafeBufferPointer(rebasing: values[start..<min(start + step, values.count)])
            guard let address = tile.baseAddress else { continue }
            let rows = tile.count / bins
            // The parts of a clip of less than four frames share some of them.
            if frames >= Self.parts, kernels.pointee.finite(address, tile.count) != 0 {
                add(finite: address, rows)
            } else {
                add(oneByOne: tile, rows)
            }
            frame += rows
        }
    }

    private mutating func add(finite values: UnsafePointer<Float>, _ rows: Int) {
        var isChanged: Int32 = 0
        let (bins, before, frames, kernels) = (bins, frame, frames, kernels)
        sums.withUnsafeMutableBufferPointer { sums in
            for part in 0..<Self.parts {
                let own = Self.range(of: part, frames).clamped(to: before..<before + rows)
                guard !own.isEmpty, let target = sums.baseAddress else { continue }
                isChanged |= kernels.pointee.profile(
                    values + (own.lowerBound - before) * bins, own.count, bins, first, limits, target + part * bins,
                    &squares, &low)
            }
        }
        if isChanged != 0 { isEqualToFirst = false }
    }

    private mutating func add(oneByOne values: UnsafeBufferPointer<Float>, _ rows: Int) {
        for row in 0..<rows {
            let parts = (0..<Self.parts).filter { Self.range(of: $0, frames).contains(frame + row) }
            for bin in 0..<bins {
                let value = values[row * bins + bin]
                if value != first[bin] { isEqualToFirst = false }
                guard value.isFinite else {
                    isFinite = false
                    continue
                }
                for part in parts { sums[part * bins + bin] += Double(value) }
                squares[bin] += Double(value) * Double(value)
                if value <= limits[bin] { low += 1 }
            }
        }
    }

    /// The frames of a part, of so many.
    private static func range(of part: Int, _ frames: Int) -> Range<Int> {
        let start = part * frames / parts
        return start..<max(start + 1, (part + 1) * frames / parts)
    }

    /// Writes the vector of the clip's frames; zeros for a clip without frames.
    func finish(into vector: UnsafeMutableBufferPointer<Float>) {
        for index in vector.indices { vector[index] = 0 }
        guard frames > 0 else { return }
        let counts = (0..<Self.parts).map { Double(Self.range(of: $0, frames).count) }
        let isShort = frames < Self.parts
        for group in 0..<groups {
            let own = group * binsPerGroup..<min((group + 1) * binsPerGroup, bins)
            var variance = 0.0
            for part in 0..<Self.parts {
                var sum = 0.0
                for bin in own { sum += sums[part * bins + bin] }
                vector[part * groups + group] = Float(sum / counts[part] / Double(own.count))
            }
            for bin in own {
                var sum = 0.0
                if isShort {
                    for frame in 0..<frames { sum += sums[firstPart(of: frame) * bins + bin] }
                } else {
                    for part in 0..<Self.parts { sum += sums[part * bins + bin] }
                }
                let mean = sum / Double(frames)
                // Rounding may give a variance just below 0.
                variance += max(squares[bin] / Double(frames) - mean * mean, 0)
            }
            vector[Self.parts * groups + group] = Float((variance / Double(own.count)).squareRoot())
        }
        vector[dimension - 1] = Float(log(Double(frames)))
    }

    /// The first part that has a frame of a clip of less than four.
    private func firstPart(of frame: Int) -> Int {
        (0..<Self.parts).first { Self.range(of: $0, frames).contains(frame) } ?? 0
    }

    /// Subtracts from the means of a vector their mean: under a logarithm, what is left does not depend on the clip's gain.
    func subtractLevel(from vector: UnsafeMutableBufferPointer<Float>) {
        let means = 0..<Self.parts * groups
        var sum = 0.0
        for index in means { sum += Double(vector[index]) }
        let level = Float(sum / Double(means.count))
        for index in means { vector[index] -= level }
    }
}
