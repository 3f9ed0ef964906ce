import FeatureModel
import Numerics

/// Converts the values of a transform to the configured scale, in place: min((v + offset) · factor, limit).
struct PowerScale {
    enum Input {
        /// |X|², or a sum of them.
        case power
        /// An amplitude, which is only divided by the reference.
        case amplitude
    }

    enum Formula { case plain, root, logarithm, logarithmOfOnePlus, raised }

    let formula: Formula
    /// Of `raised`: the value is (power · slope)^exponent.
    let exponent: Double
    let slope: Double
    /// The other numbers, for rows in single precision.
    private let single: Numbers<Float>
    /// The same for rows in double precision.
    let exact: Numbers<Double>

    struct Numbers<Number: BinaryFloatingPoint> {
        /// The least power that a logarithm is taken of.
        let floor: Number
        /// Added to powers before a logarithm, which then needs no floor.
        let added: Number
        /// What powers of 0 are replaced by before a logarithm; 0: they are not.
        let instead: Number
        /// Of `logarithmOfOnePlus`: the reciprocal of the guard that is added.
        let share: Number
        let factor, offset, limit: Number

        init(_ configuration: ScaleConfiguration, factor: Double, offset: Double, limit: Double) {
            let (guarding, floor) = (configuration.guarding, Number(configuration.floor))
            self.floor = guarding == .add || guarding == .zero ? .leastNormalMagnitude : floor
            added = guarding == .add ? floor : 0
            instead = guarding == .zero ? floor : 0
            share = Number(1 / configuration.reference)
            (self.factor, self.offset, self.limit) = (Number(factor), Number(offset), Number(limit))
        }
    }

    /// See `ScaleConfiguration.Kind` for the formulas; for `pcen`, power / reference, the input of `EnergyNormalizer`.
    init(_ configuration: ScaleConfiguration, input: Input = .power) {
        let reference = configuration.reference
        let kind = configuration.kind
        let (slope, shift): (Double, Double)
        switch kind {
        case .magnitude, .power, .linear, .complex, .pcen: (slope, shift) = (1 / reference, 0)
        case .ln: (slope, shift) = (1, -PortableMath.log(reference))
        case .log10: (slope, shift) = (1 / PortableMath.ln10, -PortableMath.log10(reference))
        case .db: (slope, shift) = (10 / PortableMath.ln10, -10 * PortableMath.log10(reference))
        }
        exponent = configuration.exponent
        self.slope = slope
        // (p + g) / g = 1 + p / g, whose logarithm is precise near 0. Below 1e-20, p / g might overflow.
        let isOnePlus = configuration.guarding == .add && reference == configuration.floor && reference >= 1e-20
        formula =
            kind.isLogarithmic
            ? isOnePlus ? .logarithmOfOnePlus : .logarithm
            : exponent != 1 ? .raised : kind == .magnitude && input == .power ? .root : .plain
        // After PCEN, `EnergyNormalizer` applies offset, factor and limit.
        let isLast = kind != .pcen
        let factor = (formula == .raised ? 1 : slope) * (isLast ? configuration.factor : 1)
        let base = formula == .logarithmOfOnePlus ? 0 : shift
        let offset = (base + (isLast ? configuration.offset : 0)) * (isLast ? configuration.factor : 1)
        let limit = isLast ? configuration.limit ?? .infinity : .infinity
        single = Numbers(configuration, factor: factor, offset: offset, limit: limit)
        exact = Numbers(configuration, factor: factor, offset: offset, limit: limit)
    }

    /// Scales `count` values.
    func apply(_ values: UnsafeMutablePointer<Float>, count: Int) {
        if formula == .raised {
            // What is too large for single precision is above every limit; without one, the clip fails.
            let greatest = single.limit < .infinity ? Double(Float.greatestFiniteMagnitude) : .infinity
            for index in 0..<count where values[index] < .infinity {
                values[index] = Float(min(PortableMath.power(Double(values[index]) * slope, exponent), greatest))
            }
        }
        let (added, instead) = (single.added, single.instead)
        if added != 0, formula != .logarithmOfOnePlus { for index in 0..<count { values[index] += added } }
        if instead != 0 { for index in 0..<count where values[index] == 0 { values[index] = instead } }
        if formula == .logarithm {
            return Kernels.best.pointee.logarithm(
                values, count, single.floor, single.factor, single.offset, single.limit)
        }
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
        let (factor, offset, limit) = (single.factor, single.offset, single.limit)
        let value: SIMD8<Float> =
            switch formula {
            case .root: power.squareRoot() * factor + offset
            // `logarithm` is the kernel's.
            case .plain, .raised, .logarithm: power * factor + offset
            case .logarithmOfOnePlus: marked(logarithmOfOnePlus(power * single.share) * factor + offset, power)
            }
        // The limit must not hide an infinite power from the check of the clip's statistics.
        return value.replacing(with: SIMD8(repeating: limit), where: value .> limit .& power .< .infinity)
    }

    /// ln(1 + x), of a small x too: what rounding takes from 1 + x is made good by the slope of the logarithm.
    @inline(__always)
    private func logarithmOfOnePlus(_ x: SIMD8<Float>) -> SIMD8<Float> {
        let sum = x + 1
        return naturalLogarithm(sum) + (x - (sum - 1)) / sum
    }

    /// Not a number where the power is infinite or not a number, which the logarithm does not see: the check of the
    /// clip's statistics finds it.
    @inline(__always)
    private func marked(_ value: SIMD8<Float>, _ power: SIMD8<Float>) -> SIMD8<Float> {
        SIMD8(repeating: .nan).replacing(with: value, where: power .< .infinity)
    }
}
