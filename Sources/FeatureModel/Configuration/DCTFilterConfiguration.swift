/// A band-pass or band-stop filter in the DCT domain: `condition.dct_filter`.
///
/// The signal is cut into pages of 1024 samples, whose DCT-II is multiplied by an envelope and transformed back. At a
/// sample rate R, the frequency of bin k is k · R/2048 Hz. A band is as sharp as the page: see `DCTFilter` for numbers.
public struct DCTFilterConfiguration: Hashable, Sendable {
    /// Whether the band is kept or removed.
    public private(set) var mode: DCTFilterMode
    /// The lower edge: the first bin with full weight.
    public private(set) var low: FrequencyEdge
    /// The upper edge: the last bin with full weight.
    public private(set) var high: FrequencyEdge
    /// How the signal is cut into pages.
    public private(set) var pages: DCTFilterPages

    /// Samples in a page, and bins of its transform. An edge may also be bin 1024, half the sample rate.
    public static let pageLength = 1024

    /// Checks the values; `bins(at:)` checks what depends on the sample rate.
    ///
    /// - Throws: `ConfigurationError` for an edge that is negative, not finite, or a bin past the last, and for edges of
    ///   the same unit of which the lower is not below the upper.
    public init(
        mode: DCTFilterMode, low: FrequencyEdge, high: FrequencyEdge, pages: DCTFilterPages = .overlapping
    ) throws(ConfigurationError) {
        self.init(unchecked: mode, low, high, pages)
        try validate()
    }

    private init(unchecked mode: DCTFilterMode, _ low: FrequencyEdge, _ high: FrequencyEdge, _ pages: DCTFilterPages) {
        (self.mode, self.low, self.high, self.pages) = (mode, low, high, pages)
    }

    /// The bins nearest to the edges; a narrow band may have both edges in one bin.
    ///
    /// - Parameter sampleRate: In Hz, more than 0.
    /// - Throws: `ConfigurationError` for an edge past half the rate, and where the lower edge is not below the upper.
    public func bins(at sampleRate: Double) throws(ConfigurationError) -> ClosedRange<Int> {
        let half = sampleRate / 2
        let binWidth = half / Double(Self.pageLength)
        func hertz(_ edge: FrequencyEdge) -> Double {
            switch edge {
            case .hertz(let hertz): hertz
            case .bin(let bin): Double(bin) * binWidth
            }
        }
        try require(
            hertz(high) <= half, "\(Self.table.path).high", found: "\(high)",
            expected: "at most half the sample rate, \(FrequencyEdge.hertz(half))")
        guard hertz(low) < hertz(high) else { throw disordered }
        func bin(_ edge: FrequencyEdge) -> Int {
            switch edge {
            case .hertz(let hertz): Int((hertz / binWidth).rounded())
            case .bin(let bin): bin
            }
        }
        return bin(low)...bin(high)
    }

    private var disordered: ConfigurationError {
        let path = Self.table.path
        return .notBelow(key: "\(path).low", found: "\(low)", upperKey: "\(path).high", upper: "\(high)")
    }
}

extension DCTFilterConfiguration: ConfigurationSection {
    private static let standard = DCTFilterConfiguration(unchecked: .bandPass, .bin(0), .bin(0), .overlapping)

    static let table = SectionTable(
        "condition.dct_filter",
        "A band that is kept, or removed. Its lower edge has to lie below its upper, and that at most at half the sample rate.",
        standard: standard,
        [
            ConfigurationKey(
                "mode", { $1(&$0.mode) }, .choice, required: ValueFormat<DCTFilterMode>.choice.allowed,
                "Whether the band is kept (band_pass) or removed (band_stop)."),
            edge(
                "low", { $1(&$0.low) },
                "The lower edge of the band: a frequency, or a bin, which is the sample rate / 2048 wide."),
            edge("high", { $1(&$0.high) }, "The upper edge of the band."),
            ConfigurationKey(
                "pages", { $1(&$0.pages) }, .choice,
                "Whether pages overlap by three quarters and fade into each other, or are separate, which clicks."),
        ])

    private static func edge(
        _ name: String, _ access: @escaping ConfigurationKey<Self>.Access<FrequencyEdge>, _ sentence: String
    ) -> ConfigurationKey<Self> {
        ConfigurationKey(name, access, .edge(upTo: pageLength), required: FrequencyEdge.readable, sentence)
    }

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        let isOrdered =
            switch (low, high) {
            case (.hertz(let low), .hertz(let high)): low < high
            case (.bin(let low), .bin(let high)): low < high
            default: true
            }
        guard isOrdered else { throw disordered }
    }
}

/// Which side of a band's edges a filter removes.
public enum DCTFilterMode: String, CaseIterable, Codable, Sendable {
    /// The band is kept, the rest is removed.
    case bandPass = "band_pass"
    /// The band is removed, the rest is kept.
    case bandStop = "band_stop"
}

/// How a filter in the DCT domain cuts a signal into pages: `condition.dct_filter.pages`.
public enum DCTFilterPages: String, CaseIterable, Codable, Sendable {
    /// A page starts every 256 samples; a Hann window before the transform and after it fades each into the next.
    case overlapping
    /// A page starts every 1024 samples, without a window, as in the program that the filter comes from: a tone clicks
    /// at every boundary of pages.
    case separate

    /// Samples from the start of a page to the start of the next.
    public var hop: Int {
        self == .overlapping ? DCTFilterConfiguration.pageLength / 4 : DCTFilterConfiguration.pageLength
    }
}
