/// The number of rows of a clip: which of its frames' rows are kept, and which are added.
public struct RowsConfiguration: Hashable, Sendable {
    /// Whether rows are added before or after normalisation.
    public enum FillOrder: String, CaseIterable, Codable, Sendable {
        /// Before: added rows are normalised, and count in the statistics, as all others.
        case before
        /// After: added rows hold `fill` itself, and do not count in the statistics.
        case after
    }

    /// The number of rows of every clip: rows after that are dropped, and shorter clips are filled; nil: their own.
    public private(set) var count: Int?
    /// Of what the number of rows is a multiple, by rows that are added; 1: of nothing.
    public private(set) var multiple = 1
    /// The values of the rows that are added, a normal `Float` or 0.
    public private(set) var fill = 0.0
    /// When they are added.
    public private(set) var fillOrder = FillOrder.after

    /// The accepted numbers of rows.
    public static let counts = 1...(1 << 24)

    /// The section with its defaults: a row for each frame.
    public static let standard = RowsConfiguration()

    private init() {}

    /// Checks the values, which the properties of the same names describe.
    ///
    /// - Throws: `ConfigurationError` for a value out of range, and a count that is not a multiple.
    public init(
        count: Int? = standard.count, multiple: Int = standard.multiple, fill: Double = standard.fill,
        fillOrder: FillOrder = standard.fillOrder
    ) throws(ConfigurationError) {
        (self.count, self.multiple, self.fill, self.fillOrder) = (count, multiple, fill, fillOrder)
        try validate()
    }

    /// Whether a clip may have other rows than those of its frames.
    public var isActive: Bool { count != nil || multiple > 1 }

    /// The number of rows of a clip with `rows` rows of frames, after rows were added; 0 stays 0.
    public func filled(_ rows: Int) -> Int {
        guard rows > 0 else { return 0 }
        return count ?? (rows + multiple - 1) / multiple * multiple
    }

    /// The number of rows that are kept of `rows` rows of frames.
    public func kept(_ rows: Int) -> Int { min(rows, count ?? .max) }
}

extension RowsConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "rows", "The number of rows of a clip.", standard: standard,
        [
            ConfigurationKey(
                "count", { $1(&$0.count) },
                ValueFormat.whole(counts, "null or a whole number from 1 to \(counts.upperBound)").orNull,
                isAlwaysWritten: false,
                "The number of rows of every clip: later rows are dropped, and shorter clips are filled; null: their own."
            ),
            ConfigurationKey(
                "multiple", { $1(&$0.multiple) }, .whole(counts), isAlwaysWritten: false,
                "Clips are filled until their number of rows is a multiple of this; 1: they are not."),
            ConfigurationKey(
                "fill", { $1(&$0.fill) }, .number(-1e30...1e30, "a number from -1e30 to 1e30", readable: "a number"),
                isAlwaysWritten: false, "The values of the rows that are added."),
            ConfigurationKey(
                "fill_order", { $1(&$0.fillOrder) }, .choice, isAlwaysWritten: false,
                "When they are added: after normalisation, so that they hold fill itself and do not count in its statistics; or "
                    + "before, as all other rows."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        if let count, count % multiple != 0 {
            throw .invalidValue(
                key: "rows.count", found: "\(count) beside rows.multiple: \(multiple)",
                expected: "null or a multiple of rows.multiple")
        }
    }
}
