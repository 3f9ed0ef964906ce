import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Turns powers into the configured scale, in place.
struct PowerScale {
    private let kind: ScaleConfiguration.Kind
    private let floor: Float
    private let factor: Float
    private let offset: Float

    /// See `ScaleConfiguration.Kind` for the formulas.
    init(_ configuration: ScaleConfiguration) {
        kind = configuration.kind
        floor = Float(configuration.floor)
        let reference = configuration.reference
        switch configuration.kind {
        case .magnitude, .power: (factor, offset) = (Float(1 / reference), 0)
        case .ln: (factor, offset) = (1, Float(-log(reference)))
        case .log10: (factor, offset) = (Float(1 / log(10.0)), Float(-log10(reference)))
        case .db: (factor, offset) = (Float(10 / log(10.0)), Float(-10 * log10(reference)))
        }
    }

    /// Scales `count` powers, of any number.
    func apply(_ values: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index + 8 <= count {
            values.store(scaled(values.eight(at: index)), at: index)
            index += 8
        }
        guard index < count else { return }
        var rest = SIMD8<Float>(repeating: 1)
        for lane in 0..<count - index { rest[lane] = values[index + lane] }
        rest = scaled(rest)
        for lane in 0..<count - index { values[index + lane] = rest[lane] }
    }

    @inline(__always)
    private func scaled(_ power: SIMD8<Float>) -> SIMD8<Float> {
        switch kind {
        case .magnitude: power.squareRoot() * factor
        case .power: power * factor
        case .db, .ln, .log10: marked(naturalLogarithm(floored(power)) * factor + offset, power)
        }
    }

    /// max(power, floor).
    @inline(__always)
    private func floored(_ power: SIMD8<Float>) -> SIMD8<Float> {
        power.replacing(with: SIMD8(repeating: floor), where: power .< floor)
    }

    /// Not a number where the power is infinite or not a number, which the logarithm does not see: the check of the
    /// clip's statistics finds it.
    @inline(__always)
    private func marked(_ value: SIMD8<Float>, _ power: SIMD8<Float>) -> SIMD8<Float> {
        SIMD8(repeating: .nan).replacing(with: value, where: power .< .infinity)
    }
}
