/// A smooth line through points at equal distances, which it never leaves: between two of them it stays between their values
/// (Fritsch and Butland 1984, "A method for constructing local monotone piecewise cubic interpolants").
struct SmoothCurve {
    private let values: [Double]
    private let slopes: [Double]

    /// - Parameter values: Of each point; at least one.
    init(_ values: [Float]) {
        let values = values.map(Double.init)
        self.values = values
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        slopes = values.indices.map { index in
            guard index > 0, index < values.count - 1 else {
                return steps.isEmpty ? 0 : index == 0 ? steps[0] : steps[index - 1]
            }
            let (before, after) = (steps[index - 1], steps[index])
            // Level at a summit and in a valley; else the harmonic mean, which is steep on neither side.
            return before * after <= 0 ? 0 : 2 * before * after / (before + after)
        }
    }

    /// The line's height, at 0 that of the first point, at 1 that of the last.
    func value(at fraction: Double) -> Double {
        guard values.count > 1 else { return values.first ?? 0 }
        let place = max(0, min(1, fraction)) * Double(values.count - 1)
        let index = min(Int(place), values.count - 2)
        let t = place - Double(index)
        let (t2, t3) = (t * t, t * t * t)
        return (2 * t3 - 3 * t2 + 1) * values[index] + (t3 - 2 * t2 + t) * slopes[index]
            + (3 * t2 - 2 * t3) * values[index + 1] + (t3 - t2) * slopes[index + 1]
    }
}
