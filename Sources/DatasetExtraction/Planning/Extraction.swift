import Archives
import AudioDecoding
import ClipFeatures
import FeatureModel
import Manifests
import SignalProcessing

/// The main job: the clips of a manifest become a feature file.
///
/// Prepared by `init`, which checks everything that can be checked before any work; done by `run`.
package struct Extraction: Sendable {
    /// The clips.
    package let source: any ClipSource
    /// What is computed, at the sample rate that all clips have or get.
    package let plan: FeaturePlan

    package var options: ExtractionOptions
    /// The configuration as it will be written to the file.
    let configuration: String
    /// Whether the configuration has a sample rate, and the first recording does not set it.
    let statesRate: Bool

    /// Makes the plan.
    ///
    /// - Parameters:
    ///   - configuration: What to compute.
    ///   - json: The same as JSON, for the file.
    ///   - source: The clips.
    ///   - options: The rest.
    /// - Throws: `ManifestError`, `ConfigurationError`, `ExtractionError`.
    package init(
        _ configuration: FeatureConfiguration, json: String, source: any ClipSource, options: ExtractionOptions
    ) throws {
        self.source = source
        var options = options
        if source.namesMediaFiles { options.ffmpegVersion = ffmpegVersion() }
        self.options = options
        self.configuration = json
        try Self.checkFit(configuration.normalize, source, options)
        try Self.checkChannels(configuration.audio, source)
        let isKnown = configuration.audio.sampleRate != nil && configuration.audio.channels != .all
        let first =
            isKnown
            ? (rate: configuration.audio.sampleRate ?? 0, count: 1)
            : try Self.firstSignals(configuration, source, options)
        statesRate = configuration.audio.sampleRate != nil
        plan = try Self.plan(configuration, sampleRate: first.rate, channels: first.count, options)
    }

    /// Makes sure that the split whose statistics normalise exists.
    ///
    /// - Throws: `ExtractionError.noSuchSplit`.
    static func checkFit(
        _ normalize: NormalizeConfiguration, _ source: any ClipSource, _ options: ExtractionOptions
    ) throws(ExtractionError) {
        if normalize.scope == .dataset, options.statistics == nil, source.hasSplitColumn, !normalize.fit.isEmpty,
            !source.hasSplit(normalize.fit)
        {
            throw .noSuchSplit(
                name: normalize.fit, manifest: source.path, known: source.splits.map(\.name).filter { !$0.isEmpty })
        }
    }

    /// Makes sure that no clip names a channel where all are kept.
    ///
    /// - Throws: `ExtractionError.channelWithAll`, `ManifestError`.
    private static func checkChannels(_ audio: AudioConfiguration, _ source: any ClipSource) throws {
        guard audio.channels == .all, source.hasChannelColumn else { return }
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard let channel = clip.channel else { continue }
            throw ExtractionError.channelWithAll(manifest: source.path, id: clip.id, channel: channel)
        }
    }

    /// The plan at a sample rate in Hz.
    ///
    /// - Throws: `ConfigurationError`, `ExtractionError.unusableStatistics`.
    static func plan(
        _ configuration: FeatureConfiguration, sampleRate: Int, channels: Int = 1, _ options: ExtractionOptions
    ) throws -> FeaturePlan {
        let plan = try FeaturePlan(configuration, sampleRate: Double(sampleRate), channels: channels)
        try options.statistics?.check(plan)
        if let frames = plan.fixedFrameCount, frames > maximumFixedFrames {
            throw ConfigurationError.invalidValue(
                key: configuration.rows.count == nil ? "audio.duration" : "rows.count", found: "\(frames) frames",
                expected: "at most \(maximumFixedFrames) frames for store.layout: fixed")
        }
        return plan
    }

    /// The same with a plan that was made before, of a source that is not read from files.
    package init(_ plan: FeaturePlan, json: String, source: any ClipSource, options: ExtractionOptions) {
        (self.plan, configuration, self.source, self.options) = (plan, json, source, options)
        statesRate = true
    }

    /// The most frames of a fixed block: every clip has as many.
    private static let maximumFixedFrames = 10_000_000

    /// Makes sure that the output could be written, as far as can be said without writing anything.
    ///
    /// - Throws: `ExtractionError.unwritableFolder`, `.unusableName`.
    package func checkOutput() throws(ExtractionError) { try OutputFolder.check(options.output, tries: false) }

    /// The rate in Hz of the first clip that can be opened, and the number of its signals: all others have to have them too.
    private static func firstSignals(
        _ configuration: FeatureConfiguration, _ source: any ClipSource, _ options: ExtractionOptions
    ) throws -> (rate: Int, count: Int) {
        let unpacking = Unpacking.use(Unpacking.Settings(folder: options.scratch))
        defer { Unpacking.end(unpacking) }
        let decoder = ClipDecoder(configuration.audio, policy: options.policy)
        let clips = try source.reader()
        var first: (failure: ClipFailure, path: String)?
        while let clip = try clips.next() {
            do throws(ClipFailure) {
                return try decoder.signals(of: clip, path: Clip.location(of: clip.path, root: options.root))
            } catch {
                guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
                first = first ?? (error, clip.path)
            }
        }
        if let absence = try absence(of: source, root: options.root) { throw absence }
        throw ExtractionError.noSampleRate(
            manifest: source.path, clips: source.clipCount, firstFailure: first?.failure, firstPath: first?.path ?? "")
    }
}
