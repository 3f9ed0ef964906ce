import AudioDecoding
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing

/// The main job: the clips of a manifest become a feature file.
///
/// Prepared by `init`, which checks everything that can be checked before any work; done by `run`.
package struct Extraction: Sendable {
    /// The manifest as checked.
    package let manifest: Manifest
    /// What is computed, at the sample rate that all clips have or get.
    package let plan: FeaturePlan
    /// What is likely not meant, a sentence each.
    package var warnings: [String] { manifest.warnings + plan.warnings }

    private let options: ExtractionOptions
    /// The configuration as it will stand in the file.
    private let configuration: String

    /// Reads the manifest and makes the plan.
    ///
    /// - Parameters:
    ///   - configuration: What to compute.
    ///   - json: The same as JSON, for the file.
    ///   - options: The rest.
    /// - Throws: `ManifestError`, `ConfigurationError`, `ExtractionError`.
    package init(_ configuration: FeatureConfiguration, json: String, options: ExtractionOptions) throws {
        self.options = options
        self.configuration = json
        manifest = try Manifest.scan(path: options.manifest, format: options.format)
        let fit = configuration.normalize.fit
        if configuration.normalize.scope == .dataset, options.statistics == nil, manifest.hasSplitColumn,
            !manifest.splits.contains(where: { $0.name == fit })
        {
            throw ExtractionError.noSuchSplit(
                name: fit, manifest: manifest.path, known: manifest.splits.map(\.name).filter { !$0.isEmpty })
        }
        let sampleRate =
            try configuration.audio.sampleRate ?? Self.firstRate(configuration, manifest, root: options.root)
        plan = try FeaturePlan(configuration, sampleRate: Double(sampleRate))
        try options.statistics?.check(plan)
    }

    /// Makes sure that the output could be written, as `run` does first of all.
    ///
    /// - Throws: `ExtractionError.unwritableFolder`.
    package func checkOutput() throws(ExtractionError) { try OutputFolder.check(options.output) }

    /// Extracts every clip and writes the file; where it is there already and up to date, nothing is done.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    /// - Throws: Whatever keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation()
    ) throws -> ExtractionSummary {
        let begin = ContinuousClock.now
        try OutputFolder.check(options.output)
        if let existing = try ExistingOutput.check(
            options, manifest: manifest, plan: plan, configuration: configuration, overwrite: options.overwrite,
            cancellation: cancellation)
        {
            progress.begin(.finished)
            return existing
        }
        progress.expect(manifest.clipCount)
        progress.begin(.extracting)
        if let scratch = options.scratch { try OutputFolder.check(scratch + "/spool") }
        // The folder beside the output is what another run would be refused by, wherever the clips themselves go.
        let besideOutput = options.scratch == nil ? nil : try Spool(folder: options.output + ".spool")
        defer { try? besideOutput?.remove() }
        let spool = try Spool(folder: options.spoolFolder)
        let index = SpoolIndex(clips: manifest.clipCount)
        let result: Assembler.Outcome
        do {
            try extract(into: spool, index, progress, cancellation)
            progress.begin(.assembling)
            let assembler = Assembler(
                manifest: manifest, plan: plan, configuration: configuration, spool: spool, index: index,
                jobs: options.jobs, statistics: options.statistics, progress: progress, cancellation: cancellation)
            result = try assembler.write(to: options.output)
        } catch {
            // No later run goes on from what is left, and after a full disk the room is wanted back.
            try? spool.remove()
            throw error
        }
        // The file is whole: a folder that cannot be deleted, such as one with someone's file in it, is no reason to fail.
        try? spool.remove()
        progress.begin(.finished)
        let totals = index.totals
        let size = try FileManager.default.attributesOfItem(atPath: options.output)[.size] as? Int
        return ExtractionSummary(
            wasUpToDate: false, output: options.output, clips: totals.clips, failures: totals.failures,
            firstFailures: result.firstFailures, rows: totals.rows, bins: plan.bins, bytes: size ?? 0,
            audioSeconds: result.seconds, elapsedSeconds: begin.duration(to: .now) / .seconds(1),
            warnings: result.warnings)
    }

    private func extract(
        into spool: Spool, _ index: SpoolIndex, _ progress: ExtractionProgress, _ cancellation: Cancellation
    ) throws {
        let queue = try ClipQueue(manifest, workers: options.jobs)
        let (plan, root) = (plan, options.root)
        try WorkerPool.run(min(options.jobs, manifest.clipCount)) { number in
            do {
                let extractor = try ClipExtractor(
                    plan: plan, root: root, writer: spool.writer(number), cancellation: cancellation)
                while true {
                    let block = try queue.next()
                    guard !block.isEmpty else { break }
                    for clip in block {
                        switch try extractor.extract(clip) {
                        case .finished(let position, let rows, let seconds):
                            index.finish(clip.index, at: position, rows: rows)
                            progress.finishedClip(seconds: seconds)
                        case .failed(let position):
                            index.fail(clip.index, at: position)
                            progress.failedClip()
                        }
                    }
                    try extractor.flush()
                }
            } catch {
                queue.stop()
                throw error
            }
        }
    }

    /// The rate in Hz of the first clip that can be opened: all others have to have it too.
    private static func firstRate(
        _ configuration: FeatureConfiguration, _ manifest: Manifest, root: String
    ) throws -> Int {
        let decoder = ClipDecoder(configuration.audio)
        let clips = try manifest.reader()
        var first: (failure: ClipFailure, path: String)?
        while let clip = try clips.next() {
            do throws(ClipFailure) {
                return try decoder.signalRate(path: ClipExtractor.location(of: clip.path, root: root))
            } catch {
                first = first ?? (error, clip.path)
            }
        }
        throw ExtractionError.noSampleRate(
            manifest: manifest.path, clips: manifest.clipCount, firstFailure: first?.failure,
            firstPath: first?.path ?? "")
    }
}
