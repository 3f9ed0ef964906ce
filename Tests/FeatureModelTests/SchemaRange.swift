/// The range of a number in a schema.
struct SchemaRange {
    private let isWhole: Bool
    private let minimum, exclusiveMinimum, maximum: Double?

    /// Nil: the schema states no range.
    init?(_ schema: [String: Any]) {
        minimum = Self.bound(schema["minimum"])
        exclusiveMinimum = Self.bound(schema["exclusiveMinimum"])
        maximum = Self.bound(schema["maximum"])
        if minimum == nil, exclusiveMinimum == nil, maximum == nil { return nil }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? ""]
        isWhole = types.contains("integer")
    }

    /// Numbers at the limits of the range and just outside, and whether they are allowed.
    var probes: [(value: String, isAllowed: Bool)] {
        var probes: [(Double, Bool)] = []
        if let minimum { probes += [(minimum, true), (minimum - step(at: minimum), false)] }
        if let bound = exclusiveMinimum { probes += [(bound, false), (bound + step(at: bound), true)] }
        if let maximum { probes += [(maximum, true), (maximum + step(at: maximum), false)] }
        return probes.map { (isWhole ? "\(Int($0.0))" : "\($0.0)", $0.1) }
    }

    /// A limit as it is written. `JSONSerialization` reads the least and greatest `Float` with an error in the last digit.
    private static func bound(_ value: Any?) -> Double? {
        guard let bound = value as? Double else { return nil }
        return abs(bound) > 1e38 || (bound != 0 && abs(bound) < 1e-37) ? Double(Float(bound)) : bound
    }

    private func step(at bound: Double) -> Double {
        if isWhole { return 1 }
        return bound == 0 ? 1e-9 : abs(bound) * 1e-9
    }
}
