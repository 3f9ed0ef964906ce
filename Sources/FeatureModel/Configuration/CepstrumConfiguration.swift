/// Cepstral coefficients: the DCT-II of a filter bank's scaled bands.
public struct CepstrumConfiguration: Hashable, Sendable {
    /// Which column holds coefficient 0.
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

    /// Where the energy of a frame is measured.
    public enum Energy: String, CaseIterable, Codable, Sendable {
        /// Of its samples without their mean, before pre-emphasis and window.
        case raw
        /// Of what is transformed, after both.
        case windowed
    }

    /// Whose weights `lifter` gives.
    public enum LifterForm: String, CaseIterable, Codable, Sendable {
        /// 1 + L/2 · sin(πk/L) for coefficient k: c₀ has the weight 1.
        case htk
        /// 1 + L/2 · sin(π(k + 1)/L).
        case librosa
    }

    /// Number of coefficients, with that of order 0 where there is one.
    public private(set) var bins = 13
    /// The filter bank.
    public private(set) var bank: MelConfiguration
    /// How the transform is scaled.
    public private(set) var norm = Normalization.ortho
    /// L in the weight 1 + L/2 · sin(πk/L) of coefficient k; 0: no weights.
    public private(set) var lifter = 0.0
    /// Whether k counts from 0 or from 1.
    public private(set) var lifterForm = LifterForm.htk
    /// Which column holds coefficient 0.
    public private(set) var zeroth = Zeroth.first
    /// Where the energy is measured, if that is coefficient 0.
    public private(set) var energy = Energy.raw
    /// What an energy is raised to before its logarithm, at the scale of the samples, squared; 0: `scale.floor` alone raises it.
    public private(set) var energyFloor = 0.0
    /// The slopes over time.
    public private(set) var deltas = DeltaConfiguration.none

    /// The upper bound of `lifter`.
    public static let maximumLifter = 10_000.0

    /// The defaults of `transform.kind: mfcc`.
    public static let standard = CepstrumConfiguration(.ofCepstra)
    /// The defaults of `transform.kind: lfcc`.
    static let linear = CepstrumConfiguration(.ofLinearCepstra)

    private init(_ bank: MelConfiguration) { self.bank = bank }

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for more coefficients than bands, or a lifter out of range.
    public init(
        bins: Int = standard.bins, bank: MelConfiguration, norm: Normalization = standard.norm,
        lifter: Double = standard.lifter, zeroth: Zeroth = standard.zeroth,
        deltas: DeltaConfiguration = standard.deltas,
        lifterForm: LifterForm = standard.lifterForm, energy: Energy = standard.energy,
        energyFloor: Double = standard.energyFloor
    ) throws(ConfigurationError) {
        (self.bins, self.bank, self.norm) = (bins, bank, norm)
        (self.lifter, self.lifterForm, self.zeroth, self.deltas) = (lifter, lifterForm, zeroth, deltas)
        (self.energy, self.energyFloor) = (energy, energyFloor)
        try validate()
    }

    /// The same with its bank resolved: see `MelConfiguration.resolved(at:)`.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> CepstrumConfiguration {
        var resolved = self
        resolved.bank = try bank.resolved(at: sampleRate)
        return resolved
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
    static let keys = keys(bank: MelConfiguration.keys)
    static let linearKeys = keys(bank: MelConfiguration.linearKeys)

    private static func keys(bank: [ConfigurationKey<MelConfiguration>]) -> [ConfigurationKey<Self>] {
        func ofBank(_ keys: [ConfigurationKey<MelConfiguration>], as name: String? = nil) -> [ConfigurationKey<Self>] {
            keys.within(as: name, part: { $0.bank }, replace: { $0.bank = $1 })
        }
        let coefficients = ValueFormat<Int>(
            .whole(MelConfiguration.bandCounts), "a whole number from 1 to transform.bands",
            read: { value, _ in value.whole },
            write: { .whole($0) })
        let bins = ConfigurationKey<Self>(
            "bins", { $1(&$0.bins) }, coefficients,
            "Number of coefficients, c0 included where there is one; at most bands, and one less with c0: none.")
        let own = [
            ConfigurationKey<Self>(
                "dct_norm", { $1(&$0.norm) }, .choice,
                "The DCT-II of the bands: orthogonal (ortho), sqrt(2/bands) for every coefficient (htk), or plain sums (none)."
            ),
            ConfigurationKey(
                "lifter", { $1(&$0.lifter) },
                ValueFormat.number(0...maximumLifter, "0 (none) to \(Int(maximumLifter))").strict,
                "L in the weight 1 + L/2 sin(pi k/L) of coefficient k; 0: no weights."),
            ConfigurationKey(
                "lifter_form", { $1(&$0.lifterForm) }, .choice, isAlwaysWritten: false,
                "The weights of lifter: those of HTK and Kaldi (htk), or sin(pi (k + 1)/L) as in librosa."),
            ConfigurationKey(
                "c0", { $1(&$0.zeroth) }, .choice,
                "Coefficient 0: the first column (first), the last (last), the first, as the logarithm of the frame's "
                    + "energy (energy), or left out (none)."),
            ConfigurationKey(
                "energy", { $1(&$0.energy) }, .choice, isAlwaysWritten: false,
                "For c0 energy: the energy before pre-emphasis and window (raw), or after both (windowed), as Kaldi's "
                    + "raw-energy=false."),
            ConfigurationKey(
                "energy_floor", { $1(&$0.energyFloor) },
                .number(0...1e12, "a number from 0 to 1e12", readable: "a number"), isAlwaysWritten: false,
                "For c0 energy: the least energy that the logarithm sees, as Kaldi's energy-floor; 0: scale.floor "
                    + "alone limits it."),
        ]
        return [bins] + ofBank([MelConfiguration.bands], as: "bands") + ofBank(bank) + own
            + DeltaConfiguration.keys.within(part: { $0.deltas }, replace: { $0.deltas = $1 })
    }

    func validate() throws(ConfigurationError) {
        try Self.keys.check(self, in: TransformConfiguration.path)
        try bank.validate()
        try require(
            lifterForm == .htk || lifter > 0, "transform.lifter_form", found: "\(lifterForm.rawValue) without a lifter",
            expected: "htk, or transform.lifter")
        try require(
            energy == .raw || zeroth == .energy, "transform.energy",
            found: "\(energy.rawValue) with transform.c0: \(zeroth.rawValue)", expected: "raw, or transform.c0: energy")
        try require(
            energyFloor == 0 || zeroth == .energy, "transform.energy_floor",
            found: "\(energyFloor.shortText) with transform.c0: \(zeroth.rawValue)",
            expected: "0, or transform.c0: energy")
        let limit = zeroth == .none ? bank.bins - 1 : bank.bins
        try require(
            bins >= 1 && bins <= limit, "transform.bins", found: "\(bins)",
            expected: "a whole number from 1 to \(limit), which transform.bands (\(bank.bins)) allows")
    }
}

/// Slopes over time, appended as columns.
///
/// d[t] = Σ θ · (c[t+θ] − c[t−θ]) / 2 Σ θ², θ = 1 … window, the first and the last row repeated past the ends (The HTK
/// Book, 5.9); the second order is the same of the first.
public struct DeltaConfiguration: Hashable, Sendable {
    /// 0: none; 1: deltas; 2: deltas and delta-deltas.
    public private(set) var order = 0
    /// Rows to each side of a slope.
    public private(set) var window = 2

    /// The longest window, in rows.
    public static let maximumWindow = 100

    /// No deltas, which is the default.
    public static let none = DeltaConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for an order beyond 2 or a window out of range.
    public init(order: Int = none.order, window: Int = none.window) throws(ConfigurationError) {
        (self.order, self.window) = (order, window)
        try Self.keys.check(self, in: TransformConfiguration.path)
    }

    static let keys = [
        ConfigurationKey<Self>(
            "deltas", { $1(&$0.order) }, .whole(0...2),
            "Slopes over time, in columns after the values: none, first order, first and second."),
        ConfigurationKey(
            "delta_window", { $1(&$0.window) }, .whole(1...maximumWindow), unit: "rows",
            "Rows to each side that a slope is taken over."),
    ]
}
