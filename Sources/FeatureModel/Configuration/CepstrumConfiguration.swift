/// Cepstral coefficients: the DCT-II of a filter bank's scaled bands.
public struct CepstrumConfiguration: Hashable, Sendable {
    /// What stands for the coefficient 0.
    public enum Zeroth: String, CaseIterable, Codable, Sendable {
        /// It is the first column.
        case first
        /// It is the last column, as in HTK's `MFCC_0`: c₁ … cₙ c₀.
        case last
        /// The first column is the logarithm of the frame's energy instead, as in Kaldi.
        case energy
        /// It is left out: c₁ … cₙ.
        case none
    }

    /// How the transform is scaled.
    public enum Normalization: String, CaseIterable, Codable, Sendable {
        /// An orthogonal matrix: √(1/bands) for c₀, √(2/bands) for the others. librosa, torchaudio, Kaldi.
        case ortho
        /// √(2/bands) for all, c₀ included. HTK.
        case htk
        /// Plain sums.
        case none
    }

    /// Number of coefficients, that of the order 0 included where there is one. Default: 13.
    public let bins: Int
    /// The filter bank. Default: 23 bands.
    public let bank: MelConfiguration
    /// How the transform is scaled.
    public let norm: Normalization
    /// L in the weight 1 + L/2 · sin(πk/L) of coefficient k; 0: no weights.
    public let lifter: Double
    /// What stands for the coefficient 0.
    public let zeroth: Zeroth
    /// The slopes over time.
    public let deltas: DeltaConfiguration

    /// The greatest `lifter`.
    public static let greatestLifter = 10_000.0

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` for more coefficients than bands, or a lifter out of range.
    public init(
        bins: Int = 13, bank: MelConfiguration, norm: Normalization = .ortho, lifter: Double = 0,
        zeroth: Zeroth = .first, deltas: DeltaConfiguration = .none
    ) throws(ConfigurationError) {
        let most = zeroth == .none ? bank.bins - 1 : bank.bins
        guard bins >= 1, bins <= most else {
            let most = "\(most), which transform.bands (\(bank.bins)) allows"
            throw .invalidValue(key: "transform.bins", found: "\(bins)", expected: "a whole number from 1 to \(most)")
        }
        guard (0...Self.greatestLifter).contains(lifter) else {
            throw .invalidValue(
                key: "transform.lifter", found: "\(lifter)",
                expected: "0 (none) to \(Int(Self.greatestLifter))")
        }
        self.bins = bins
        self.bank = bank
        self.norm = norm
        self.lifter = lifter
        self.zeroth = zeroth
        self.deltas = deltas
    }

    /// The same of a bank that `MelConfiguration.resolved(at:)` gives.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> CepstrumConfiguration {
        try CepstrumConfiguration(
            bins: bins, bank: bank.resolved(at: sampleRate), norm: norm, lifter: lifter, zeroth: zeroth, deltas: deltas)
    }

    /// The order of the coefficient in each column, deltas left out.
    public var orders: [Int] {
        switch zeroth {
        case .first, .energy: Array(0..<bins)
        case .last: Array(1..<bins) + [0]
        case .none: Array(1...bins)
        }
    }
}

extension CepstrumConfiguration {
    private static let ownKeys = ["dct_norm", "lifter", "c0"] + DeltaConfiguration.keys
    static let keys = ["bins", "bands"] + MelConfiguration.keys + ownKeys
    static let linearKeys = ["bins", "bands"] + MelConfiguration.linearKeys + ownKeys

    init(_ section: SectionReader, isLinear: Bool) throws {
        try self.init(
            bins: section.value("bins", default: 13, expected: "a whole number from 1"),
            bank: MelConfiguration(section, bands: "bands", default: 23, isLinear: isLinear),
            norm: section.choice("dct_norm", default: .ortho),
            lifter: section.number(
                "lifter", default: 0, expected: "0 (none) to \(Int(Self.greatestLifter))",
                where: { (0...Self.greatestLifter).contains($0) }),
            zeroth: section.choice("c0", default: .first), deltas: DeltaConfiguration(section))
    }

    func encode(to container: inout KeyedEncodingContainer<AnyCodingKey>, isLinear: Bool) throws {
        try container.encode(bins, forKey: AnyCodingKey("bins"))
        try container.encode(bank.bins, forKey: AnyCodingKey("bands"))
        try bank.encode(to: &container, isLinear: isLinear)
        try container.encode(norm, forKey: AnyCodingKey("dct_norm"))
        try container.encode(lifter, forKey: AnyCodingKey("lifter"))
        try container.encode(zeroth, forKey: AnyCodingKey("c0"))
        try deltas.encode(to: &container)
    }
}
