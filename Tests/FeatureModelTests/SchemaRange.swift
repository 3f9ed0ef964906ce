/// The range of a number in a schema.
struct SchemaRange {
    private let isWhole: Bool
    private let smallest, beyond, largest: Double?

    /// Nil: the schema states no range.
    init?(_ schema: [String: Any]) {
        smallest = Self.bound(schema["minimum"])
        beyond = Self.bound(schema["exclusiveMinimum"])
        largest = Self.bound(schema["maximum"])
        if smallest == nil, beyond == nil, largest == nil { return nil }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? ""]
        isWhole = types.contains("integer")
    }

    /// Numbers at the ends of the range and just past them, and whether they are allowed.
    var probes: [(value: String, isAllowed: Bool)] {
        var probes: [(Double, Bool)] = []
        if let smallest { probes += [(smallest, true), (smallest - step(at: smallest), false)] }
        if let beyond { probes += [(beyond, false), (beyond + step(at: beyond), true)] }
        if let largest { probes += [(largest, true), (largest + step(at: largest), false)] }
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
