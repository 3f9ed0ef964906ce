/// The shape that a frame is multiplied by before the transform. `Window` in SignalProcessing has the formulas.
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
    /// Kaiser's window; β from 0 (rectangular) to `greatestBeta`.
    case kaiser(beta: Double)
    /// A bell with a standard deviation of `sigma` samples, more than 0.
    case gaussian(sigma: Double)
    /// Flat with cosine ends, which take the share `alpha` of the whole: 0 is rectangular, 1 is Hann.
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

    /// The greatest β of Kaiser's window: far beyond, its formula overflows.
    public static let greatestBeta = 500.0

    /// Which shape it is.
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

    /// Whether the shape's parameter lies in its range.
    var hasValidParameter: Bool {
        switch self {
        case .kaiser(let beta): (0...Self.greatestBeta).contains(beta)
        case .gaussian(let sigma): sigma > 0 && sigma.isFinite
        case .tukey(let alpha): (0...1).contains(alpha)
        default: true
        }
    }

    /// The parameter's name, value and range in words; nil: the shape has none.
    var parameter: (name: String, value: Double, range: String)? {
        switch self {
        case .kaiser(let beta): ("beta", beta, "a number from 0 to \(Int(Self.greatestBeta))")
        case .gaussian(let sigma): ("sigma", sigma, "a number of samples above 0")
        case .tukey(let alpha): ("alpha", alpha, "a number from 0 to 1")
        default: nil
        }
    }
}

extension WindowFunction: Codable {
    /// Reads a name, or a mapping such as `{kind: kaiser, beta: 14}`.
    public init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard let kind = Kind(rawValue: name) else {
                let names = Kind.allCases.map(\.rawValue)
                throw ConfigurationError.invalidValue(
                    key: path, found: SectionReader.found(name, among: names), expected: Self.expected)
            }
            guard let window = Self.plain(kind) else {
                throw ConfigurationError.invalidValue(
                    key: path, found: "'\(name)' without its parameter", expected: Self.mappingExample(kind))
            }
            self = window
            return
        }
        guard let open = try? decoder.container(keyedBy: AnyCodingKey.self) else {
            throw ConfigurationError.invalidValue(
                key: path, found: SectionReader.text(of: decoder), expected: Self.expected)
        }
        let kind = try SectionReader(open, path: path).choice("kind", default: Kind.hann)
        let name: String? =
            switch kind {
            case .kaiser: "beta"
            case .gaussian: "sigma"
            case .tukey: "alpha"
            default: nil
            }
        let section = try SectionReader(
            decoder, keys: ["kind"] + (name.map { [$0] } ?? []), ofOthers: ["beta", "sigma", "alpha"],
            kind: kind.rawValue)
        guard let name else {
            self = Self.plain(kind) ?? .hann
            return
        }
        guard section.has(name) else {
            throw ConfigurationError.invalidValue(
                key: section.name(of: name), found: "nothing", expected: Self.mappingExample(kind))
        }
        let value = try section.value(name, default: 0.0, expected: "a number")
        self =
            switch kind {
            case .kaiser: .kaiser(beta: value)
            case .gaussian: .gaussian(sigma: value)
            default: .tukey(alpha: value)
            }
    }

    /// Writes the name, or a mapping where the shape has a parameter.
    public func encode(to encoder: any Encoder) throws {
        guard let parameter else {
            var container = encoder.singleValueContainer()
            return try container.encode(kind)
        }
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(kind, forKey: AnyCodingKey("kind"))
        try container.encode(parameter.value, forKey: AnyCodingKey(parameter.name))
    }

    private static var expected: String { "one of " + Kind.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func mappingExample(_ kind: Kind) -> String {
        switch kind {
        case .kaiser: "{kind: kaiser, beta: 14} with beta from 0 to \(Int(greatestBeta))"
        case .gaussian: "{kind: gaussian, sigma: 50} with sigma in samples, above 0"
        default: "{kind: tukey, alpha: 0.5} with alpha from 0 to 1"
        }
    }

    /// The shape of a kind without a parameter.
    private static func plain(_ kind: Kind) -> WindowFunction? {
        switch kind {
        case .rectangular: .rectangular
        case .hann: .hann
        case .hamming: .hamming
        case .blackman: .blackman
        case .blackmanHarris: .blackmanHarris
        case .nuttall: .nuttall
        case .bartlett: .bartlett
        case .flatTop: .flatTop
        case .povey: .povey
        case .kaiser, .gaussian, .tukey: nil
        }
    }
}
