/// The values at the two ends of the colours, or of a vertical axis.
struct LevelRange {
    private(set) var low: Float
    private(set) var high: Float
    private let kind: Kind
    private var age = 0.0

    private enum Kind {
        case fixed
        /// The high end follows the values in steps; the low end is so much below.
        case decibels(width: Float, step: Float, minimumHigh: Float)
        /// Both ends follow.
        case free
    }

    private static let period = 0.25

    init(_ fixed: ClosedRange<Float>) {
        (low, high) = (fixed.lowerBound, fixed.upperBound)
        kind = .fixed
    }

    init(_ meter: ValueMeter) {
        if let decibel = meter.decibel {
            let width = ValueMeter.width * decibel
            kind = .decibels(width: width, step: 3 * decibel, minimumHigh: meter.minimumHigh)
            (low, high) = (meter.minimumHigh - width, meter.minimumHigh)
        } else {
            kind = .free
            (low, high) = (0, 1)
        }
    }

    /// Follows what is shown: up at once, down little by little, so that colours do not flicker.
    ///
    /// - Parameter values: Those on the screen; NaN stands for none.
    mutating func follow(_ values: [Float], elapsed: Double) {
        age += elapsed
        switch kind {
        case .fixed: break
        case .decibels(let width, let step, let minimumHigh):
            let greatest = values.reduce(-Float.infinity) { $1 > $0 && $1 < .infinity ? $1 : $0 }
            let wanted = max((greatest / step).rounded(.up) * step, minimumHigh)
            if wanted > high {
                high = wanted
                age = 0
            } else if wanted < high - 3 * step, age >= Self.period {
                high = max(high - step, wanted)
                age = 0
            }
            low = high - width
        case .free:
            guard age >= Self.period || (low == 0 && high == 1) else { return }
            age = 0
            let sorted = values.filter { $0.isFinite }.sorted()
            guard let minimum = sorted.first, let maximum = sorted.last, minimum < maximum else { return }
            let (lower, upper) = (sorted[sorted.count / 100], sorted[sorted.count - 1 - sorted.count / 200])
            let tolerance = (high - low) / 8
            guard lower < upper, abs(lower - low) > tolerance || abs(upper - high) > tolerance else { return }
            (low, high) = (lower, upper)
        }
    }

    /// Where a value stands: 0 at the low end, 1 at the high end; it may lie outside.
    func fraction(_ value: Float) -> Float { (value - low) / (high - low) }

    /// The same as a level of a palette.
    func level(_ value: Float) -> UInt8 { UInt8(max(0, min(1, fraction(value))) * 255) }
}
