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
    /// Sums of the values of each part, and of the squares of all values, by bin.
    private var sums: [Double]
    private var squares: [Double]
    private var frames = 0
    private var frame = 0
    /// The first frame of the clip.
    private var first: [Float]
    /// Whether all frames so far are equal to the first.
    private var isEqualToFirst = true

    /// Whether all frames of the clip are equal, of two or more.
    var isConstant: Bool { isEqualToFirst && frames > 1 }

    /// - Parameter bins: Number of values of a frame, at least 1.
    init(bins: Int) {
        self.bins = bins
        binsPerGroup = (bins + Self.maximumGroups - 1) / Self.maximumGroups
        groups = (bins + binsPerGroup - 1) / binsPerGroup
        dimension = (Self.parts + 1) * groups + 1
        sums = Array(repeating: 0, count: Self.parts * bins)
        squares = Array(repeating: 0, count: bins)
        first = Array(repeating: 0, count: bins)
    }

    /// Starts a clip of this many frames.
    mutating func start(frames: Int) {
        (self.frames, frame, isEqualToFirst) = (frames, 0, true)
        for index in sums.indices { sums[index] = 0 }
        for index in squares.indices { squares[index] = 0 }
    }

    /// Adds the next frames, `bins` values each.
    mutating func add(_ values: UnsafeBufferPointer<Float>) {
        let isFinite = values.allSatisfy { $0.isFinite }
        compareWithFirst(values)
        let (bins, before, frames) = (bins, frame, frames)
        frame += values.count / bins
        sums.withUnsafeMutableBufferPointer { sums in
            squares.withUnsafeMutableBufferPointer { squares in
                for row in 0..<values.count / bins {
                    let start = row * bins
                    for part in 0..<Self.parts where Self.range(of: part, frames).contains(before + row) {
                        for bin in 0..<bins {
                            let value = values[start + bin]
                            sums[part * bins + bin] += Double(isFinite || value.isFinite ? value : 0)
                        }
                    }
                    for bin in 0..<bins {
                        let value = values[start + bin]
                        let known = Double(isFinite || value.isFinite ? value : 0)
                        squares[bin] += known * known
                    }
                }
            }
        }
    }

    private mutating func compareWithFirst(_ values: UnsafeBufferPointer<Float>) {
        if frame == 0 { for bin in 0..<min(bins, values.count) { first[bin] = values[bin] } }
        for index in values.indices where isEqualToFirst { isEqualToFirst = values[index] == first[index % bins] }
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
        // Parts of a clip of less than four frames share some of them.
        let counts = (0..<Self.parts).map { Double(Self.range(of: $0, frames).count) }
        let isShort = frames < Self.parts
        for group in 0..<groups {
            let own = group * binsPerGroup..<min((group + 1) * binsPerGroup, bins)
            var variance = 0.0
            for part in 0..<Self.parts {
                let sum = own.reduce(0.0) { $0 + sums[part * bins + $1] }
                vector[part * groups + group] = Float(sum / counts[part] / Double(own.count))
            }
            for bin in own {
                let sum =
                    isShort
                    ? (0..<frames).reduce(0.0) { $0 + sums[firstPart(of: $1) * bins + bin] }
                    : (0..<Self.parts).reduce(0.0) { $0 + sums[$1 * bins + bin] }
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
}
