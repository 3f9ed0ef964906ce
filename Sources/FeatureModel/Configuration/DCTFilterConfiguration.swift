/// A band-pass or band-stop filter in the DCT domain: `condition.dct_filter`.
///
/// The signal is cut into pages of 1024 samples, whose DCT-II is multiplied by an envelope and transformed back. At a
/// sample rate R, bin k stands for k · R/2048 Hz. A band is as sharp as the page: see `DCTFilter` for figures.
public struct DCTFilterConfiguration: Hashable, Sendable {
    /// Whether the band stays or goes.
    public let mode: DCTFilterMode
    /// The lower edge: from this bin on the band counts in full.
    public let low: FrequencyEdge
    /// The upper edge: up to this bin the band counts in full.
    public let high: FrequencyEdge
    /// How the signal is cut into pages.
    public let pages: DCTFilterPages

    /// Samples in a page, and bins of its transform; bin 1024, half the sample rate, is none of them, but may be an edge.
    public static let pageLength = 1024

    /// Where the section stands in a configuration.
    static let path = "condition.dct_filter"

    /// Checks what can be without a sample rate, and keeps the values; `bins(at:)` checks the rest.
    ///
    /// - Throws: `ConfigurationError` for an edge that is negative, not finite, or a bin past the last, and for edges of
    ///   the same unit of which the lower is not the lower one.
    public init(
        mode: DCTFilterMode, low: FrequencyEdge, high: FrequencyEdge, pages: DCTFilterPages = .overlapping
    ) throws(ConfigurationError) {
        for (key, edge) in [("low", low), ("high", high)] {
            let isAllowed =
                switch edge {
                case .hertz(let hertz): hertz.isFinite && hertz >= 0
                case .bin(let bin): (0...Self.pageLength).contains(bin)
                }
            guard isAllowed else {
                throw .invalidValue(
                    key: "\(Self.path).\(key)", found: "\(edge)",
                    expected: "a frequency from 0 Hz, or 0 to \(Self.pageLength) bins")
            }
        }
        let isOrdered =
            switch (low, high) {
            case (.hertz(let low), .hertz(let high)): low < high
            case (.bin(let low), .bin(let high)): low < high
            default: true
            }
        guard isOrdered else { throw Self.disordered(low, high) }
        self.mode = mode
        self.low = low
        self.high = high
        self.pages = pages
    }

    /// The bins nearest to the edges; a narrow band may have both edges in one bin.
    ///
    /// - Parameter sampleRate: In Hz, more than 0.
    /// - Throws: `ConfigurationError` for an edge past half the rate, and where the lower edge is not the lower one.
    public func bins(at sampleRate: Double) throws(ConfigurationError) -> ClosedRange<Int> {
        let half = sampleRate / 2
        let binWidth = half / Double(Self.pageLength)
        func hertz(_ edge: FrequencyEdge) -> Double {
            switch edge {
            case .hertz(let hertz): hertz
            case .bin(let bin): Double(bin) * binWidth
            }
        }
        guard hertz(high) <= half else {
            throw .invalidValue(
                key: "\(Self.path).high", found: "\(high)",
                expected: "at most half the sample rate, \(FrequencyEdge.hertz(half))")
        }
        guard hertz(low) < hertz(high) else { throw Self.disordered(low, high) }
        func bin(_ edge: FrequencyEdge) -> Int {
            switch edge {
            case .hertz(let hertz): Int((hertz / binWidth).rounded())
            case .bin(let bin): bin
            }
        }
        return bin(low)...bin(high)
    }

    private static func disordered(_ low: FrequencyEdge, _ high: FrequencyEdge) -> ConfigurationError {
        .invalidValue(key: "\(path).low", found: "\(low)", expected: "less than \(path).high, \(high)")
    }
}

extension DCTFilterConfiguration: Codable {
    private static let keys = ["mode", "low", "high", pagesKey]

    /// The key that files made by version 0.1 do not have.
    public static let pagesKey = "pages"

    /// Reads the section, in which `mode`, `low` and `high` have to be there.
    ///
    /// Without `pages` they are separate: version 0.1 knew no others, and what its files hold must not be mixed with what
    /// another filter makes. Whoever reads what a person wrote fills in `overlapping` first, as `ConfigurationFiles` does.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        let modes = "one of " + DCTFilterMode.allCases.map(\.rawValue).joined(separator: ", ")
        guard section.has("mode") else { throw section.invalid("mode", expected: modes) }
        func edge(_ key: String) throws -> FrequencyEdge {
            let expected = "a frequency in Hz, or a text such as 300 Hz, 3.4 kHz or 20 bins"
            guard section.has(key) else { throw section.invalid(key, expected: expected) }
            return try section.value(key, default: .bin(0), expected: expected)
        }
        try self.init(
            mode: section.choice("mode", default: .bandPass), low: edge("low"), high: edge("high"),
            pages: section.choice(Self.pagesKey, default: .separate))
    }

    /// Writes every key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(mode, forKey: AnyCodingKey("mode"))
        try container.encode(low, forKey: AnyCodingKey("low"))
        try container.encode(high, forKey: AnyCodingKey("high"))
        try container.encode(pages, forKey: AnyCodingKey(Self.pagesKey))
    }
}
