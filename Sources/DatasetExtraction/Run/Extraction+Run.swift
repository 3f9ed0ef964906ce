import ClipFeatures
import ClipSpool
import Concurrency
import Dispatch
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Manifests
import SignalProcessing

extension Extraction {
    /// Extracts every clip and writes the file; where it is there already and up to date, nothing is done.
    ///
    /// Clips that are done are kept until the file is complete. Where a run before this one was interrupted, at whatever
    /// moment and in whatever way, this one goes on with its clips, and the file has the same bytes as if it had not been.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - announce: Is told that an interrupted run is gone on with, before the work begins.
    /// - Throws: Whatever keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` where clips are kept for the next run.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation(),
        announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> ExtractionSummary {
        let begin = ContinuousClock.now
        try OutputFolder.check(options.output)
        let folders = try RunFolders(options)
        // Whatever comes to stand under the output's name from now on is not this run's to replace.
        let standing = FileStamp(path: options.output)
        defer { folders.unlock() }
        let index = SpoolIndex(clips: manifest.clipCount)
        var identity = RunIdentity(
            configuration: configuration, manifest: manifest, plan: plan, policy: options.policy)
        var kept: AppendBase?
        var interrupted: ResumedRun?
        var missing = MissingRecordings()
        do {
            let existing: ExtractionSummary?
            if options.append, FileManager.default.fileExists(atPath: options.output) {
                let file = try FeatureReader(path: options.output)
                var complete = try appended(file, folders, identity)
                if complete == nil {
                    kept = try AppendBase(
                        file, identity: identity, manifest: manifest, plan: plan, index: index,
                        given: options.statistics)
                    identity.base = file.metadataChecksum
                }
                interrupted = complete == nil ? try takeUp(folders, identity, index, cancellation) : nil
                // Last, since it takes longest.
                missing = try comparison(cancellation).checkKept(in: file)
                complete?.warnings += [missing.warning].compactMap(\.self)
                existing = complete
            } else {
                interrupted = try takeUp(folders, identity, index, cancellation)
                existing = try ExistingOutput.check(
                    options, manifest: manifest, plan: plan, configuration: configuration,
                    interrupted: interrupted == nil ? nil : (folders.clips, index), cancellation: cancellation)
            }
            if let existing {
                folders.remove()
                progress.begin(.finished)
                return existing
            }
            // That they have become the output has been looked for just now.
            try interrupted?.forgetRowless(folders.clips, index)
            if let left = interrupted, left.lost > 0, left.done <= left.failed {
                // No rows at all: a run from the beginning can write its own to their places again.
                index.forgetSpooled()
                interrupted = nil
            }
            if interrupted == nil { try folders.begin(identity) }
        } catch {
            if !folders.clips.hasClips { folders.remove() }
            throw error
        }
        let total = manifest.clipCount - index.kept
        progress.expect(total)
        if let interrupted {
            progress.resume(interrupted)
            announce(ResumptionNotice(interrupted, total: total))
        }
        progress.begin(.extracting)
        let result: Assembler.Outcome
        do {
            // Of a run that goes on with another, some rows have their places and others have not.
            let rows = interrupted == nil ? try placedRows(folders) : nil
            try extract(into: folders.clips, rows, index, progress, cancellation)
            try checkRecordings(index)
            progress.begin(.assembling)
            let assembler = Assembler(
                manifest: manifest, plan: plan, configuration: configuration, spool: folders.clips, index: index,
                jobs: options.jobs, statistics: options.statistics, kept: kept, rows: rows, standing: standing,
                policy: options.policy, progress: progress, cancellation: cancellation)
            result = try assembler.write(to: options.output, temporary: folders.output.fileInProgress)
        } catch {
            guard index.done > index.kept, folders.clips.hasClips else {
                folders.remove()
                throw error
            }
            throw StoppedExtraction(
                cause: error, done: index.done - index.kept, total: total, folder: folders.clips.folder)
        }
        folders.remove()
        progress.begin(.finished)
        let totals = index.totals
        return ExtractionSummary(
            wasUpToDate: false, output: options.output, clips: totals.clips, failures: totals.failures,
            firstFailures: result.firstFailures, rows: totals.rows, bins: plan.bins,
            bytes: Int(max(FileStamp(path: options.output).byteCount, 0)),
            audioSeconds: result.seconds + result.keptSeconds, elapsedSeconds: begin.duration(to: .now) / .seconds(1),
            keptClips: index.kept, resumedClips: interrupted?.done ?? 0,
            resumedAudioSeconds: (interrupted?.seconds ?? 0) + result.keptSeconds,
            warnings: [missing.warning].compactMap(\.self) + result.warnings)
    }

    /// What compares recordings with those that a file was made from.
    func comparison(_ cancellation: Cancellation) -> InputComparison {
        InputComparison(
            manifest: manifest, plan: plan, root: options.root, policy: options.policy, jobs: options.jobs,
            cancellation: cancellation)
    }

    /// What an interrupted run has left; nil: nothing that could be gone on with.
    private func takeUp(
        _ folders: RunFolders, _ identity: RunIdentity, _ index: SpoolIndex, _ cancellation: Cancellation
    ) throws -> ResumedRun? {
        guard !options.fresh, let json = try folders.clips.identity(), folders.clips.hasClips else { return nil }
        let differences =
            RunIdentity(json: json).map { identity.differences(from: $0) } ?? ["what it says of itself cannot be read"]
        guard differences.isEmpty else {
            throw ExtractionError.otherRun(folder: folders.clips.folder, differences: differences)
        }
        return try ResumedRun.takeUp(
            folders.clips, manifest: manifest, plan: plan, options: options, index: index, cancellation: cancellation)
    }

    /// Makes sure, where clips have failed, that the recordings of the others are still there: a disk that goes away in the
    /// midst of a run is no reason to make a file of what was read before.
    ///
    /// - Throws: `ExtractionError.missingRecordings`, unless `keepMissing` is set.
    private func checkRecordings(_ index: SpoolIndex) throws {
        guard !options.keepMissing, index.totals.failures > 0 else { return }
        var (missing, first) = (0, "")
        let clips = try manifest.reader()
        while let clip = try clips.next() {
            let entry = index.entry(clip.index)
            guard entry.rows != nil, entry.position.keptPlace == nil,
                FileStamp(path: Clip.location(of: clip.path, root: options.root)) == .absent
            else { continue }
            if missing == 0 { first = clip.path }
            missing += 1
        }
        guard missing == 0 else {
            throw ExtractionError.missingRecordings(folder: options.spoolFolder, count: missing, path: first)
        }
    }

    /// A summary of the file that clips are to be appended to, where it has all of the manifest's already; else nil.
    private func appended(
        _ file: FeatureReader, _ folders: RunFolders, _ identity: RunIdentity
    ) throws -> ExtractionSummary? {
        guard file.manifestChecksum == manifest.sha256, file.configuration == configuration,
            try ManifestReading.difference(file, manifest) == nil, file.policy == options.policy
        else { return nil }
        // Before anything is thrown away.
        if file.failureCount == 0, let damage = try ExistingOutput.damage(file) {
            throw StorageError.damaged(path: file.path, found: damage)
        }
        if let json = try folders.clips.identity(), folders.clips.hasClips, !options.fresh,
            let earlier = RunIdentity(json: json), earlier.base != file.metadataChecksum
        {
            // What is left is of the run that has made this file, or of another.
            var same = identity
            same.base = earlier.base
            let differences = same.differences(from: earlier) + (earlier.base == nil ? ["it was no --append"] : [])
            guard differences.isEmpty else {
                throw ExtractionError.otherRun(folder: folders.clips.folder, differences: differences)
            }
            try folders.clips.clear()
        }
        // What had failed is tried again.
        guard file.failureCount == 0 else { return nil }
        return try ExistingOutput.upToDate(file, since: .now)
    }

    /// Where rows can be written at once to where they will lie in the file: those that stay as they are, in a file that is
    /// put together in the folder of the clips, without those of another file. Nil: not in this run.
    private func placedRows(_ folders: RunFolders) throws(StorageError) -> InPlaceRows? {
        let store = plan.configuration.store
        guard plan.configuration.normalize.scope == .none, store.layout == .packed, store.element == .float32,
            store.compression == .none, !options.append, folders.clips === folders.output
        else { return nil }
        return try folders.clips.placedRows(bins: plan.bins)
    }

    private func extract(
        into spool: Spool, _ rows: InPlaceRows?, _ index: SpoolIndex, _ progress: ExtractionProgress,
        _ cancellation: Cancellation
    ) throws {
        let left = manifest.clipCount - index.done
        guard left > 0 else { return }
        let queue = try ClipQueue(
            manifest, workers: options.jobs, done: index.done, isDone: { index.isDone($0) })
        // What a file meets with then, its writer is told.
        // Rows that are in their place have to be on the disk in the end: the sooner they are, the less is left to wait for.
        // Of a long run that is a small part anyway.
        let period = rows == nil ? DispatchTimeInterval.seconds(1) : .milliseconds(100)
        let begin = ContinuousClock.now
        let bring = { @Sendable in
            try? rows?.synchronize(
                ifOlderThan: .milliseconds(begin.duration(to: .now) < .seconds(5) ? 100 : 900))
            try? spool.synchronize(ifOlderThan: .milliseconds(900))
        }
        try PeriodicTask.run(every: period, bring) {
            try work(queue, spool, rows, index, progress, cancellation, workers: min(options.jobs, left))
        }
        // Nothing is that old: only what was met with before is thrown.
        try rows?.synchronize(ifOlderThan: .seconds(3600))
        try spool.synchronize(ifOlderThan: .seconds(3600))
        spool.endWriting()
    }

    private func work(
        _ queue: ClipQueue, _ spool: Spool, _ rows: InPlaceRows?, _ index: SpoolIndex,
        _ progress: ExtractionProgress, _ cancellation: Cancellation, workers: Int
    ) throws {
        let (plan, root, policy) = (plan, options.root, options.policy)
        let places = rows.map { RowAllocator(most: $0.most) }
        try WorkerPool.run(workers, memory: ClipFeatureReader.memory(of: plan)) { number in
            do {
                let extractor = try ClipExtractor(
                    plan: plan, root: root, policy: policy, writer: spool.writer(number, rows: rows), places: places,
                    cancellation: cancellation)
                while true {
                    let block = try queue.next()
                    guard !block.isEmpty else { break }
                    extractor.announce(block)
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
                }
            } catch {
                queue.stop()
                places?.stop()
                throw error
            }
        }
    }
}
