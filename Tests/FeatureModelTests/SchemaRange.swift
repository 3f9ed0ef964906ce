/// The range of a number in a schema.
struct SchemaRange {
    private let isWhole: Bool
    private let least, beyond, most: Double?

    /// Nil: the schema states no range.
    init?(_ schema: [String: Any]) {
        least = Self.bound(schema["minimum"])
        beyond = Self.bound(schema["exclusiveMinimum"])
        most = Self.bound(schema["maximum"])
        if least == nil, beyond == nil, most == nil { return nil }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? ""]
        isWhole = types.contains("integer")
    }

    /// Numbers at the ends of the range and just past them, and whether they are allowed.
    var probes: [(value: String, isAllowed: Bool)] {
        var probes: [(Double, Bool)] = []
        if let least { probes += [(least, true), (least - step(at: least), false)] }
        if let beyond { probes += [(beyond, false), (beyond + step(at: beyond), true)] }
        if let most { probes += [(most, true), (most + step(at: most), false)] }
        return probes.map { (isWhole ? "\(Int($0.0))" : "\($0.0)", $0.1) }
    }

    /// The ends of `Float` exactly: `JSONSerialization` reads them with an error in the last digit.
    private static func bound(_ value: Any?) -> Double? {
        guard let bound = value as? Double else { return nil }
        return abs(bound) > 1e38 || (bound != 0 && abs(bound) < 1e-37) ? Double(Float(bound)) : bound
    }

    private func step(at bound: Double) -> Double {
        if isWhole { return 1 }
        return bound == 0 ? 1e-9 : abs(bound) * 1e-9
    }
}
