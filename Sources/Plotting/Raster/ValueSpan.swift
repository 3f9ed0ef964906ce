/// Which values the two ends of a picture's colours stand for.
package enum ValueSpan: Hashable, Sendable {
    /// Percentiles of the finite values, in percent, 0 … 100, the lower below the upper.
    case percentiles(Double, Double)
    /// Given values.
    case fixed(ClosedRange<Float>)
    /// From so far below the greatest value up to it, in the values' unit; more than 0.
    case belowPeak(Double)
    /// For decibels: from 10 dB below the median, which is the level of the noise, up to the 99.9th percentile, so that a click
    /// does not darken a song; 40 to 70 dB.
    case levels

    /// From the 1st to the 99.5th percentile, so that a few outliers do not take the colours of all others.
    package static let usual = ValueSpan.percentiles(1, 99.5)

    /// Throws where the figures are none that a picture can have.
    func validate() throws(PlotError) {
        switch self {
        case .percentiles(let lower, let upper):
            guard 0 <= lower, lower < upper, upper <= 100 else {
                throw .invalidSetting(
                    name: "percentiles", found: "\(lower) and \(upper)",
                    expected: "two from 0 to 100, the first below the second")
            }
        case .levels: break
        case .fixed(let range):
            guard range.lowerBound.isFinite, range.upperBound.isFinite else {
                throw .invalidSetting(name: "range", found: "\(range)", expected: "finite values")
            }
        case .belowPeak(let distance):
            guard distance > 0, distance.isFinite else {
                throw .invalidSetting(
                    name: "range below the peak", found: "\(distance)", expected: "a distance of more than 0")
            }
        }
    }
}
