/// Whether the slopes of each column over time stand beside it.
///
/// d[t] = Σ θ · (c[t+θ] − c[t−θ]) / 2 Σ θ², θ = 1 … window, the first and the last row repeated past the ends (The HTK
/// Book, 5.9); the second order is the same of the first.
public struct DeltaConfiguration: Hashable, Sendable {
    /// 0: none; 1: deltas; 2: deltas and delta-deltas.
    public let order: Int
    /// Rows to each side that a slope is taken over.
    public let window: Int

    /// The longest window.
    public static let longestWindow = 100
    static let keys = ["deltas", "delta_window"]

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` for an order beyond 2 or a window out of range.
    public init(order: Int = 0, window: Int = 2) throws(ConfigurationError) {
        guard (0...2).contains(order) else {
            throw .invalidValue(key: "transform.deltas", found: "\(order)", expected: "0, 1 or 2")
        }
        guard (1...Self.longestWindow).contains(window) else {
            throw .invalidValue(
                key: "transform.delta_window", found: "\(window)", expected: "1 to \(Self.longestWindow) rows")
        }
        self.init(checked: order, window)
    }

    private init(checked order: Int, _ window: Int) {
        self.order = order
        self.window = window
    }

    /// No deltas.
    public static let none = DeltaConfiguration(checked: 0, 2)

    init(_ section: SectionReader) throws {
        try self.init(
            order: section.integer("deltas", default: 0, in: 0...2),
            window: section.integer("delta_window", default: 2, in: 1...Self.longestWindow))
    }

    func encode(to container: inout KeyedEncodingContainer<AnyCodingKey>) throws {
        try container.encode(order, forKey: AnyCodingKey("deltas"))
        try container.encode(window, forKey: AnyCodingKey("delta_window"))
    }
}
