/// The window of a frame. `Window` in SignalProcessing has the formulas.
public enum WindowFunction: Hashable, Sendable {
    /// 1 everywhere: no window.
    case rectangular
    /// ½ − ½ cos.
    case hann
    /// 0.54 − 0.46 cos.
    case hamming
    /// 0.42 − ½ cos + 0.08 cos of twice the angle.
    case blackman
    /// Four cosine terms, side lobes below −92 dB (Harris 1978).
    case blackmanHarris
    /// Four cosine terms, side lobes below −98 dB (Nuttall 1981).
    case nuttall
    /// A triangle that is 0 at its ends.
    case bartlett
    /// Five cosine terms with a flat top: right amplitudes between bins.
    case flatTop
    /// Hann to the power 0.85, as in Kaldi.
    case povey
    /// Kaiser's window; β from 0 (rectangular) to `maximumBeta`.
    case kaiser(beta: Double)
    /// A bell with a standard deviation of `sigma` samples, more than 0.
    case gaussian(sigma: Double)
    /// Flat with cosine ends over a fraction `alpha` of the window: 0 is rectangular, 1 is Hann.
    case tukey(alpha: Double)

    /// The name of a shape in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See the case of the same name in `WindowFunction`, here and below.
        case rectangular, hann, hamming, blackman
        /// See `WindowFunction`.
        case blackmanHarris = "blackman_harris"
        /// See `WindowFunction`.
        case nuttall, bartlett
        /// See `WindowFunction`.
        case flatTop = "flat_top"
        /// See `WindowFunction`.
        case povey, kaiser, gaussian, tukey
    }

    /// The upper bound of β of Kaiser's window: far beyond, its formula overflows.
    public static let maximumBeta = 500.0

    /// The shape.
    public var kind: Kind {
        switch self {
        case .rectangular: .rectangular
        case .hann: .hann
        case .hamming: .hamming
        case .blackman: .blackman
        case .blackmanHarris: .blackmanHarris
        case .nuttall: .nuttall
        case .bartlett: .bartlett
        case .flatTop: .flatTop
        case .povey: .povey
        case .kaiser: .kaiser
        case .gaussian: .gaussian
        case .tukey: .tukey
        }
    }

    /// The shapes without a parameter.
    private static let plain: [WindowFunction] = [
        .rectangular, .hann, .hamming, .blackman, .blackmanHarris, .nuttall, .bartlett, .flatTop, .povey,
    ]

    /// The shape's parameter; 0 where it has none.
    private var parameter: Double {
        get {
            switch self {
            case .kaiser(let beta): beta
            case .gaussian(let sigma): sigma
            case .tukey(let alpha): alpha
            default: 0
            }
        }
        set {
            switch self {
            case .kaiser: self = .kaiser(beta: newValue)
            case .gaussian: self = .gaussian(sigma: newValue)
            case .tukey: self = .tukey(alpha: newValue)
            default: break
            }
        }
    }
}

extension WindowFunction: ConfigurationSection {
    static let table = SectionTable(
        "frame.window", "What a frame is multiplied by.", kind: { $0.kind.rawValue }, standardKind: Kind.hann.rawValue,
        kindSentence: "The shape. A shape without other keys may be written as its name alone, as in window: hann.",
        isShort: true,
        [
            SectionTable.Variant(
                kinds: plain.map(\.kind.rawValue), definition: "plain_window",
                sentence: "A shape without a parameter, as a mapping.", keys: []
            ) { kind in plain.first { $0.kind.rawValue == kind } ?? .hann },
            variant(
                .kaiser(beta: 0), "Kaiser's window.", "beta",
                .number(0...maximumBeta, "a number from 0 to 500", readable: "a number"),
                example: "{kind: kaiser, beta: 14} with beta from 0 to \(Int(maximumBeta))",
                "Shape, without unit; 0 is rectangular."),
            variant(
                .gaussian(sigma: 1), "A bell.", "sigma",
                .number(0...(.infinity), isOpenBelow: true, "a number of samples above 0", readable: "a number"),
                example: "{kind: gaussian, sigma: 50} with sigma in samples, above 0", unit: "samples",
                "Standard deviation."),
            variant(
                .tukey(alpha: 0), "Flat with cosine ends.", "alpha",
                .number(0...1, "a number from 0 to 1", readable: "a number"),
                example: "{kind: tukey, alpha: 0.5} with alpha from 0 to 1",
                "Share of the cosine ends: 0 is rectangular, 1 is hann."),
        ])

    private static func variant(
        _ window: WindowFunction, _ shape: String, _ name: String, _ format: ValueFormat<Double>, example: String,
        unit: String = "", _ sentence: String
    ) -> SectionTable<Self>.Variant {
        let kind = window.kind.rawValue
        let key = ConfigurationKey<Self>(name, { $1(&$0.parameter) }, format, unit: unit, required: example, sentence)
        return .init(kinds: [kind], definition: kind, sentence: shape, keys: [key]) { _ in window }
    }
}

extension WindowFunction: Codable {
    /// Reads a name, or a mapping such as `{kind: kaiser, beta: 14}`.
    public init(from decoder: any Decoder) throws {
        let (value, format) = (try ConfigurationValue(from: decoder), ValueFormat<WindowFunction>.shortSection)
        guard let window = try format.read(value, Self.table.path) else {
            throw ConfigurationError.invalidValue(key: Self.table.path, found: value.found, expected: format.allowed)
        }
        self = window
    }

    /// Writes the name, or a mapping where the shape has a parameter.
    public func encode(to encoder: any Encoder) throws {
        try ValueFormat<WindowFunction>.shortSection.write(self).encode(to: encoder)
    }
}
