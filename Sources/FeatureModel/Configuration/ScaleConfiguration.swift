/// What becomes of a transform's power p: |X|², or the sum of them that a mel band weighs.
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
    }

    /// Which scale.
    public let kind: Kind
    /// The least power that a logarithm sees, in units of p; `magnitude` and `power` do not use it.
    public let floor: Double
    /// What the value is divided by: a magnitude for `magnitude`, a power for the others.
    public let reference: Double

    /// The least floor: the smallest normal `Float`.
    public static let leastFloor = Double(Float.leastNormalMagnitude)

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` where floor or reference is not a positive normal `Float`.
    public init(kind: Kind = .ln, floor: Double = 1e-10, reference: Double = 1) throws(ConfigurationError) {
        for (key, value) in [("scale.floor", floor), ("scale.reference", reference)] {
            guard value >= Self.leastFloor, value <= Double(Float.greatestFiniteMagnitude) else {
                throw .invalidValue(
                    key: key, found: "\(value)",
                    expected: "a number from 1.2e-38 to 3.4e38 (every logarithm has a floor)")
            }
        }
        self.kind = kind
        self.floor = floor
        self.reference = reference
    }

    /// The name of the unit of a value, for an axis or an attribute.
    public var units: String {
        switch kind {
        case .magnitude: "magnitude"
        case .power: "power"
        case .db: "dB"
        case .ln: "ln(power)"
        case .log10: "log10(power)"
        }
    }
}

extension ScaleConfiguration: Codable {
    private static let keys = ["kind", "floor", "reference", "top_db"]

    /// Reads the `scale` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        try section.requireDefault("top_db", "null (a range below the clip's peak is not supported by this version)")
        try self.init(
            kind: section.choice("kind", default: .ln),
            floor: section.value("floor", default: 1e-10, expected: "a positive number"),
            reference: section.value("reference", default: 1, expected: "a positive number"))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(kind, forKey: AnyCodingKey("kind"))
        try container.encode(floor, forKey: AnyCodingKey("floor"))
        try container.encode(reference, forKey: AnyCodingKey("reference"))
        try container.encodeNil(forKey: AnyCodingKey("top_db"))
    }
}
