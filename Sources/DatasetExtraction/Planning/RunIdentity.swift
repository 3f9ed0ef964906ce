import AudioDecoding
import ClipSpool
import Essentials
import FeatureModel
import Manifests
import Presentation
import SignalProcessing

/// What must be equal for a run to use the clips of an interrupted one.
struct RunIdentity: Codable, Equatable {
    /// The configuration as JSON.
    let configuration: String
    /// `ClipRecords.version`; nil: of a program before there was one.
    private let records: Int?
    /// SHA-256 of the manifest, hexadecimal.
    let manifest: String
    /// What quotation marks in the manifest mean if the bytes allow two readings; nil: the default.
    var manifestQuoting: String?
    /// Number of the manifest's clips.
    let clips: Int?
    /// Sample rate in Hz at which features are computed.
    let sampleRate: Double
    /// The channels of every clip, with `audio.channels: all`.
    private let channels: Int?
    /// Versions of the software, as JSON.
    let software: String
    /// `--truncated`, if not the default.
    private let truncated: String?
    /// `--non-finite`, if not the default.
    private let nonFinite: String?
    /// SHA-256 of the annotations of `--frame-labels`; nil: frames have no labels.
    private let annotations: String?
    /// `metadata_xxh3` of the file whose clips are copied; nil: none.
    var base: String?

    /// The identity of a run.
    init(
        configuration: String, source: any ClipSource, plan: FeaturePlan, policy: RecordingPolicy = RecordingPolicy(),
        ffmpeg: String? = nil, annotations: String? = nil
    ) {
        (self.configuration, records) = (configuration, ClipRecords.version)
        manifest = source.sha256
        manifestQuoting = source.ambiguousQuoting == .csv ? ManifestFormat.Quoting.csv.rawValue : nil
        clips = source.clipCount
        sampleRate = plan.sampleRate
        channels = plan.channelAxis
        software = SoftwareVersions.json(plan, ffmpeg: ffmpeg)
        truncated = policy.truncated == .fail ? nil : policy.truncated.rawValue
        self.annotations = annotations
        nonFinite = policy.nonFinite == .fail ? nil : policy.nonFinite.rawValue
    }

    /// The identity of an extraction's run.
    init(_ extraction: Extraction) {
        self.init(
            configuration: extraction.configuration, source: extraction.source, plan: extraction.plan,
            policy: extraction.options.policy, ffmpeg: extraction.options.ffmpegVersion,
            annotations: extraction.options.frameAnnotations?.sha256)
    }

    /// The identity of a run with a stream, which is its own manifest: its recordings are compared one by one.
    init(configuration: String, stream: String, plan: FeaturePlan, policy: RecordingPolicy, ffmpeg: String?) {
        (self.configuration, records) = (configuration, ClipRecords.version)
        (manifest, clips) = (stream, nil)
        sampleRate = plan.sampleRate
        channels = plan.channelAxis
        software = SoftwareVersions.json(plan, ffmpeg: ffmpeg)
        annotations = nil
        truncated = policy.truncated == .fail ? nil : policy.truncated.rawValue
        nonFinite = policy.nonFinite == .fail ? nil : policy.nonFinite.rawValue
    }

    /// What becomes of recordings that are cut off, and of samples that are no numbers.
    var policy: RecordingPolicy {
        RecordingPolicy(
            truncated: truncated.flatMap(RecordingPolicy.Truncated.init(rawValue:)) ?? .fail,
            nonFinite: nonFinite.flatMap(RecordingPolicy.NonFinite.init(rawValue:)) ?? .fail)
    }

    /// The identity stored in a spool; nil: the text is not one.
    init?(json: String) {
        guard let identity = try? JSONDecoder().decode(RunIdentity.self, from: Data(json.utf8)) else { return nil }
        self = identity
    }

    /// Settings that are applied when the file is assembled, after the clips are in the spool.
    private static func isAppliedLate(_ key: String) -> Bool {
        key.hasPrefix(lateSection + ".") || lateKeys.contains(key)
    }

    /// The section and the other keys whose settings are applied so, and those with a number of samples.
    static let (lateSection, lateKeys) = ("normalize", ["store.type", "store.compression"])
    static let (spanKeys, roundingKey, alignKey) = (["frame.length", "frame.hop"], "frame.rounding", "frame.align")

    /// The differences between `other`, an earlier run, and this one that make its clips useless, in words.
    ///
    /// - Parameter ofShard: Whether it is that of a shard, perhaps of another machine: versions of libraries are left to
    ///   `MachineComparison` then, which knows the ones that its clips depend on.
    func differences(from other: RunIdentity, ofShard: Bool = false) -> [String] {
        var differences = differences(inSettingsOf: other.configuration) { !Self.isAppliedLate($0) }
        if records != other.records {
            differences.append("another version of veery made it, which read some recordings otherwise")
        }
        switch (base, other.base) {
        case (nil, .some): differences.append("it was an --append or --sync, and this is not")
        case (.some, nil): differences.append("it was not an --append or --sync, and this is one")
        case (let own, let older) where own != older:
            differences.append("the file whose clips are kept is another")
        default: break
        }
        if manifest != other.manifest {
            let counts = clips == other.clips ? nil : other.clips.flatMap { before in clips.map { (before, $0) } }
            differences.append(
                "the manifest has changed" + (counts.map { " (it had \($0) clips and has \($1) now)" } ?? ""))
        }
        differences += policy.differences(from: other.policy)
        if manifestQuoting != other.manifestQuoting {
            let (before, now) = (other.manifestQuoting ?? "literal", manifestQuoting ?? "literal")
            differences.append("the manifest was read with --quoting \(before) and is read with --quoting \(now) now")
        }
        switch (annotations, other.annotations) {
        case (nil, .some): differences.append("it was made with --frame-labels, and this is not")
        case (.some, nil): differences.append("it was made without --frame-labels, and this is made with it")
        case (let own, let older) where own != older:
            differences.append("the annotations of --frame-labels have changed")
        default: break
        }
        if sampleRate != other.sampleRate {
            differences.append(
                "the sample rate was \(Self.text(other.sampleRate)) Hz and is \(Self.text(sampleRate)) Hz now")
        }
        if let channels, let before = other.channels, channels != before {
            differences.append("the clips had \(Wording.count(before, "channel")) and have \(channels) now")
        }
        if ofShard {
            if let own = SoftwareVersions.ownDifference(from: other.software, to: software) { differences.append(own) }
        } else if software != other.software {
            differences.append(
                SoftwareVersions.transformDifference(from: other.software, to: software)
                    ?? "the software was \(other.software) and is \(software) now")
        }
        return differences
    }

    /// A rate in Hz, without `.0`. A spool may hold any number.
    private static func text(_ rate: Double) -> String { Int(exactly: rate).map { "\($0)" } ?? "\(rate)" }

    /// The differences between an earlier configuration, given as JSON, and this one, in words. Times are compared as samples at
    /// this run's rate, where a configuration does not state its own.
    func differences(inSettingsOf other: String, where isAsked: (String) -> Bool = { _ in true }) -> [String] {
        let (now, before) = (settings(configuration), settings(other))
        return Set(now.keys).union(before.keys).sorted()
            .filter { now[$0] != before[$0] && isAsked($0) }
            .map { "\($0) was \(before[$0] ?? "missing") and is \(now[$0] ?? "missing") now" }
    }

    /// Every setting of a configuration, by its full key.
    private func settings(_ json: String) -> [String: String] {
        var settings: [String: String] = [:]
        func add(_ value: ConfigurationValue, _ key: String) {
            if let members = value.members {
                for member in members { add(member.value, key.isEmpty ? member.key : "\(key).\(member.key)") }
            } else {
                settings[key] = value.text ?? value.spoolText
            }
        }
        if let value = try? JSONDecoder().decode(ConfigurationValue.self, from: Data(json.utf8)) { add(value, "") }
        // Version 0.1 did not write it.
        let pages = "condition.dct_filter.\(DCTFilterConfiguration.pagesKey)"
        if settings["condition.dct_filter.mode"] != nil, settings[pages] == nil {
            settings[pages] = DCTFilterPages.separate.rawValue
        }
        // Version 0.1 stored times as given; they always meant these samples. A time without a rounding is from before there was
        // another one.
        let rate = settings["audio.sample_rate"].flatMap(Double.init) ?? sampleRate
        let rounding = settings[Self.roundingKey].flatMap(TimeRounding.init(rawValue:)) ?? .nearest
        for key in Self.spanKeys {
            guard let span = settings[key].flatMap(SampleSpan.init(text:)) else { continue }
            settings[key] = "\(span.samples(at: rate, rounding: rounding))"
        }
        settings[Self.roundingKey] = nil
        let spans = Self.spanKeys.compactMap { settings[$0].flatMap(Int.init) }
        if spans.count == 2, let align = settings[Self.alignKey].flatMap(FrameAlignment.init(rawValue:)) {
            settings[Self.alignKey] = align.simplest(length: spans[0], hop: spans[1]).rawValue
        }
        return settings
    }
}

extension Encodable {
    /// The text of a description that a spool keeps.
    package var spoolText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension RecordingPolicy {
    /// The differences between an earlier run's policy and this one, in words.
    func differences(from other: RecordingPolicy) -> [String] {
        var differences: [String] = []
        if truncated != other.truncated {
            differences.append("--truncated was \(other.truncated.rawValue) and is \(truncated.rawValue) now")
        }
        if nonFinite != other.nonFinite {
            differences.append("--non-finite was \(other.nonFinite.rawValue) and is \(nonFinite.rawValue) now")
        }
        return differences
    }
}
