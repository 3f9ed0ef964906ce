/// The rows of a clip: what they are resized to, which of them are kept, and which are added.
public struct RowsConfiguration: Hashable, Sendable {
    /// Whether rows are added before or after normalisation.
    public enum FillOrder: String, CaseIterable, Codable, Sendable {
        /// Before: added rows are normalised, and count in the statistics, as all others.
        case before
        /// After: added rows hold `fill` itself, and do not count in the statistics.
        case after
    }

    /// How values between rows, and between columns, are found.
    public enum ResizeMethod: String, CaseIterable, Codable, Sendable {
        /// Straight between the two nearest, in both directions; rows and columns are areas, whose edges meet those of the others:
        /// `torch.nn.functional.interpolate` with `mode="bilinear"` and `align_corners=False`.
        case bilinear
        /// The one at or below: the same with `mode="nearest"`.
        case nearest
    }

    /// What the number of rows is multiplied by, above 0, at most 1; nil: rows are not resized.
    public private(set) var resize: Double?
    /// The number of columns that those of a row are resized to; nil: they are not.
    public private(set) var resizeBins: Int?
    /// How values between rows, and between columns, are found.
    public private(set) var resizeMethod = ResizeMethod.bilinear
    /// Zeros are appended to a clip until the number of its resized rows is a multiple of this; 1: none are.
    public private(set) var resizeMultiple = 1
    /// The upper limit of `resizeMultiple` / `resize`, the least number of frames that a clip is padded to.
    private static let longestMultiple = 262_144.0
    /// The number of rows of every clip: later rows are dropped, and shorter clips are padded; nil: each clip keeps its own.
    public private(set) var count: Int?
    /// Rows are added until their number is a multiple of this; 1: none are.
    public private(set) var multiple = 1
    /// The values of the rows that are added, a normal `Float` or 0; 0 where they hold the clip's least value.
    public var fill: Double { givenFill.value ?? 0 }
    /// Whether they hold the least value of the clip's own rows.
    public var fillsWithLeast: Bool { givenFill.isFollowing }
    private var givenFill = RateFollowing<Double>(0)
    /// When they are added.
    public private(set) var fillOrder = FillOrder.after

    /// The accepted numbers of rows.
    public static let counts = 1...(1 << 24)
    /// The accepted numbers of resized columns.
    public static let bins = 1...8192
    /// The accepted multiples of resized rows.
    public static let multiples = 1...65_536

    /// The section with its defaults: a row for each frame.
    public static let standard = RowsConfiguration()

    private init() {}

    /// Checks the values, which the properties of the same names describe.
    ///
    /// - Throws: `ConfigurationError` for a value out of range, and a count that is not a multiple.
    public init(
        count: Int? = standard.count, multiple: Int = standard.multiple, fill: Double = standard.fill,
        fillOrder: FillOrder = standard.fillOrder, fillsWithLeast: Bool = false, resize: Double? = standard.resize,
        resizeBins: Int? = standard.resizeBins, resizeMethod: ResizeMethod = standard.resizeMethod,
        resizeMultiple: Int = standard.resizeMultiple
    ) throws(ConfigurationError) {
        (self.resize, self.resizeBins, self.resizeMethod) = (resize, resizeBins, resizeMethod)
        self.resizeMultiple = resizeMultiple
        (self.count, self.multiple, self.fillOrder) = (count, multiple, fillOrder)
        givenFill = fillsWithLeast ? .following : .value(fill)
        try validate()
    }

    /// Whether rows are added, or later ones dropped.
    public var isActive: Bool { count != nil || multiple > 1 }

    /// Whether rows are made of those of the frames by interpolation.
    public var isResized: Bool { resize != nil || resizeBins != nil }

    /// The key by which rows are resized, the first of two, and its value; nil: they are not.
    package var resizing: (key: String, value: String)? {
        if let resize { return ("rows.resize", resize.shortText) }
        return resizeBins.map { ("rows.resize_bins", "\($0)") }
    }

    /// The number of rows that `rows` rows of frames are resized to: the product with `resize`, rounded down.
    public func resized(_ rows: Int) -> Int {
        resize.map { Int((Double(max(rows, 0)) * $0).rounded(.down)) } ?? rows
    }

    /// The fewest rows of frames that are resized to `rows` rows, 1 or more.
    package func unresized(_ rows: Int) -> Int {
        guard let resize else { return rows }
        var count = Int((Double(rows) / resize).rounded(.up))
        while resized(count) < rows { count += 1 }
        while count > 1, resized(count - 1) >= rows { count -= 1 }
        return count
    }

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
        "rows", "The rows of a clip: resized, cut off, added.", standard: standard,
        [
            ConfigurationKey(
                "resize", { $1(&$0.resize) },
                ValueFormat.number(
                    1e-4...1, "null or a number from 0.0001 to 1", readable: "null or a number"
                ).orNull, isAlwaysWritten: false,
                "What the number of rows is multiplied by, by interpolation over time, after a clip's own normalisation and before "
                    + "any other; null: rows are those of the frames."),
            ConfigurationKey(
                "resize_bins", { $1(&$0.resizeBins) },
                ValueFormat.whole(bins, "null or a whole number from 1 to \(bins.upperBound)").orNull,
                isAlwaysWritten: false,
                "The number of columns that those of a row are resized to, with the rows; null: as many as there are."),
            ConfigurationKey(
                "resize_method", { $1(&$0.resizeMethod) }, .choice, isAlwaysWritten: false,
                "How values between rows and columns are found: straight between the two nearest, as by torch with "
                    + "align_corners=False (bilinear), or by taking the one at or below (nearest)."),
            ConfigurationKey(
                "resize_multiple", { $1(&$0.resizeMultiple) }, .whole(multiples), isAlwaysWritten: false,
                "With resize: zeros are appended to a clip, after minimum and multiple of audio, until the number of its resized rows "
                    + "is a multiple of this; 1: none are."),
            ConfigurationKey(
                "count", { $1(&$0.count) },
                ValueFormat.whole(counts, "null or a whole number from 1 to \(counts.upperBound)").orNull,
                "The number of rows of every clip: later rows are dropped, and rows of fill are added to shorter "
                    + "clips; null: each clip's own."
            ),
            ConfigurationKey(
                "multiple", { $1(&$0.multiple) }, .whole(counts),
                "Rows of fill are added to a clip until their number is a multiple of this; 1: none are added."),
            ConfigurationKey(
                "fill", { $1(&$0.givenFill) },
                ValueFormat.number(-1e30...1e30, "a number from -1e30 to 1e30, or min", readable: "a number, or min")
                    .orWord("min"),
                "The values of the rows that are added; min: the least value of the clip's own rows."),
            ConfigurationKey(
                "fill_order", { $1(&$0.fillOrder) }, .choice,
                "When rows are added: after normalisation, so that they hold fill itself and do not count in its "
                    + "statistics; or before, so that they are treated as all other rows."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        if resizeMultiple > 1, resize == nil {
            throw .invalidValue(
                key: "rows.resize_multiple", found: "\(resizeMultiple) without rows.resize",
                expected: "1, or rows.resize as well")
        }
        if let resize, Double(resizeMultiple) / resize > Self.longestMultiple {
            throw .invalidValue(
                key: "rows.resize_multiple", found: "\(resizeMultiple) with rows.resize: \(resize.shortText)",
                expected: "at most \(Int(Self.longestMultiple)) times rows.resize: clips are padded to that many frames"
            )
        }
        if resizeMethod != .bilinear, !isResized {
            throw .invalidValue(
                key: "rows.resize_method", found: "\(resizeMethod.rawValue) without rows.resize and rows.resize_bins",
                expected: "bilinear, or rows.resize or rows.resize_bins as well")
        }
        if let count, count % multiple != 0 {
            throw .invalidValue(
                key: "rows.count", found: "\(count) with rows.multiple: \(multiple)",
                expected: "null or a multiple of rows.multiple")
        }
    }
}
