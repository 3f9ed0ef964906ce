/// What is done to the whole signal before it is cut into frames, in this order.
public struct ConditionConfiguration: Hashable, Sendable {
    /// Whether the mean of the whole clip is subtracted. The mean is needed first, so clips are decoded twice.
    public private(set) var removeDC = false
    /// What the samples of the whole clip are brought to. Most kinds need measurements of the whole clip first, too.
    public private(set) var gain = GainConfiguration.none
    /// An equaliser; nil: none.
    public private(set) var dctFilter: DCTFilterConfiguration?
    /// a in x[n] − a · x[n − 1], 0 (none) to 1.
    public private(set) var preEmphasis = 0.0
    /// What becomes of the clip's first sample, which has none before it; `keep` without pre-emphasis.
    public private(set) var firstSample = FirstSample.keep

    /// The first sample of a clip with pre-emphasis.
    public enum FirstSample: String, CaseIterable, Codable, Sendable {
        /// x[0]
        case keep
        /// It is left out: the clip is a sample shorter, and starts with x[1] − a · x[0].
        case drop
        /// x[0] − a · x[1], the signal mirrored at its first sample; x[0] − a · x[0] of a single sample.
        case reflect
    }

    /// No conditioning, which is the default.
    public static let none = ConditionConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for a number out of range.
    public init(
        removeDC: Bool = none.removeDC, gain: GainConfiguration = none.gain,
        dctFilter: DCTFilterConfiguration? = none.dctFilter, preEmphasis: Double = none.preEmphasis,
        firstSample: FirstSample = none.firstSample
    ) throws(ConfigurationError) {
        (self.removeDC, self.gain, self.dctFilter, self.preEmphasis) = (removeDC, gain, dctFilter, preEmphasis)
        self.firstSample = firstSample
        try gain.validate()
        try validate()
    }
}

extension ConditionConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "condition", "What is done to the whole signal before it is cut into frames, in this order.", standard: none,
        [
            ConfigurationKey(
                "remove_dc", { $1(&$0.removeDC) }, .flag, "Whether the mean of the whole clip is subtracted."),
            ConfigurationKey(
                "gain", { $1(&$0.gain) }, .shortSection,
                "What the samples of the whole clip are brought to: a peak (peak), the range -1 to 1 (minmax), mean "
                    + "0 and variance 1 (zscore), an RMS of 1 (rms), the steps of 16-bit PCM (int16), or a greatest "
                    + "magnitude, by cutting (clamp)."),
            ConfigurationKey(
                "dct_filter", { $1(&$0.dctFilter) }, ValueFormat.section.orNull,
                "A filter in the DCT domain, of pages of 1024 samples; null: none."),
            ConfigurationKey(
                "pre_emphasis", { $1(&$0.preEmphasis) }, .preEmphasis,
                "a in x[n] - a x[n-1]; the clip's first sample: pre_emphasis_first."),
            ConfigurationKey(
                "pre_emphasis_first", { $1(&$0.firstSample) }, .choice, isAlwaysWritten: false,
                "The clip's first sample with pre_emphasis: x[0] (keep), left out, so that the clip is a sample shorter (drop), or "
                    + "x[0] - a x[1] (reflect)."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        try require(
            firstSample == .keep || preEmphasis != 0, "condition.pre_emphasis_first",
            found: "\(firstSample.rawValue) without pre-emphasis", expected: "keep, or condition.pre_emphasis")
    }
}
