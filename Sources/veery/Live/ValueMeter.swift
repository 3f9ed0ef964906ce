import FeatureModel
import Foundation

/// Brings values to a scale that is even to the ear: decibels or another logarithm where that can be.
struct ValueMeter {
    enum Kind {
        /// 20 · log₁₀ of a magnitude
        case magnitude
        /// 10 · log₁₀ of a power
        case power
        /// They are logarithms already.
        case logarithm
        /// As they are.
        case plain
    }

    let kind: Kind
    /// What a decibel is in values as shown; nil where they are no decibels of any kind.
    let decibel: Float?
    /// The upper end of the range is not less than this, so that silence is dark.
    let minimumHigh: Float

    /// Decibels from the darkest to the brightest.
    static let width: Float = 60
    private static let floor: Float = 1e-9

    init(_ configuration: FeatureConfiguration, geometry: FrameGeometry, isSpectrum: Bool) {
        let scale = configuration.scale
        // The magnitude of a sine of full scale under a Hann window, give or take a window.
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
            kind = isSpectrum ? .logarithm : .plain
            decibel = isSpectrum ? Float(unit * scale.factor) : nil
            let floor = (10 * log10(scale.floor / scale.reference) * unit + scale.offset) * scale.factor
            let aboveFloor = floor + Double(Self.width) * unit * scale.factor
            guard isSpectrum, case .fft = configuration.transform else {
                minimumHigh = Float(aboveFloor)
                return
            }
            // As for powers: the floor of a spectrum may lie far below the noise.
            let fullLevel = (10 * log10(full * full / scale.reference) * unit + scale.offset) * scale.factor
            minimumHigh = Float(max(aboveFloor, fullLevel - 40 * unit * scale.factor))
        default:
            kind = .plain
            decibel = nil
            minimumHigh = -.infinity
        }
    }

    /// A value as it is shown.
    func callAsFunction(_ value: Float) -> Float {
        switch kind {
        case .magnitude: 20 * log10f(max(value, Self.floor))
        case .power: 10 * log10f(max(value, Self.floor * Self.floor))
        case .logarithm, .plain: value
        }
    }
}
