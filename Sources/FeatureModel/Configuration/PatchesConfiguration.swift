/// The grouping of a clip's rows into patches: what a model takes at a time.
///
/// Patch p of a clip holds its rows p · hop to p · hop + length − 1. Rows are grouped after everything else, so statistics and
/// normalisation see each row once.
public struct PatchesConfiguration: Hashable, Sendable {
    /// What becomes of the rows after the last whole patch.
    public enum Rest: String, CaseIterable, Codable, Sendable {
        /// They are dropped; a clip with fewer rows than a patch fails.
        case drop
        /// They make a patch with rows of the value `rows.fill`, which are not normalised.
        case fill
        /// Zeros after the samples complete the last patch, so that every sample is in one.
        case zeros
        /// Every hop of the rows starts a patch, completed with copies of the last row; the rows of `lead` are not counted, so with a
        /// long lead the last rows may be in none. FunASR's stacking of frames.
        case `repeat`
    }

    /// The rows of a patch; nil: rows are not grouped.
    public private(set) var length: Int?
    /// The rows from one patch to the next, at most `length`; nil: `length`, so that patches do not overlap.
    public private(set) var hop: Int?
    /// What becomes of the rows after the last whole patch.
    public private(set) var rest = Rest.drop
    /// Whether a patch is stored as one row of length · bins values.
    public private(set) var stacked = false
    /// Copies of the clip's first row in front of its rows, 0 to `length` − 1.
    public private(set) var lead = 0

    /// The accepted numbers of rows.
    public static let lengths = 1...65_536

    /// The section with its defaults: no patches.
    public static let standard = PatchesConfiguration()

    private init() {}

    /// Checks the values, which the properties of the same names describe.
    ///
    /// - Throws: `ConfigurationError` for a value out of range, a hop above the length, and other keys without a length.
    public init(
        length: Int? = standard.length, hop: Int? = standard.hop, rest: Rest = standard.rest,
        stacked: Bool = standard.stacked, lead: Int = standard.lead
    ) throws(ConfigurationError) {
        (self.length, self.hop, self.rest, self.stacked) = (length, hop, rest, stacked)
        self.lead = lead
        try validate()
    }

    /// Length and hop; nil: rows are not grouped.
    public var shape: PatchShape? {
        length.map { PatchShape(length: $0, hop: hop ?? $0, isStacked: stacked, lead: lead) }
    }

    /// The number of patches of a clip with `rows` rows.
    public func count(_ rows: Int) -> Int {
        guard let shape, rows > 0 else { return 0 }
        let all = rows + lead
        let rest = max(all - shape.length, 0)
        switch self.rest {
        case .drop, .zeros: return all < shape.length ? 0 : 1 + rest / shape.hop
        case .fill: return 1 + (rest + shape.hop - 1) / shape.hop
        case .repeat: return (rows + shape.hop - 1) / shape.hop
        }
    }
}

/// The rows of a patch, and how a patch is stored.
public struct PatchShape: Hashable, Sendable {
    /// The rows of a patch.
    public let length: Int
    /// The rows from one patch to the next, 1 to `length`.
    public let hop: Int
    /// Whether a patch is stored as one row.
    public let isStacked: Bool
    /// Copies of the clip's first row in front of its rows.
    public let lead: Int

    /// Keeps the values.
    package init(length: Int, hop: Int, isStacked: Bool, lead: Int = 0) {
        (self.length, self.hop, self.isStacked, self.lead) = (length, hop, isStacked, lead)
    }

    /// Whether some rows of a clip belong to several patches.
    public var overlaps: Bool { hop < length }

    /// The index, among the rows of a clip before they were grouped, of row `index` of its patches one after another.
    package func row(_ index: Int) -> Int { max(index / length * hop + index % length - lead, 0) }
}

extension PatchesConfiguration: ConfigurationSection {
    private static let rows = ValueFormat.whole(
        lengths, "null or a whole number from 1 to \(lengths.upperBound)"
    ).orNull

    static let table = SectionTable(
        "patches", "The grouping of rows into patches.", standard: standard,
        [
            ConfigurationKey(
                "length", { $1(&$0.length) }, rows,
                "The number of rows of a patch; null: rows are not grouped."),
            ConfigurationKey(
                "hop", { $1(&$0.hop) }, rows,
                "The number of rows from one patch to the next, at most length; null: length."),
            ConfigurationKey(
                "rest", { $1(&$0.rest) }, .choice,
                "What becomes of the rows after the last whole patch: they are dropped (drop), or a patch of them is "
                    + "completed: by rows of rows.fill (fill), by zeros after the clip's samples, so that every "
                    + "sample is in a patch (zeros), or by copies of the last row, with a patch at every hop "
                    + "(repeat)."),
            ConfigurationKey(
                "stacked", { $1(&$0.stacked) }, .flag,
                "Whether a patch is stored as one row of length x bins values."),
            ConfigurationKey(
                "lead", { $1(&$0.lead) }, .whole(0...lengths.upperBound - 1), unit: "rows", isAlwaysWritten: false,
                "Copies of the clip's first row in front of its rows, fewer than length."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        guard let length else {
            for (key, isUsed, standard) in [
                ("hop", hop != nil, "null"), ("rest", rest != .drop, "drop"), ("stacked", stacked, "false"),
                ("lead", lead != 0, "0"),
            ] where isUsed {
                throw .invalidValue(
                    key: "patches.\(key)", found: "it without patches.length",
                    expected: "\(standard), or the length of a patch")
            }
            return
        }
        try require(
            lead < length, "patches.lead", found: "\(lead) with patches.length: \(length)",
            expected: "a number below the length")
        if let hop, hop > length {
            throw .invalidValue(
                key: "patches.hop", found: "\(hop) with patches.length: \(length)",
                expected: "null or a number up to the length")
        }
    }
}
