/// What is done to the whole signal before it is cut into frames, in this order.
public struct ConditionConfiguration: Hashable, Sendable {
    /// Whether the mean of the whole clip is subtracted. The mean is needed first, so clips are decoded twice.
    public private(set) var removeDC = false
    /// What the samples of the whole clip are brought to. Most kinds need measurements of the whole clip first, too.
    public private(set) var gain = GainConfiguration.none
    /// An equaliser; nil: none.
    public private(set) var dctFilter: DCTFilterConfiguration?
    /// a in x[n] − a · x[n − 1], 0 (none) to 1; the clip's first sample is not changed.
    public private(set) var preEmphasis = 0.0

    /// No conditioning, which is the default.
    public static let none = ConditionConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for a number out of range.
    public init(
        removeDC: Bool = none.removeDC, gain: GainConfiguration = none.gain,
        dctFilter: DCTFilterConfiguration? = none.dctFilter, preEmphasis: Double = none.preEmphasis
    ) throws(ConfigurationError) {
        (self.removeDC, self.gain, self.dctFilter, self.preEmphasis) = (removeDC, gain, dctFilter, preEmphasis)
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
                "What the samples of the whole clip are brought to: a peak, the range -1 to 1, mean 0 and variance 1, an RMS of 1, "
                    + "or the steps of 16-bit PCM."),
            ConfigurationKey(
                "dct_filter", { $1(&$0.dctFilter) }, ValueFormat.section.orNull,
                "A filter in the DCT domain, of pages of 1024 samples; null: none."),
            ConfigurationKey(
                "pre_emphasis", { $1(&$0.preEmphasis) }, .preEmphasis,
                "a in x[n] - a x[n-1]; the clip's first sample stays as it is."),
        ])
}
