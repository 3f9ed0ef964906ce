/// The values that a picture's colours span.
struct ValueScale: Hashable, Sendable {
    /// The values at the lower and the upper end of the colour table; finite, the upper above the lower.
    let range: ClosedRange<Double>

    /// The given range, which is finite; an empty one is widened.
    init(_ range: ClosedRange<Float>) { self.init(lower: Double(range.lowerBound), upper: Double(range.upperBound)) }

    /// A range that suits the values: from their 1st to their 99.5th percentile, so that a few outliers do not take the
    /// colours of all others.
    ///
    /// Values that are infinite or not numbers are left out; where none remain, the range is 0 … 1. Where the
    /// percentiles coincide, as with a lone line in silence, all values count; where these are all equal, the range is
    /// widened around them.
    init(suiting values: [Float]) {
        let ranks = RankedValues(values)
        guard let low = ranks.value(at: 0.01), let high = ranks.value(at: 0.995) else {
            self.init(lower: 0, upper: 1)
            return
        }
        if low < high {
            self.init(lower: Double(low), upper: Double(high))
        } else {
            self.init(lower: Double(ranks.value(at: 0) ?? low), upper: Double(ranks.value(at: 1) ?? high))
        }
    }

    private init(lower: Double, upper: Double) {
        let margin = lower < upper ? 0 : max(0.5, lower.magnitude / 100)
        range = lower - margin...upper + margin
    }

    /// The entry of a colour table, 0 … 255, for a finite value; values outside the range are clamped.
    func index(of value: Double) -> Int {
        ColorTable.index((value - range.lowerBound) / (range.upperBound - range.lowerBound))
    }
}
