import FeatureModel
import Platform

/// Converts values to decibels or another logarithm if possible, as the ear hears them.
struct ValueMeter {
    private enum Kind {
        /// 20 · log₁₀ of a magnitude
        case magnitude
        /// 10 · log₁₀ of a power
        case power
        case unchanged
    }

    private let kind: Kind
    /// A decibel in the unit of shown values; nil: they are not logarithmic.
    let decibel: Float?
    /// Minimum of the upper end of the range, so that silence is dark.
    let minimumHigh: Float

    /// Decibels from the darkest to the brightest.
    static let width: Float = 60
    private static let floor: Float = 1e-9

    init(_ configuration: FeatureConfiguration, geometry: FrameGeometry, isSpectrum: Bool) {
        let scale = configuration.scale
        // The magnitude of a sine of full scale under a Hann window.
        let full = Double(geometry.length) / 4 * (configuration.audio.scale == .int16 ? 32_768 : 1)
        switch scale.kind {
        case .magnitude where isSpectrum:
            kind = .magnitude
            decibel = 1
            minimumHigh = Float(20 * log10(full / scale.reference)) - 40
        case .power where isSpectrum:
            kind = .power
            decibel = 1
            minimumHigh = Float(10 * log10(full * full / scale.reference)) - 40
        case .db, .ln, .log10:
            let unit: Double =
                switch scale.kind {
                case .ln: log(10) / 10
                case .log10: 0.1
                default: 1
                }
            kind = .unchanged
            decibel = isSpectrum ? Float(unit * scale.factor) : nil
            let floor = (10 * log10(scale.floor / scale.reference) * unit + scale.offset) * scale.factor
            let aboveFloor = floor + Double(Self.width) * unit * scale.factor
            guard isSpectrum, case .fft = configuration.transform.method else {
                minimumHigh = Float(aboveFloor)
                return
            }
            // As for powers: the floor of a spectrum may be far below the noise.
            let fullLevel = (10 * log10(full * full / scale.reference) * unit + scale.offset) * scale.factor
            minimumHigh = Float(max(aboveFloor, fullLevel - 40 * unit * scale.factor))
        default:
            kind = .unchanged
            decibel = nil
            minimumHigh = -.infinity
        }
    }

    /// The value to show, in decibels or another logarithm if possible.
    func callAsFunction(_ value: Float) -> Float {
        switch kind {
        case .magnitude: 20 * log10f(max(value, Self.floor))
        case .power: 10 * log10f(max(value, Self.floor * Self.floor))
        case .unchanged: value
        }
    }
}

/// The values at the two ends of the colours, or of a vertical axis.
struct LevelRange {
    private(set) var low: Float
    private(set) var high: Float
    private let kind: Kind
    private var age = 0.0

    private enum Kind {
        case fixed
        /// The high end follows the values in steps; the low end is `width` below.
        case decibels(width: Float, step: Float, minimumHigh: Float)
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

    /// Follows the visible values: up at once, down slowly, so that colours do not flicker.
    ///
    /// - Parameter values: The visible ones; NaN: no value.
    mutating func follow(_ values: [Float], elapsed: Double) {
        age += elapsed
        switch kind {
        case .fixed: break
        case .decibels(let width, let step, let minimumHigh):
            let maximum = values.reduce(-Float.infinity) { $1 > $0 && $1 < .infinity ? $1 : $0 }
            let wanted = max((maximum / step).rounded(.up) * step, minimumHigh)
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

    /// The position of a value: 0 at the low end, 1 at the high end, or outside.
    func fraction(_ value: Float) -> Float { (value - low) / (high - low) }

    func level(_ value: Float) -> UInt8 { UInt8(max(0, min(1, fraction(value))) * 255) }
}
