/// The values that a picture's colours span.
struct ValueScale: Hashable, Sendable {
    /// The values at the lower and the upper end of the colour table; finite, the upper above the lower.
    let range: ClosedRange<Double>

    /// The given range, which is finite; an empty one is widened.
    init(_ range: ClosedRange<Float>) { self.init(lower: Double(range.lowerBound), upper: Double(range.upperBound)) }

    /// A range that suits the values: from their 1st to their 99.5th percentile; see `init(_:of:)`.
    init(suiting values: [Float]) { self.init(.usual, of: RankedValues(values)) }

    /// The range that is asked for.
    ///
    /// Values that are infinite or not numbers are left out; where none remain, percentiles give 0 … 1, and the peak is 0.
    /// Where the percentiles coincide, as with a lone line in silence, all values count; where these are all equal, the
    /// range is widened around them.
    init(_ span: ValueSpan, of ranks: RankedValues) {
        switch span {
        case .fixed(let range):
            self.init(range)
        case .belowPeak(let distance):
            let peak = Double(ranks.value(at: 1) ?? 0)
            self.init(lower: peak - distance, upper: peak)
        case .levels:
            guard let peak = ranks.value(at: 1), let high = ranks.value(at: 0.999), let middle = ranks.value(at: 0.5)
            else {
                self.init(lower: -70, upper: 0)
                return
            }
            // Silence is dark.
            guard middle < peak else {
                self.init(lower: Double(peak), upper: Double(peak) + 40)
                return
            }
            let upper = Double(high)
            self.init(lower: min(max(Double(middle) - 10, upper - 70), upper - 40), upper: upper)
        case .percentiles(let lower, let upper):
            guard let low = ranks.value(at: lower / 100), let high = ranks.value(at: upper / 100) else {
                self.init(lower: 0, upper: 1)
                return
            }
            if low < high {
                self.init(lower: Double(low), upper: Double(high))
            } else {
                self.init(lower: Double(ranks.value(at: 0) ?? low), upper: Double(ranks.value(at: 1) ?? high))
            }
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
