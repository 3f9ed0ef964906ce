import AudioDecoding
import Concurrency
import ConfigurationFiles
import DatasetExtraction
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import Synchronization
import TestSupport

/// A folder with recordings, manifests and outputs of one test.
package struct ExtractionFixture {
    package let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    /// A small configuration: 12 mel bands at 8 kHz; `rate` nil: at the recordings' own rate; `duration` in seconds.
    package static func configuration(
        rate: Int? = 8000, bins: Int = 12, channels: ChannelSelection = .mix, duration: Double? = nil,
        normalize: NormalizeConfiguration = NormalizeConfiguration(scope: .none),
        patches: PatchesConfiguration = .standard, store: StoreConfiguration = StoreConfiguration()
    ) throws -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate, channels: channels, duration: duration),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: bins, high: 4000)), scale: ScaleConfiguration(),
            normalize: normalize, patches: patches, store: store)
    }

    /// Writes a recording of noise, and returns the samples that a reader finds in its channels.
    @discardableResult
    package func record(
        _ name: String, samples: Int = 2000, channels: Int = 1, rate: Int = 8000, encoding: WaveFile.Encoding = .pcm16,
        seed: Int = 1, gain: Float = 0.5
    ) throws -> [[Float]] {
        var random = RandomSource(seed: UInt64(seed))
        let noise = (0..<channels).map { _ in random.samples(samples).map { $0 * gain } }
        try folder.writeWave(noise, sampleRate: rate, encoding: encoding, to: name)
        return encoding == .pcm16 ? noise.map(WaveFile.quantized) : noise
    }

    /// Writes a manifest and prepares its extraction.
    package func extraction(
        _ manifest: String, _ configuration: FeatureConfiguration? = nil, output: String = "features.h5", jobs: Int = 2,
        scratch: String? = nil, overwrite: Bool = false, fresh: Bool = false, verifyInputs: Bool = false,
        keepMissing: Bool = false, append: Bool = false, sync: Bool = false, retriesFailed: Bool = false,
        renewsStatistics: Bool = false, policy: RecordingPolicy = RecordingPolicy(),
        statistics: ImportedStatistics? = nil, files: Int? = nil
    ) throws -> Extraction {
        let path = folder.path("manifest.csv")
        // An equal manifest is left alone, as a user would leave it.
        if (try? String(contentsOfFile: path, encoding: .utf8)) != manifest {
            _ = try folder.write(manifest, to: "manifest.csv")
        }
        let configuration = try configuration ?? Self.configuration()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try Extraction(
            configuration, json: String(decoding: encoder.encode(configuration), as: UTF8.self),
            source: Manifest.scan(path: path, format: .csv),
            options: ExtractionOptions(
                output: output.hasPrefix("/") ? output : folder.path(output), files: files,
                root: folder.url.path, jobs: jobs, scratch: scratch, overwrite: overwrite,
                fresh: fresh, verifyInputs: verifyInputs, keepMissing: keepMissing,
                update: append ? .append : sync ? .sync : retriesFailed ? .retryFailed : .none,
                retriesFailed: retriesFailed, renewsStatistics: renewsStatistics, policy: policy,
                statistics: statistics))
    }

    /// Writes a manifest, extracts it, and opens the file.
    package func extract(
        _ manifest: String, _ configuration: FeatureConfiguration? = nil, output: String = "features.h5", jobs: Int = 2,
        scratch: String? = nil
    ) throws -> FeatureReader {
        let summary = try extraction(manifest, configuration, output: output, jobs: jobs, scratch: scratch).run()
        return try FeatureReader(path: summary.output)
    }

    /// Clips are written one by one: otherwise a short run would be over before there is progress.
    private static func withoutStay(_ extraction: Extraction) -> Extraction {
        var extraction = extraction
        extraction.options.longestStay = .zero
        return extraction
    }

    /// Runs an extraction that is stopped once `clips` clips are done; returns with how many the next one goes on: those
    /// that could not be opened are tried again.
    package func interrupt(_ extraction: Extraction, after clips: Int) throws -> Int {
        let cancellation = Cancellation()
        let progress = ExtractionProgress { if $0 >= clips { cancellation.cancel() } }
        let extraction = Self.withoutStay(extraction)
        do {
            _ = try extraction.run(progress: progress, cancellation: cancellation)
            return extraction.source.clipCount
        } catch let error as StoppedExtraction where error.isCancelled {
            return error.done - progress.snapshot.failed
        }
    }

    /// Runs an extraction, or a shard of it, and does something else once some clips are done, before any clip after those is begun.
    ///
    /// - Returns: What the shard says at its end.
    @discardableResult
    package func run(
        _ extraction: Extraction, _ shard: Shard? = nil, after clips: Int, meanwhile: @escaping @Sendable () -> Void
    ) throws -> ShardSummary? {
        let isBegun = Atomic(false)
        let progress = ExtractionProgress {
            if $0 >= clips, !isBegun.exchange(true, ordering: .relaxed) { meanwhile() }
        }
        let extraction = Self.withoutStay(extraction)
        if let shard { return try extraction.run(shard, progress: progress) }
        _ = try extraction.run(progress: progress)
        return nil
    }

    /// The bytes of a file.
    package func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }

    /// The names of what an extraction may have left.
    package func leftovers() throws -> [String] { try folder.names().filter { $0.hasPrefix("features.h5") } }
}

extension FeatureReader {
    /// All stored clips.
    package func allClips() throws -> [StoredClip] { try clips(0..<clipCount) }

    /// All failures.
    package func allFailures() throws -> [StoredFailure] { try failures(0..<header.failureCount) }

    /// The rows of the clip of this id.
    package func features(id: String) throws -> [Float] { try features(of: clip(id: id)).values }
}
