/// Everything that determines a clip's features: a section for each processing step.
///
/// A value of this type is valid; what depends on the sample rate is checked once the rate is known.
public struct FeatureConfiguration: Hashable, Sendable {
    /// Version of the format, in a configuration's key `version`.
    public static let formatVersion = 1

    /// From a recording to one signal.
    public let audio: AudioConfiguration
    /// Processing of the whole signal.
    public let condition: ConditionConfiguration
    /// From the signal to frames.
    public let frame: FrameConfiguration
    /// From a frame to values.
    public let transform: TransformConfiguration
    /// The unit of the values.
    public let scale: ScaleConfiguration
    /// The range of the values.
    public let normalize: NormalizeConfiguration
    /// How many rows a clip has.
    public let rows: RowsConfiguration
    /// How they are grouped.
    public let patches: PatchesConfiguration
    /// How they are stored.
    public let store: StoreConfiguration

    /// Checks the sections against one another; where `audio.sampleRate` is known, times become samples.
    ///
    /// - Throws: `ConfigurationError` where the sections contradict each other at the configured sample rate.
    public init(
        audio: AudioConfiguration, condition: ConditionConfiguration = .none,
        frame: FrameConfiguration, transform: TransformConfiguration, scale: ScaleConfiguration,
        normalize: NormalizeConfiguration = .standard, rows: RowsConfiguration = .standard,
        patches: PatchesConfiguration = .standard, store: StoreConfiguration = .standard
    ) throws(ConfigurationError) {
        try self.init(
            audio: audio, condition: condition, frame: frame, transform: transform, scale: scale, normalize: normalize,
            rows: rows, patches: patches, store: store, isResolved: true)
    }

    /// - Parameter isResolved: Whether times, and values that follow the sample rate, become numbers where the rate is known.
    ///   False: as printed, to be read again at another rate.
    init(
        audio: AudioConfiguration, condition: ConditionConfiguration = .none,
        frame: FrameConfiguration, transform: TransformConfiguration, scale: ScaleConfiguration,
        normalize: NormalizeConfiguration = .standard, rows: RowsConfiguration = .standard,
        patches: PatchesConfiguration = .standard, store: StoreConfiguration = .standard,
        isResolved: Bool
    ) throws(ConfigurationError) {
        let sampleRate = audio.sampleRate.map(Double.init)
        self.audio = audio
        self.condition = condition
        self.frame = isResolved ? try frame.resolved(at: sampleRate) : frame
        self.transform = isResolved ? try transform.resolved(at: sampleRate) : transform
        self.scale = scale
        self.normalize = normalize
        self.rows = rows
        self.patches = patches
        self.store = store
        try checkBank()
        try checkCepstrum()
        try checkScale()
        try checkWindow()
        try require(
            store.layout != .fixed || audio.duration != nil || rows.count != nil, "store.layout",
            found: "fixed without audio.duration",
            expected: "packed, or audio.duration set to the length in s that all clips share, or rows.count")
        try checkFill()
        try checkPatches()
        try checkResizing()
        if let sampleRate = audio.sampleRate { _ = try shape(at: Double(sampleRate)) }
    }

    /// The configuration with other sections.
    ///
    /// - Parameters:
    ///   - frame: The frames; nil: as they are.
    ///   - normalize: The normalisation; nil: as it is.
    /// - Throws: `ConfigurationError` where the sections contradict each other.
    package func with(
        frame: FrameConfiguration? = nil, normalize: NormalizeConfiguration? = nil
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: audio, condition: condition, frame: frame ?? self.frame, transform: transform, scale: scale,
            normalize: normalize ?? self.normalize, rows: rows, patches: patches, store: store)
    }

    /// The rows that are added.
    private func checkFill() throws(ConfigurationError) {
        guard rows.fill != 0 || rows.fillsWithLeast else { return }
        try require(
            store.layout != .fixed || addsRowsEarly, "rows.fill",
            found: "\(fillText) with store.layout: fixed",
            expected: "0, which the rest of a block holds, or rows.fill_order: before")
        if store.element == .float16, abs(rows.fill) > 65_504 {
            throw .invalidValue(
                key: "rows.fill", found: "\(rows.fill.shortText) with store.type: float16",
                expected: "a number from -65504 to 65504")
        }
    }

    /// The value of rows that are added, as it is written.
    private var fillText: String { rows.fillsWithLeast ? "min" : rows.fill.shortText }

    /// Zeros complete the last patch of a clip that keeps its length.
    private func checkPatches() throws(ConfigurationError) {
        try require(
            patches.length == nil || audio.channels != .all, "patches.length",
            found: "\(patches.length ?? 0) with audio.channels: all",
            expected: "null, or mix, first or a number for audio.channels")
        try require(
            patches.lead == 0 || patches.rest != .zeros, "patches.lead",
            found: "\(patches.lead) with patches.rest: zeros",
            expected: "0, or patches.rest: drop, fill or repeat")
        if patches.rest == .zeros, audio.duration != nil || rows.isActive {
            throw .invalidValue(
                key: "patches.rest", found: "zeros with audio.duration, rows.count or rows.multiple",
                expected: "drop or fill: those keys already decide the number of rows")
        }
        if let count = rows.count, patches.length != nil, patches.count(count) == 0 {
            throw .invalidValue(
                key: "patches.length", found: "\(patches.length ?? 0) with rows.count: \(count)",
                expected: "at most rows.count, or patches.rest: fill")
        }
        let hasFill = rows.fill != 0 || rows.fillsWithLeast
        guard hasFill || rows.fillOrder != .after, !rows.isActive else { return }
        try require(
            patches.rest == .fill && rows.fillOrder == .after, hasFill ? "rows.fill" : "rows.fill_order",
            found: "\(hasFill ? fillText : rows.fillOrder.rawValue) without rows that are added",
            expected: hasFill
                ? "0, or rows.count, rows.multiple or patches.rest: fill as well"
                : "after, or rows.count or rows.multiple as well")
    }

    /// Whether rows are added before normalisation, and count in the statistics.
    public var addsRowsEarly: Bool { rows.isActive && rows.fillOrder == .before }

    /// Seconds from the start of a clip to the start of the part that is kept (`audio.crop: center`), to half a sample.
    ///
    /// - Parameters:
    ///   - duration: The clip's length in s.
    ///   - sampleRate: The rate of its recording, in Hz.
    package func cropOffset(duration: Double, sampleRate: Int) -> Double {
        guard audio.crop == .center, let kept = audio.duration else { return 0 }
        let rate = Double(audio.sampleRate ?? sampleRate)
        let excess = (duration * rate).rounded() - max((kept * rate).rounded(), 1)
        return max((excess / 2).rounded(.down), 0) / rate
    }

    /// The bands of linear-frequency coefficients are evenly spaced in Hz; their section has no keys for anything else.
    private func checkBank() throws(ConfigurationError) {
        guard case .lfcc(let cepstrum) = transform.method else { return }
        let bank = cepstrum.bank
        try require(
            bank.scale == .linear && bank.norm == .none && bank.triangles == .hertz, "transform.kind",
            found: "lfcc of bands with mel_scale \(bank.scale.rawValue), mel_norm \(bank.norm.rawValue), "
                + "triangles \(bank.triangles.rawValue)",
            expected: "mel_scale linear, mel_norm none, triangles hertz; or mfcc")
    }

    /// Cepstra are made of rising bands.
    private func checkCepstrum() throws(ConfigurationError) {
        guard let bank = transform.cepstrum?.bank, bank.order != .ascending else { return }
        throw .invalidValue(
            key: "transform.order", found: "\(bank.order.rawValue) with transform.kind: \(transform.kind.rawValue)",
            expected: "ascending, or transform.kind: mel")
    }

    /// Samples that are stored themselves pass no window.
    private func checkWindow() throws(ConfigurationError) {
        guard transform == .raw, frame.window != .rectangular else { return }
        throw .invalidValue(
            key: "frame.window", found: "\(frame.window.kind.rawValue) with transform.kind: raw",
            expected: "rectangular: the samples stay as they are")
    }

    /// The kinds of scale that are defined for the transform.
    private func checkScale() throws(ConfigurationError) {
        let allowed: [ScaleConfiguration.Kind] =
            switch transform.method {
            case .fft: ScaleConfiguration.Kind.allCases.filter { $0 != .linear }
            case .dct: ScaleConfiguration.Kind.allCases.filter { $0 != .complex }
            case .mel: ScaleConfiguration.Kind.allCases.filter { $0 != .linear && $0 != .complex }
            case .mfcc, .lfcc, .musical: [.magnitude, .power, .db, .ln, .log10]
            case .raw: [.linear]
            }
        try require(
            allowed.contains(scale.kind), "scale.kind",
            found: "\(scale.kind.rawValue) with transform.kind: \(transform.kind.rawValue)",
            expected: "one of " + allowed.map(\.rawValue).joined(separator: ", ") + " for this transform")
    }

    /// The frames in samples and the number of values in a row, at a sample rate in Hz.
    ///
    /// - Throws: `ConfigurationError` where frame, transform and sample rate are incompatible.
    public func shape(at sampleRate: Double) throws(ConfigurationError) -> (geometry: FrameGeometry, bins: Int) {
        let geometry = try frame.geometry(at: sampleRate)
        _ = try condition.dctFilter?.bins(at: sampleRate)
        try transform.bank?.check(at: sampleRate)
        if case .musical(let musical) = transform.method {
            try musical.check(at: sampleRate, fftLength: geometry.fftLength)
        }
        let bins = try transform.bins(
            frameLength: geometry.length, fftLength: geometry.fftLength, sampleRate: sampleRate)
        let columns = rows.resizeBins ?? columns(ofBins: bins)
        try checkConstants(columns: columns)
        return (geometry, columns)
    }

    /// Whether columns of stacked rows have constants of their own, so that they are normalised once they are stacked.
    public func normalizesStackedRows(columns: Int) -> Bool {
        guard let count = normalize.constantColumns, let patch = patches.shape, patch.isStacked else { return false }
        return count != columns && count == columns * patch.length
    }

    /// Constants of columns: one for each column of a row, or of a stacked row.
    private func checkConstants(columns: Int) throws(ConfigurationError) {
        if normalizesStackedRows(columns: columns) {
            // Rows that are added hold their value in stacked rows, too.
            return try require(
                patches.rest != .fill && (!rows.isActive || addsRowsEarly), "normalize.mean",
                found: "constants of stacked rows with rows that are added after normalisation",
                expected:
                    "patches.rest: drop or repeat, without rows.count and rows.multiple, or with rows.fill_order: before"
            )
        }
        guard let count = normalize.constantColumns, count != columns else { return }
        let stacked = patches.shape.flatMap { $0.isStacked ? columns * $0.length : nil }
        throw .invalidValue(
            key: "normalize.\(normalize.mean?.count != nil ? "mean" : "std")", found: "a list of \(count)",
            expected: "a number, or a list of \(columns), a number for each column"
                + (stacked.map { ", or of \($0), one for each column of a stacked row" } ?? ""))
    }

    /// The unit of a value before normalisation, for an axis or an attribute.
    public var units: String {
        let unit =
            transform.bank?.spectrum == .magnitude ? scale.units.replacing("power", with: "magnitude") : scale.units
        return transform.cepstrum == nil ? unit : "cepstrum of \(unit)"
    }

    /// The unit of a stored value, normalisation included, for an axis or an attribute.
    public var storedUnits: String {
        switch normalize.scope {
        case .none: return units
        case .constant: return "normalised \(units)"
        case .clip, .dataset: break
        }
        return "\(normalize.method.rawValue) of \(units)"
    }
}

extension FeatureConfiguration {
    /// Reads a configuration written by a person; a missing section or key has the default of the preset `log-mel`.
    ///
    /// - Parameter isResolved: Whether times, and values that follow the sample rate, become numbers where the rate is known.
    /// - Throws: `ConfigurationError` for an unknown key and a refused value.
    package init(_ value: ConfigurationValue, isResolved: Bool = true) throws(ConfigurationError) {
        let known = ["version", "extends"] + ConfigurationKeys.topPaths
        guard let entries = value.entries else {
            throw .invalidValue(
                key: "(top level)", found: value.found,
                expected: "a mapping with the keys \(known.joined(separator: ", "))")
        }
        if let key = entries.map(\.key).filter({ !known.contains($0) }).min() {
            throw ConfigurationKeys.unknown(key, in: "", known: known)
        }
        if let extended = value["extends"], !extended.isNull {
            throw .invalidValue(
                key: "extends", found: extended.found,
                expected: "nothing here: give a preset by --preset; only a file that --config names may extend one")
        }
        if let version = value["version"], !version.isNull, version.whole != Self.formatVersion {
            throw .invalidValue(key: "version", found: version.found, expected: "\(Self.formatVersion)")
        }
        func section<Section: ConfigurationSection>(_ standard: Section) throws(ConfigurationError) -> Section {
            guard let section = value[Section.table.path], !section.isNull else { return standard }
            return try Section.table.read(section)
        }
        try self.init(
            audio: section(.standard), condition: section(.none),
            frame: section(FrameConfiguration.standard.withStoredFFTLength()),
            transform: section(.mel(.standard)), scale: section(.standard), normalize: section(.standard),
            rows: section(.standard), patches: section(.standard), store: section(.standard), isResolved: isResolved)
    }

    /// Every section with every key.
    package var value: ConfigurationValue {
        func section<Section: ConfigurationSection>(_ section: Section) -> ConfigurationValue.Entry {
            .init(key: Section.table.path, value: Section.table.write(section))
        }
        return .mapping([
            .init(key: "version", value: .whole(Self.formatVersion)), section(audio), section(condition),
            section(frame), section(transform), section(scale), section(normalize), section(rows), section(patches),
            section(store),
        ])
    }
}

extension FeatureConfiguration: Codable {
    /// Reads a configuration; a missing section or key has the default of the preset `log-mel`.
    public init(from decoder: any Decoder) throws { try self.init(ConfigurationValue(from: decoder)) }

    /// Writes every section with every key.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
