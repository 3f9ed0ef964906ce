import Numerics

extension PowerScale {
    /// Scales `count` values in double precision.
    func apply(_ values: UnsafeMutablePointer<Double>, count: Int) {
        for index in 0..<count { values[index] = scaled(values[index]) }
    }

    private func scaled(_ power: Double) -> Double {
        // The check of the clip's statistics finds it.
        guard power < .infinity else { return .nan }
        let power = formula == .logarithmOfOnePlus ? power : guarded(power)
        let value =
            switch formula {
            case .plain: power
            case .root: power.squareRoot()
            case .raised: PortableMath.power(power * slope, exponent)
            case .logarithm: PortableMath.log(max(power, exact.floor))
            case .logarithmOfOnePlus: logarithmOfOnePlus(power * exact.share)
            }
        return min(value * exact.factor + exact.offset, exact.limit)
    }

    private func guarded(_ power: Double) -> Double {
        power == 0 && exact.instead != 0 ? exact.instead : power + exact.added
    }

    /// ln(1 + x), of a small x too: what rounding takes from 1 + x is made good by the slope of the logarithm.
    private func logarithmOfOnePlus(_ x: Double) -> Double {
        let sum = x + 1
        return PortableMath.log(sum) + (x - (sum - 1)) / sum
    }
}
