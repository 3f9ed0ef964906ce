/// What the samples of a whole clip are brought to, after their mean was subtracted if it is to be.
///
/// All measurements are those of the clip after cropping to `audio.duration`, before padding. A divisor of 0, which silence
/// gives, counts as 1.
public enum GainConfiguration: Hashable, Sendable {
    /// Samples are not changed.
    case none
    /// x · level / max |x|
    case peak(level: Double)
    /// 2 ((x − min) / (max − min + ε) − ½): −1 … 1
    case minmax(epsilon: Double)
    /// (x − mean) / √(variance + ε), the variance that of the population
    case zscore(epsilon: Double)
    /// x / (√(mean of x²) + ε)
    case rms(epsilon: Double)
    /// trunc(32767 · x) / 32767, with x limited to −1 … 1: the steps of 16-bit PCM, rounded towards 0.
    case int16
    /// min(max(x, −level), level)
    case clamp(level: Double)

    /// The name in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See the case of the same name in `GainConfiguration`, all of them.
        case none, peak, minmax, zscore, rms, int16, clamp
    }

    /// Which gain it is.
    public var kind: Kind {
        switch self {
        case .none: .none
        case .peak: .peak
        case .minmax: .minmax
        case .zscore: .zscore
        case .rms: .rms
        case .int16: .int16
        case .clamp: .clamp
        }
    }

    /// Whether measurements of the whole clip are needed before its first sample.
    public var needsWholeClip: Bool {
        switch self {
        case .none, .int16, .clamp: false
        case .peak, .minmax, .zscore, .rms: true
        }
    }

    /// The number of a kind that has one; 0 for others.
    private var parameter: Double {
        get {
            switch self {
            case .peak(let level), .clamp(let level): level
            case .minmax(let epsilon), .zscore(let epsilon), .rms(let epsilon): epsilon
            case .none, .int16: 0
            }
        }
        set {
            switch self {
            case .peak: self = .peak(level: newValue)
            case .clamp: self = .clamp(level: newValue)
            case .minmax: self = .minmax(epsilon: newValue)
            case .zscore: self = .zscore(epsilon: newValue)
            case .rms: self = .rms(epsilon: newValue)
            case .none, .int16: break
            }
        }
    }
}

extension GainConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "condition.gain", "What the samples of the whole clip are brought to.", kind: { $0.kind.rawValue },
        standardKind: Kind.none.rawValue,
        kindSentence:
            "The kind of gain. A gain without other keys may be written as its kind alone, as in gain: peak. none: samples stay as they are; int16: rounded towards "
            + "0 to the steps of 16-bit PCM, trunc(32767 x)/32767.", isShort: true,
        [
            SectionTable.Variant(
                kinds: [Kind.none.rawValue, Kind.int16.rawValue], definition: "plain_gain",
                sentence: "A gain without a number, as a mapping.", keys: []
            ) { kind in kind == Kind.int16.rawValue ? .int16 : .none },
            variant(
                .peak(level: 1), "x level / max|x|.", "level",
                .number(1e-9...1e9, "a number from 1e-09 to 1e9", readable: "a number"), "The greatest magnitude."),
            variant(.minmax(epsilon: 0), "2 ((x - min)/(max - min + epsilon) - 1/2): -1 to 1."),
            variant(.zscore(epsilon: 0), "(x - mean)/sqrt(variance + epsilon), the variance of the population."),
            variant(.rms(epsilon: 0), "x/(sqrt(mean of x^2) + epsilon)."),
            variant(
                .clamp(level: 1), "min(max(x, -level), level).", "level",
                .number(1e-9...1e9, "a number from 1e-09 to 1e9", readable: "a number"),
                "The magnitude that greater samples are cut to."),
        ])

    private static func variant(
        _ gain: Self, _ sentence: String, _ name: String = "epsilon",
        _ format: ValueFormat<Double> = .number(0...1, "a number from 0 to 1", readable: "a number"),
        _ meaning: String = "Added to the divisor."
    ) -> SectionTable<Self>.Variant {
        let kind = gain.kind.rawValue
        let key = ConfigurationKey<Self>(name, { $1(&$0.parameter) }, format, meaning)
        return .init(kinds: [kind], definition: "\(kind)_gain", sentence: sentence, keys: [key]) { _ in gain }
    }

    func validate() throws(ConfigurationError) { try Self.table.check(self) }
}
