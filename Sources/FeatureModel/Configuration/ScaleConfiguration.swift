/// What becomes of a transform's power p: |X|², or the sum of them that a mel band weighs.
///
/// The formulas of `Kind` give a value v; what is stored is min((v + offset) · factor, limit).
public struct ScaleConfiguration: Hashable, Sendable {
    /// The kinds of scale.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// √p / reference
        case magnitude
        /// p / reference
        case power
        /// 10 · log₁₀(max(p, floor) / reference): decibels
        case db
        /// ln(max(p, floor) / reference)
        case ln
        /// log₁₀(max(p, floor) / reference)
        case log10
        /// X / reference with its sign, for transforms whose result is real: `dct`.
        case linear
        /// Re X / reference of all bins, then Im X / reference of all bins: two channels, for `fft`.
        case complex
        /// Per-channel energy normalisation of S = p / reference; see `PCENConfiguration`.
        case pcen

        /// Whether values are logarithms.
        public var isLogarithmic: Bool { [.db, .ln, .log10].contains(self) }
    }

    /// Which scale.
    public let kind: Kind
    /// The least power that a logarithm sees, in units of p; the other kinds do not use it.
    public let floor: Double
    /// What the value is divided by: a magnitude for `magnitude`, `linear` and `complex`, a power for the others.
    public let reference: Double
    /// How far below the clip's greatest value the least may lie, in dB, 0 or more; nil: any distance. Logarithms only.
    public let topDB: Double?
    /// Added to every value.
    public let offset: Double
    /// What the sum is multiplied by, more than 0.
    public let factor: Double
    /// The greatest value there may be; nil: none.
    public let limit: Double?
    /// The figures of `pcen`; nil for other kinds.
    public let pcen: PCENConfiguration?

    /// The least floor: the smallest normal `Float`.
    public static let leastFloor = Double(Float.leastNormalMagnitude)

    /// Checks and keeps the values.
    ///
    /// - Parameter pcen: Not looked at unless the kind is `pcen`; nil: its defaults.
    /// - Throws: `ConfigurationError` where floor, reference or factor is not a positive normal `Float`, `topDB` negative or
    ///   beside a kind that is no logarithm, or another number not finite.
    public init(
        kind: Kind = .ln, floor: Double = 1e-10, reference: Double = 1, topDB: Double? = nil, offset: Double = 0,
        factor: Double = 1, limit: Double? = nil, pcen: PCENConfiguration? = nil
    ) throws(ConfigurationError) {
        for (key, value) in [("scale.floor", floor), ("scale.reference", reference), ("scale.factor", factor)] {
            guard value >= Self.leastFloor, value <= Double(Float.greatestFiniteMagnitude) else {
                let why = key == "scale.floor" ? " (every logarithm has a floor)" : ""
                throw .invalidValue(
                    key: key, found: "\(value)", expected: "a number from 1.2e-38 to 3.4e38" + why)
            }
        }
        if let topDB {
            guard topDB >= 0, topDB.isFinite else {
                throw .invalidValue(key: "scale.top_db", found: "\(topDB)", expected: "null or 0 dB or more")
            }
            guard kind.isLogarithmic else {
                throw .invalidValue(
                    key: "scale.top_db", found: "\(topDB) beside scale.kind: \(kind.rawValue)",
                    expected: "null, or a scale.kind of db, ln or log10")
            }
        }
        for (key, value) in [("scale.offset", offset), ("scale.limit", limit ?? 0)] {
            guard abs(value) <= Double(Float.greatestFiniteMagnitude) else {
                throw .invalidValue(key: key, found: "\(value)", expected: "a number from -3.4e38 to 3.4e38")
            }
        }
        self.kind = kind
        self.floor = floor
        self.reference = reference
        self.topDB = topDB
        self.offset = offset
        self.factor = factor
        self.limit = limit
        if kind == .pcen {
            if let pcen { self.pcen = pcen } else { self.pcen = try PCENConfiguration() }
        } else {
            self.pcen = nil
        }
    }

    /// The name of the unit of a value, for an axis or an attribute.
    public var units: String {
        let name =
            switch kind {
            case .magnitude: "magnitude"
            case .power: "power"
            case .db: "dB"
            case .ln: "ln(power)"
            case .log10: "log10(power)"
            case .linear: "amplitude"
            case .complex: "amplitude (real, imaginary)"
            case .pcen: "PCEN"
            }
        let sum = offset == 0 ? name : "\(name) \(offset < 0 ? "-" : "+") \(Self.text(abs(offset)))"
        guard factor != 1 else { return sum }
        return "\(Self.text(factor)) * " + (offset == 0 ? sum : "(\(sum))")
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
}

extension ScaleConfiguration: Codable {
    static let keys = ["kind", "floor", "reference", "top_db", "offset", "factor", "limit"]

    /// Reads the `scale` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let kind = try SectionReader(decoder).choice("kind", default: Kind.ln)
        let section = try SectionReader(
            decoder, keys: Self.keys + (kind == .pcen ? PCENConfiguration.keys : []), ofOthers: PCENConfiguration.keys,
            kind: kind.rawValue)
        try self.init(
            kind: kind,
            floor: section.value("floor", default: 1e-10, expected: "a positive number"),
            reference: section.value("reference", default: 1, expected: "a positive number"),
            topDB: section.optional("top_db", expected: "null or a number of dB"),
            offset: section.value("offset", default: 0, expected: "a number"),
            factor: section.value("factor", default: 1, expected: "a positive number"),
            limit: section.optional("limit", expected: "null or a number"),
            pcen: kind == .pcen ? PCENConfiguration(section) : nil)
    }

    /// Writes every key that the kind has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(kind, forKey: AnyCodingKey("kind"))
        try container.encode(floor, forKey: AnyCodingKey("floor"))
        try container.encode(reference, forKey: AnyCodingKey("reference"))
        try container.encode(topDB, forKey: AnyCodingKey("top_db"))
        try container.encode(offset, forKey: AnyCodingKey("offset"))
        try container.encode(factor, forKey: AnyCodingKey("factor"))
        try container.encode(limit, forKey: AnyCodingKey("limit"))
        try pcen?.encode(to: &container)
    }
}
