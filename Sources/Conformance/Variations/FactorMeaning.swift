import FeatureModel
import Platform
import SignalProcessing

/// What a factor and an offset between expected and given values may stand for.
package enum FactorMeaning: Hashable, Sendable {
    /// A logarithm of another base, and of the square or the root: given in `unit`, times `multiple` (2 for 20 log10, ½ for the
    /// logarithm of a magnitude).
    case logarithm(ScaleConfiguration.Kind, multiple: Double)
    /// The base 2.
    case binaryLogarithm
    /// All powers are multiplied by a known number.
    case power(Power)
    /// 0 is the maximum of the clip: `ref=np.max`.
    case relativeToMaximum
    /// The normalisation by fixed constants of a known model.
    case constants(String)
    /// A normalisation by other constants than those that are configured: (x - mean)/std.
    case otherConstants(mean: Double, std: Double)
    /// A constant that is added to each value.
    case addition(Double)

    /// A number that spectra may be multiplied by.
    package enum Power: String, CaseIterable, Hashable, Sendable {
        case int16, unit, windowSum, windowPower, length, squaredLength, rateAndWindow, half, double, quarter
    }

    /// The meanings of y = factor · x + offset.
    ///
    /// - Parameter maximum: The maximum of the expected values.
    static func of(
        factor: Double, offset: Double, _ plan: FeaturePlan, maximum: Double
    ) -> [FactorMeaning] {
        let scale = plan.configuration.scale
        let normalize = plan.configuration.normalize
        if let (mean, std) = normalize.constants {
            return [.otherConstants(mean: mean - offset * std / factor, std: std / factor)]
        }
        guard scale.kind.isLogarithmic else { return linear(factor: factor, offset: offset, plan) }
        if let name = constants(factor: factor, offset: offset) { return [.constants(name)] }
        let own = unit(scale.kind) * scale.factor
        for (kind, unit) in [
            (ScaleConfiguration.Kind.ln, 1), (.db, 10 / log(10)), (.log10, 1 / log(10)), (nil, 1 / log(2)),
        ]
            as [(ScaleConfiguration.Kind?, Double)]
        {
            for multiple in [1, 2, 0.5] where isNear(factor, unit * multiple / own) {
                var meanings: [FactorMeaning] = []
                if kind == nil {
                    meanings.append(.binaryLogarithm)
                } else if let kind, kind != scale.kind || multiple != 1 {
                    meanings.append(.logarithm(kind, multiple: multiple))
                }
                let tolerance = 2e-3 * unit
                if abs(offset) <= tolerance { return meanings }
                if abs(offset + factor * maximum) <= tolerance * 5 { return meanings + [.relativeToMaximum] }
                for power in Power.allCases {
                    let shift = unit * multiple * log(power.factor(plan))
                    if abs(offset - shift) <= tolerance { return meanings + [.power(power)] }
                }
                return meanings
            }
        }
        return []
    }

    private static func linear(factor: Double, offset: Double, _ plan: FeaturePlan) -> [FactorMeaning] {
        if abs(factor - 1) < 1e-5, offset != 0 { return [.addition(offset)] }
        guard abs(offset) <= 1e-3 * abs(factor) else { return [] }
        let isMagnitude = [.magnitude, .linear, .complex].contains(plan.configuration.scale.kind)
        return Power.allCases.first {
            let power = $0.factor(plan)
            return isNear(factor, isMagnitude ? power.squareRoot() : power)
        }.map { [.power($0)] } ?? []
    }

    private static func isNear(_ value: Double, _ wanted: Double) -> Bool { abs(value / wanted - 1) < 1e-3 }

    private static func unit(_ kind: ScaleConfiguration.Kind) -> Double {
        switch kind {
        case .db: 10 / log(10)
        case .log10: 1 / log(10)
        default: 1
        }
    }

    /// Models that normalise by fixed numbers: (x − mean) / divisor.
    private static let models: [(name: String, mean: Double, divisor: Double)] = [
        ("AST on AudioSet", -4.2677393, 2 * 4.5689974), ("AST on ESC-50", -6.6268077, 2 * 5.358466),
        ("AST on Speech Commands", -6.845978, 2 * 5.5654526), ("BEATs", 15.41663, 2 * 6.55582),
        ("PaSST", -4.5, 5),
    ]

    private static func constants(factor: Double, offset: Double) -> String? {
        models.first { isNear(factor, 1 / $0.divisor) && abs(offset + $0.mean / $0.divisor) < 1e-3 }?.name
    }
}

extension FactorMeaning.Power {
    /// What powers are multiplied by.
    func factor(_ plan: FeaturePlan) -> Double {
        let frame = plan.configuration.frame
        let window = Window.coefficients(frame.window, length: plan.geometry.length, symmetric: frame.symmetric)
        let length = Double(plan.geometry.fftLength)
        return switch self {
        case .int16: 0x1p30
        case .unit: 0x1p-30
        case .windowSum: 1 / pow(max(window.reduce(0, +), 1e-9), 2)
        case .windowPower: 1 / window.reduce(0) { $0 + $1 * $1 }
        case .length: 1 / length
        case .squaredLength: 1 / (length * length)
        case .rateAndWindow: 1 / (plan.sampleRate * window.reduce(0) { $0 + $1 * $1 })
        case .half: 0.5
        case .double: 2
        case .quarter: 0.25
        }
    }
}
