import Archives
import AudioDecoding
import ClipFeatures
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Presentation
import SignalProcessing

/// The recordings of a tar that is read once, forward, become a feature file.
///
/// The stream is its own manifest, which is complete at its end: until then its recordings are known by their numbers. The file
/// is that of the same tar on the disk, except for the clips' paths, which are those in the tar, and what it says of its source.
package struct StreamExtraction: Sendable {
    private let configuration: FeatureConfiguration
    private let json: String
    private var options: ExtractionOptions
    private let name: String

    /// - Parameters:
    ///   - configuration: What to compute.
    ///   - json: The same as JSON, for the file.
    ///   - name: What messages call the stream.
    ///   - options: The rest; nothing can be appended.
    package init(_ configuration: FeatureConfiguration, json: String, name: String, options: ExtractionOptions) {
        (self.configuration, self.json, self.name, self.options) = (configuration, json, name, options)
    }

    /// Reads the stream to its end, and writes the file.
    ///
    /// If an earlier run with the same stream was interrupted, recordings that it had done are not decoded again.
    ///
    /// - Parameters:
    ///   - descriptor: The stream; it stays open.
    ///   - progress: Updated from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - planned: Called before the work, with the plan, whose sample rate may be that of the first recording.
    ///   - announce: Called if an interrupted run is resumed, with a sentence that says so.
    /// - Returns: Also the clips of the stream.
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` if clips are kept for the next run.
    package func run(
        descriptor: Int32, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation(), planned: (FeaturePlan) throws -> Void = { _ in },
        announce: (String) -> Void = { _ in }
    ) throws -> (summary: ExtractionSummary, source: Manifest) {
        let start = ContinuousClock.now
        let unpacking = Unpacking.use(
            Unpacking.Settings(folder: options.scratch, shouldStop: { cancellation.isCancelled }))
        defer { Unpacking.end(unpacking) }
        try OutputFolder.check(options.output)
        let existing = FileStamp(path: options.output)
        if existing != .absent {
            try ExistingOutput.checkReplaceable(
                options.output, overwriting: options.overwrite, difference: .unknown)
        }
        let folders = try RunFolders(options)
        defer { folders.unlock() }
        let members: StreamedRecordings
        let found: FirstRecordings
        let spooled: StreamedSpool
        do {
            members = try StreamedRecordings(name: name, descriptor: descriptor, cancellation: cancellation)
            found = try FirstRecordings(members, configuration, options, name: name)
            try planned(found.plan)
            spooled = try StreamedSpool(folders, options, identity: identity(found.plan))
        } catch {
            folders.removeIfEmpty()
            throw error
        }
        if spooled.known > 0 {
            announce(
                "resuming an interrupted run: \(Wording.count(spooled.known, "clip")) of it are kept; "
                    + "the stream is read from its start")
        }
        let index = spooled.index
        do {
            progress.start(.extracting)
            let worker = StreamWorker(
                plan: found.plan, options: options, members: members, spool: folders.clips, spooled: spooled,
                progress: progress, cancellation: cancellation)
            try worker.run(found)
            progress.start(.assembling)
            return try assemble(
                found.plan, members.listing, index, folders, existing, progress, cancellation, resumed: spooled,
                since: start)
        } catch {
            // A stream that broke at once leaves what an earlier run has done.
            let kept = index.done < spooled.known ? spooled.earlier : index
            let cause = error.orGone(folders.clips.folder)
            guard kept.done > 0, folders.clips.hasClips else {
                folders.remove()
                throw cause
            }
            throw StoppedExtraction.with(kept, cause: cause, total: nil, folder: folders.clips.folder)
        }
    }

    private func identity(_ plan: FeaturePlan) -> Provenance {
        Provenance(configuration: json, stream: name, plan: plan, policy: options.policy, ffmpeg: ffmpegVersion())
    }

    private func assemble(
        _ plan: FeaturePlan, _ listing: StreamListing, _ index: SpoolIndex, _ folders: RunFolders,
        _ existing: FileStamp, _ progress: ExtractionProgress, _ cancellation: Cancellation,
        resumed: StreamedSpool, since start: ContinuousClock.Instant
    ) throws -> (summary: ExtractionSummary, source: Manifest) {
        guard listing.count > 0 else { throw ExtractionError.noRecordings(stream: name, listing.account) }
        var listing = listing
        let streamed = listing.finish()
        let source = try streamed.manifest(named: name)
        try Extraction.checkFit(plan.configuration.normalize, source, options)
        progress.expect(source.clipCount)
        let account = source.account.merging(listing.account)
        if options.isStrict, account.hasLoss { throw ExtractionError.losses(account) }
        var options = options
        if source.namesMediaFiles { options.ffmpegVersion = ffmpegVersion() }
        let ordered = SpoolIndex(streamed.numbers, of: index)
        let extraction = Extraction(plan, json: json, source: source, options: options)
        let assembler = Assembler(
            extraction: extraction, spool: folders.clips, index: ordered, existing: existing, progress: progress,
            cancellation: cancellation)
        let result = try assembler.write(to: options.output, temporary: folders.output.fileInProgress)
        folders.remove()
        progress.start(.finished)
        var summary = result.summary(of: extraction, ordered, since: start)
        let tally = resumed.tally
        (summary.resumedClips, summary.resumedAudioSeconds) = (tally.clips, tally.seconds)
        summary.account = account.merging(result.account)
        return (summary, source)
    }
}
