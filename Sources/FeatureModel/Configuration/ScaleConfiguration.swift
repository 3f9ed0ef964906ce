/// The scale of a transform's power p: |X|², or the weighted sum of a mel band.
///
/// The formulas of `Kind` give a value v, for logarithms with max(p, floor) or p + floor (`guarding`); what is stored is
/// min((v + offset) · factor, limit).
public struct ScaleConfiguration: Hashable, Sendable {
    /// The kinds of scale.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// √p / reference
        case magnitude
        /// (p / reference)^exponent
        case power
        /// 10 · log₁₀(max(p, floor) / reference): decibels
        case db
        /// ln(max(p, floor) / reference)
        case ln
        /// log₁₀(max(p, floor) / reference)
        case log10
        /// X / reference with its sign, for transforms whose result is real: `dct`, `raw`.
        case linear
        /// Re X / reference of all bins, then Im X / reference of all bins: two channels, for `fft`.
        case complex
        /// Per-channel energy normalisation of S = p / reference; see `PCENConfiguration`.
        case pcen

        /// Whether values are logarithms.
        public var isLogarithmic: Bool { [.db, .ln, .log10].contains(self) }
    }

    /// What keeps a logarithm finite.
    public enum Guard: String, CaseIterable, Codable, Sendable {
        /// max(p, floor)
        case maximum = "max"
        /// p + floor
        case add
        /// p, and floor where p is 0
        case zero
    }

    /// Which scale.
    public private(set) var kind = Kind.ln
    /// The lower bound of the powers that a logarithm is taken of, in units of p; other kinds ignore it.
    public private(set) var floor = 1e-10
    /// How `floor` keeps a logarithm finite; `add` for logarithms alone.
    public private(set) var guarding = Guard.maximum
    /// What the value is divided by: a magnitude for `magnitude`, `linear` and `complex`, a power for the others; 1 where it is the
    /// clip's maximum.
    public var reference: Double { givenReference.value ?? 1 }
    /// Whether the clip's greatest power, or `floor` where that is more, is the reference: the greatest value is `offset` · `factor`.
    /// Logarithms only.
    public var isRelativeToMaximum: Bool { givenReference.isFollowing }
    private var givenReference = RateFollowing<Double>(1)
    /// How far below the clip's maximum a value may lie, in dB, 0 or more; nil: any distance. Logarithms only.
    public private(set) var topDB: Double?
    /// Added to every value.
    public private(set) var offset = 0.0
    /// What the sum is multiplied by, more than 0.
    public private(set) var factor = 1.0
    /// The upper bound of the values; nil: none.
    public private(set) var limit: Double?
    /// The exponent of `power`, more than 0; 1 for other kinds.
    public private(set) var exponent = 1.0
    /// The parameters of `pcen`; nil for other kinds.
    public private(set) var pcen: PCENConfiguration?

    /// The section with its defaults.
    public static let standard = ScaleConfiguration(.ln)

    private init(_ kind: Kind) {
        self.kind = kind
        if kind == .pcen { pcen = .standard }
    }

    /// Checks the values, which the properties of the same names describe. `pcen` is ignored unless that is the kind; nil: its
    /// defaults.
    ///
    /// - Throws: `ConfigurationError` where floor, reference or factor is not a positive normal `Float`, `topDB` is negative or
    ///   the kind no logarithm, or another number is not finite.
    public init(
        kind: Kind = standard.kind, floor: Double = standard.floor, reference: Double = standard.reference,
        topDB: Double? = standard.topDB, offset: Double = standard.offset, factor: Double = standard.factor,
        limit: Double? = standard.limit, guarding: Guard = standard.guarding, exponent: Double = standard.exponent,
        pcen: PCENConfiguration? = nil, isRelativeToMaximum: Bool = false
    ) throws(ConfigurationError) {
        (self.kind, self.floor, self.topDB) = (kind, floor, topDB)
        givenReference = isRelativeToMaximum ? .following : .value(reference)
        (self.guarding, self.exponent) = (guarding, exponent)
        (self.offset, self.factor, self.limit) = (offset, factor, limit)
        self.pcen = kind == .pcen ? pcen ?? .standard : nil
        try validate()
    }

    /// The name of the unit of a value, for an axis or an attribute.
    public var units: String {
        let name =
            switch kind {
            case .magnitude: "magnitude"
            case .power: exponent == 1 ? "power" : "power^\(exponent.shortText)"
            case .db: "dB"
            case .ln: "ln(power)"
            case .log10: "log10(power)"
            case .linear: "amplitude"
            case .complex: "amplitude (real, imaginary)"
            case .pcen: "PCEN"
            }
        let sum = offset == 0 ? name : "\(name) \(offset < 0 ? "-" : "+") \(abs(offset).shortText)"
        guard factor != 1 else { return sum }
        return "\(factor.shortText) * " + (offset == 0 ? sum : "(\(sum))")
    }
}

extension ScaleConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "scale",
        "The unit of the values, from the power p that a bin or band holds: with v the value of kind, min((v + offset) * "
            + "factor, limit).",
        kind: { $0.kind.rawValue }, standardKind: standard.kind.rawValue,
        kindSentence:
            "magnitude: sqrt(p)/reference; power: (p/reference)^exponent; db: 10 log10(max(p, floor)/reference); ln and log10: "
            + "the logarithm of max(p, floor)/reference; linear: the coefficient itself with its sign, /reference "
            + "(only with dct and raw); complex: real parts, then imaginary parts, /reference (only with fft); pcen: "
            + "energy normalisation of each band.",
        [
            SectionTable.Variant(
                kinds: Kind.allCases.filter { $0 != .pcen }.map(\.rawValue), definition: "plain_scale",
                sentence: "A scale of each value by itself.", keys: keys + [guarding, exponent]
            ) { kind in ScaleConfiguration(Kind(rawValue: kind) ?? .ln) },
            SectionTable.Variant(
                kinds: [Kind.pcen.rawValue], definition: "pcen",
                sentence:
                    "Per-channel energy normalisation of s = p/reference: (s/(eps + m)^gain + bias)^power - bias^power, m "
                    + "the smoothed past of s.",
                keys: keys + PCENConfiguration.keys.within(part: { $0.pcen }, replace: { $0.pcen = $1 })
            ) { _ in ScaleConfiguration(.pcen) },
        ])

    private static let guarding = ConfigurationKey<Self>(
        "guard", { $1(&$0.guarding) }, .choice,
        "How floor keeps a logarithm finite: max: max(p, floor); add: p + floor; zero: floor where p is 0, else p.")

    private static let exponent = ConfigurationKey<Self>(
        "exponent", { $1(&$0.exponent) },
        .number(0...100, isOpenBelow: true, "a number above 0, at most 100", readable: "a number"),
        "For kind power: the exponent of p/reference.")

    private static let keys = [
        ConfigurationKey<Self>(
            "floor", { $1(&$0.floor) }, .positive(" (every logarithm has a floor)"),
            "The smallest power that a logarithm sees, in the unit of p; other kinds do not use it."),
        ConfigurationKey(
            "reference", { $1(&$0.givenReference) }, ValueFormat.positive(" or max").orWord("max"),
            "What the value is divided by: a magnitude for magnitude, linear and complex, a power for the others; max, for logarithms: the "
                + "clip's greatest power, at least floor."),
        ConfigurationKey(
            "top_db", { $1(&$0.topDB) },
            ValueFormat.number(0...(.infinity), "null or 0 dB or more", readable: "null or a number of dB").orNull,
            unit: "dB",
            "For logarithms: how far below the clip's maximum a value may be; lower values are raised to that level. "
                + "null: any distance."),
        ConfigurationKey("offset", { $1(&$0.offset) }, .single("a number"), "Added to every value, in its unit."),
        ConfigurationKey("factor", { $1(&$0.factor) }, .positive(), "What the sum is multiplied by, without unit."),
        ConfigurationKey(
            "limit", { $1(&$0.limit) }, ValueFormat.single("null or a number").orNull,
            "The upper bound of the values, after offset and factor; null: none."),
    ]

    func validate() throws(ConfigurationError) {
        try Self.keys.check(self, in: Self.table.path)
        if let topDB, !kind.isLogarithmic {
            throw .invalidValue(
                key: "scale.top_db", found: "\(topDB) with scale.kind: \(kind.rawValue)",
                expected: "null, or a scale.kind of db, ln or log10")
        }
        try require(
            guarding == .maximum || kind.isLogarithmic, "scale.guard",
            found: "\(guarding.rawValue) with scale.kind: \(kind.rawValue)",
            expected: "max, or a scale.kind of db, ln or log10")
        try require(
            !isRelativeToMaximum || kind.isLogarithmic && limit == nil, "scale.reference",
            found: limit == nil ? "max with scale.kind: \(kind.rawValue)" : "max with scale.limit",
            expected: limit == nil ? "a number, or a scale.kind of db, ln or log10" : "a number, or scale.limit: null")
        try require(
            exponent == 1 || kind == .power, "scale.exponent",
            found: "\(exponent.shortText) with scale.kind: \(kind.rawValue)", expected: "1, or scale.kind: power")
        try Self.exponent.check(self, "scale.exponent")
        try pcen?.validate()
    }
}

extension ValueFormat where Value == Double {
    /// A normal `Float` above 0.
    fileprivate static func positive(_ why: String = "") -> Self {
        let range = Double(Float.leastNormalMagnitude)...Double(Float.greatestFiniteMagnitude)
        return .number(range, "a number from 1.2e-38 to 3.4e38" + why, readable: "a positive number")
    }

    fileprivate static func single(_ readable: String) -> Self {
        let bound = Double(Float.greatestFiniteMagnitude)
        return .number(-bound...bound, readable + " from -3.4e38 to 3.4e38", readable: readable)
    }

    fileprivate static func parameter(_ range: ClosedRange<Double>) -> Self {
        .number(range, "\(range.lowerBound) to \(range.upperBound)", readable: "a number")
    }
}

/// Per-channel energy normalisation: every band divided by a smoothed past of itself, then compressed.
///
/// M[t] = (1 − b) M[t−1] + b S[t], M[−1] = 1 or S[0]; value = (S / (eps + M)^gain + bias)^power − bias^power. Wang et al. (2017),
/// "Trainable frontend for robust and far-field keyword spotting"; b and M[−1] as in `librosa.pcen`.
public struct PCENConfiguration: Hashable, Sendable {
    /// Exponent of the smoothed past, 0 or more.
    public private(set) var gain = 0.98
    /// Added before compression, more than 0.
    public private(set) var bias = 2.0
    /// Exponent of the compression, more than 0.
    public private(set) var power = 0.5
    /// Time in s that the past is smoothed over.
    public private(set) var timeConstant = 0.4
    /// Added to the smoothed past, more than 0.
    public private(set) var epsilon = 1e-6
    /// b itself, more than 0, at most 1; nil: it follows from the time constant.
    public private(set) var smoothing: Double?
    /// What the past is before the first row.
    public private(set) var start = Start.one

    /// What the smoothed past is before the first row.
    public enum Start: String, CaseIterable, Codable, Sendable {
        /// 1, as in `librosa.pcen`.
        case one
        /// The first row.
        case first
    }

    /// The defaults.
    public static let standard = PCENConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for a value out of range.
    public init(
        gain: Double = standard.gain, bias: Double = standard.bias, power: Double = standard.power,
        timeConstant: Double = standard.timeConstant, epsilon: Double = standard.epsilon,
        smoothing: Double? = standard.smoothing, start: Start = standard.start
    ) throws(ConfigurationError) {
        (self.smoothing, self.start) = (smoothing, start)
        (self.gain, self.bias, self.power) = (gain, bias, power)
        (self.timeConstant, self.epsilon) = (timeConstant, epsilon)
        try validate()
    }
}

extension PCENConfiguration {
    static let keys = [
        ConfigurationKey<Self>("gain", { $1(&$0.gain) }, .parameter(0...100), "Exponent of the smoothed past."),
        ConfigurationKey("bias", { $1(&$0.bias) }, .parameter(1e-30...1e30), "Added before compression."),
        ConfigurationKey("power", { $1(&$0.power) }, .parameter(1e-6...100), "Exponent of the compression."),
        ConfigurationKey(
            "time_constant", { $1(&$0.timeConstant) },
            .time(1e-6...3600, "1e-06 to 3600.0", readable: "a number of seconds, or a time such as '400 ms'"),
            unit: "s", "Time that the past is smoothed over."),
        ConfigurationKey("eps", { $1(&$0.epsilon) }, .parameter(1e-30...1e30), "Added to the smoothed past."),
        ConfigurationKey(
            "smoothing", { $1(&$0.smoothing) },
            ValueFormat.number(
                0...1, isOpenBelow: true, "null or a number above 0, at most 1", readable: "null or a number"
            )
            .orNull,
            "The share of the present row in the smoothed past; null: it follows from time_constant."),
        ConfigurationKey(
            "start", { $1(&$0.start) }, .choice,
            "The smoothed past before the first row: one: 1; first: the first row."),
    ]

    func validate() throws(ConfigurationError) { try Self.keys.check(self, in: "scale") }
}
