import AudioDecoding
import ClipSpool
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// What clips were made from, and by what: those of a run, of a spool or a shard, or of a feature file.
///
/// A spool keeps it as JSON, without what is applied when the file is assembled.
struct Provenance: Codable, Equatable {
    /// The configuration as JSON.
    let configuration: String
    /// `ClipRecords.version`; nil: of a program before there was one.
    private let records: Int?
    /// SHA-256 of the manifest, hexadecimal.
    let manifest: String
    /// SHA-256 of the corrections of the manifest, hexadecimal; nil: there are none.
    let corrections: String?
    /// What quotation marks in the manifest mean if the bytes allow two readings; nil: the default.
    var manifestQuoting: String?
    /// Number of the manifest's clips; nil: not known.
    private let clips: Int?
    /// Sample rate in Hz at which features are computed; nil: not known.
    private let sampleRate: Double?
    /// The channels of every clip, with `audio.channels: all`.
    private let channels: Int?
    /// Versions of the software, as JSON.
    private let software: String
    /// `--truncated`, if not the default.
    private let truncated: String?
    /// `--non-finite`, if not the default.
    private let nonFinite: String?
    /// SHA-256 of the annotations of `--frame-labels`; nil: frames have no labels.
    private let annotations: String?
    /// `metadata_xxh3` of the file whose clips are copied; nil: none.
    var base: String?
    /// Whose statistics normalise; nil: not known.
    private var statistics: StatisticsFile? = nil
    /// The columns and the times of frames; nil: not known.
    private var signals: Signals? = nil
    /// What other kinds of machine have computed, in words; nil: nothing.
    private var mixed: String? = nil
    /// The name of something that no run writes; nil: there is nothing.
    private var foreign: String? = nil

    private enum CodingKeys: String, CodingKey {
        case configuration, records, manifest, manifestQuoting, clips, sampleRate, channels, software, truncated,
            nonFinite
        case annotations, base, corrections
    }

    /// What rows and columns of features are of.
    private struct Signals: Equatable {
        let axis: FeatureAxis
        let channels: Int?
        let (framePeriod, firstFrameTime): (Double, Double)
        /// Rate of the first recording in Hz, where features are at that of the recordings; nil: they are not, or there is none.
        let rate: Double?

        /// Whether rows of both have the same columns and times, and recordings of the same rate where that decides.
        func agrees(with older: Signals) -> Bool {
            axis == older.axis && channels == older.channels && framePeriod == older.framePeriod
                && firstFrameTime == older.firstFrameTime
                && (rate == nil || older.rate == nil || rate == older.rate)
        }
    }

    /// The file whose statistics normalise.
    private struct StatisticsFile: Equatable {
        /// Its `metadata_xxh3`; empty: they are the clips' own.
        let checksum: String
        /// Its path, if it was given.
        let path: String?
    }

    /// That of an extraction's run.
    ///
    /// - Parameter mixed: What the file would say of other machines; nil: nothing.
    init(_ extraction: Extraction, mixed: String? = nil) {
        let (source, plan, options) = (extraction.source, extraction.plan, extraction.options)
        self.init(
            configuration: extraction.configuration, source: source.sha256, corrections: source.correctionsSHA256,
            clips: source.clipCount, plan,
            policy: options.policy, ffmpeg: options.ffmpegVersion, annotations: options.frameAnnotations?.sha256)
        manifestQuoting = Self.quoting(source)
        statistics = StatisticsFile(checksum: options.statistics?.source ?? "", path: options.statistics?.path)
        signals = Signals(
            axis: plan.axis, channels: plan.channelAxis, framePeriod: plan.framePeriod,
            firstFrameTime: plan.firstRowTime,
            rate: plan.configuration.audio.sampleRate == nil ? plan.sampleRate : nil)
        self.mixed = mixed
    }

    /// That of a run with a stream, which is its own manifest: its recordings are compared one by one.
    init(configuration: String, stream: String, plan: FeaturePlan, policy: RecordingPolicy, ffmpeg: String?) {
        self.init(
            configuration: configuration, source: stream, corrections: nil, clips: nil, plan, policy: policy,
            ffmpeg: ffmpeg,
            annotations: nil)
    }

    private init(
        configuration: String, source: String, corrections: String?, clips: Int?, _ plan: FeaturePlan,
        policy: RecordingPolicy,
        ffmpeg: String?, annotations: String?
    ) {
        (self.configuration, records, self.clips) = (configuration, ClipRecords.version, clips)
        (manifest, self.corrections) = (source, corrections)
        sampleRate = plan.sampleRate
        channels = plan.channelAxis
        software = SoftwareVersions.json(plan, ffmpeg: ffmpeg)
        (truncated, nonFinite) = Self.texts(policy)
        self.annotations = annotations
    }

    /// That of a feature file.
    ///
    /// - Parameters:
    ///   - source: A manifest, which is read again if a file of it may have been read otherwise.
    ///   - grows: Whether clips are added to it, so that columns, times and everything else in it have to fit.
    /// - Throws: `StorageError`, `ManifestError`.
    init(_ file: FeatureReader, source: any ClipSource, grows: Bool = false) throws {
        (configuration, records, manifest) = (file.configuration, ClipRecords.version, file.manifestChecksum)
        corrections = file.correctionsChecksum.isEmpty ? nil : file.correctionsChecksum
        (clips, sampleRate, channels) = (nil, nil, nil)
        software = file.software
        (truncated, nonFinite) = Self.texts(file.policy)
        annotations = file.annotationsChecksum.isEmpty ? nil : file.annotationsChecksum
        statistics = StatisticsFile(checksum: file.statisticsSource, path: nil)
        mixed = SoftwareVersions.mixture(in: file.software)
        let own = Self.quoting(source)
        // Clips that are added are compared one by one.
        let isReadAlike = try grows || manifest != source.sha256 || ManifestReading.isSame(file, source)
        manifestQuoting = isReadAlike ? own : own == nil ? ManifestFormat.Quoting.csv.rawValue : nil
        guard grows else { return }
        foreign = try file.foreignNames().first
        signals = Signals(
            axis: file.axis, channels: file.shape.channels, framePeriod: file.framePeriod,
            firstFrameTime: file.firstFrameTime,
            rate: try file.clips(0..<min(1, file.clipCount)).first.map { Double($0.sampleRate) })
    }

    /// That stored in a spool; nil: the text is not one.
    init?(json: String) {
        guard let found = try? JSONDecoder().decode(Provenance.self, from: Data(json.utf8)), found.sampleRate != nil
        else { return nil }
        self = found
    }

    private static func texts(_ policy: RecordingPolicy) -> (truncated: String?, nonFinite: String?) {
        (
            policy.truncated == .fail ? nil : policy.truncated.rawValue,
            policy.nonFinite == .fail ? nil : policy.nonFinite.rawValue
        )
    }

    private static func quoting(_ source: any ClipSource) -> String? {
        source.ambiguousQuoting == .csv ? ManifestFormat.Quoting.csv.rawValue : nil
    }
}

extension Provenance {
    /// The differences between existing clips and those of this run. The clips may be used only if there are none.
    ///
    /// - Parameters:
    ///   - other: That of the clips.
    ///   - tolerance: What does not matter for this use.
    func differences(from other: Provenance, tolerance: Tolerance) -> [Difference] {
        var found: [Difference] = []
        func compare<Value: Equatable>(_ before: Value?, _ now: Value?, _ difference: (Value, Value) -> Difference) {
            if let before, let now, before != now { found.append(difference(before, now)) }
        }
        if let name = other.foreign { found.append(.foreign(name)) }
        let computed = (before: Self.Computed(other.configuration), now: Self.Computed(configuration))
        found += differences(inSettingsOf: other.configuration) {
            !tolerance.forgivesLateSettings || !Self.isAppliedLate($0, computed.before, computed.now)
        }
        if records != other.records { found.append(.records) }
        if base != other.base { found.append(.base(before: other.base != nil, now: base != nil)) }
        if manifest != other.manifest { found.append(.manifest(before: other.clips, now: clips)) }
        if corrections != other.corrections {
            found.append(.corrections(before: other.corrections != nil, now: corrections != nil))
        }
        compare(other.manifestQuoting ?? "literal", manifestQuoting ?? "literal") { .quoting(before: $0, now: $1) }
        if annotations != other.annotations {
            found.append(.labels(before: other.annotations != nil, now: annotations != nil))
        }
        if let statistics, let before = other.statistics, statistics.checksum != before.checksum {
            found.append(.statistics(given: statistics.path))
        }
        compare(other.truncated ?? Self.usual.truncated, truncated ?? Self.usual.truncated) {
            .truncated(before: $0, now: $1)
        }
        compare(other.nonFinite ?? Self.usual.nonFinite, nonFinite ?? Self.usual.nonFinite) {
            .nonFinite(before: $0, now: $1)
        }
        compare(other.sampleRate, sampleRate) { .sampleRate(before: $0, now: $1) }
        compare(other.channels, channels) { .channels(before: $0, now: $1) }
        if let signals, let before = other.signals, !signals.agrees(with: before) {
            found.append(.signals(rate: Int(sampleRate ?? 0), channels: signals.channels))
        }
        if mixed != other.mixed { found.append(.machines(before: other.mixed, now: mixed)) }
        // Of two configurations, that one computes in double precision follows from what they are.
        let isPreciseByConfiguration = computed.before.isPrecise != computed.now.isPrecise
        found += SoftwareVersions.differences(from: other.software, to: software, tolerance.software).filter {
            difference in
            guard isPreciseByConfiguration, case .transform(let before, let now) = difference else { return true }
            return FeaturePlan.framesTransform(before) != FeaturePlan.framesTransform(now)
        }
        return found.filter { !tolerance.forgives($0) }
    }

    /// Makes sure that the clips in a folder, whose provenance is `json`, may be used.
    ///
    /// - Throws: `ExtractionError.otherRun`.
    func check(_ json: String, of folder: String, _ tolerance: Tolerance) throws(ExtractionError) {
        let found = Provenance(json: json).map { differences(from: $0, tolerance: tolerance) } ?? [.unreadable]
        guard found.isEmpty else { throw .otherRun(folder: folder, differences: found) }
    }

    private static let usual = (
        truncated: RecordingPolicy.Truncated.fail.rawValue, nonFinite: RecordingPolicy.NonFinite.fail.rawValue
    )

    /// What the clips in a spool depend on of the settings that are usually applied later.
    private struct Computed {
        /// Whether rows are computed in double precision.
        var isPrecise = false
        /// Whether a clip is normalised before its rows are resized.
        var isNormalized = false

        /// That of a configuration as JSON.
        init(_ json: String) {
            guard let found = try? JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8)) else {
                return
            }
            (isPrecise, isNormalized) = (FeaturePlan.isPrecise(found), found.normalizesBeforeResizing)
        }
    }

    /// Whether a setting is applied when the file is assembled, after the clips are in the spool.
    private static func isAppliedLate(_ key: String, _ before: Computed, _ now: Computed) -> Bool {
        guard key.hasPrefix(lateSection + ".") else { return lateKeys.contains(key) }
        if before.isNormalized || now.isNormalized { return false }
        return before.isPrecise == now.isPrecise || key != lateSection + ".scope"
    }

    /// The section and the other keys whose settings are applied then.
    static let (lateSection, lateKeys) = ("normalize", ["store.type", "store.compression"])

    /// The differences between an earlier configuration, given as JSON, and this one.
    func differences(inSettingsOf other: String, where isAsked: (String) -> Bool = { _ in true }) -> [Difference] {
        guard other != configuration else { return [] }
        let (now, before) = (Self.settings(configuration), Self.settings(other))
        return Set(now.keys).union(before.keys).sorted()
            .filter { now[$0] != before[$0] && isAsked($0) }
            .map { .setting($0, before: before[$0], now: now[$0]) }
    }

    /// Every setting of a configuration, by its full key.
    private static func settings(_ json: String) -> [String: String] {
        var settings: [String: String] = [:]
        func add(_ value: ConfigurationValue, _ key: String) {
            if let entries = value.entries {
                for entry in entries { add(entry.value, entry.key(in: key)) }
            } else {
                settings[key] = value.text ?? value.list?.digest ?? value.spoolText
            }
        }
        if let value = try? JSONDecoder().decode(ConfigurationValue.self, from: Data(json.utf8)) { add(value, "") }
        return settings
    }
}

extension Encodable {
    /// The text of a description that a spool keeps.
    package var spoolText: String { (try? sortedJSON(.prettyPrinted)) ?? "" }
}

extension [Double] {
    /// A list for a message: itself, or its length and checksum where it is long.
    fileprivate var digest: String? {
        guard count > 4 else { return nil }
        var hash = XXH3Hash128()
        withUnsafeBytes { hash.update($0) }
        return "a list of \(count) (XXH3 \(hash.finish().hex))"
    }
}
