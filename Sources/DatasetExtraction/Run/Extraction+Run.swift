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
    /// moment and in whatever way, this one resumes it, and the file has the same bytes as if it had not been.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - announce: Is told that an interrupted run is resumed, before the work starts.
    /// - Throws: Whatever keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` where clips are kept for the next run.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation(),
        announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> ExtractionSummary {
        let start = ContinuousClock.now
        try OutputFolder.check(options.output)
        let folders = try RunFolders(options)
        // Whatever comes to stand under the output's name from now on is not this run's to replace.
        let standing = FileStamp(path: options.output)
        defer { folders.unlock() }
        var runPlan = RunPlan(self)
        do {
            try runPlan.decide(self, isHeld: true, cancellation: cancellation)
            try folders.openClips()
            if let summary = try upToDate(runPlan, since: start, cancellation) {
                folders.remove()
                progress.begin(.finished)
                return summary
            }
            runPlan.forgetClipsMissingRows()
            try folders.prepare(for: runPlan)
        } catch {
            folders.removeIfEmpty()
            throw error
        }
        let index = runPlan.index
        let total = manifest.clipCount - index.kept
        progress.expect(total)
        if let resumed = runPlan.resumed {
            progress.resume(resumed)
            announce(ResumptionNotice(resumed, total: total))
        }
        let result: Assembler.Outcome
        do {
            progress.begin(.extracting)
            // Of a resumed run, some rows are in place and others are not.
            let rows = runPlan.resumed == nil ? try inPlaceRows(folders) : nil
            try extract(into: folders.clips, rows, index, progress, cancellation)
            try checkRecordings(index)
            progress.begin(.assembling)
            let assembler = Assembler(
                manifest: manifest, plan: plan, configuration: configuration, spool: folders.clips, index: index,
                jobs: options.jobs, statistics: options.statistics, kept: runPlan.base, rows: rows, standing: standing,
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
            audioSeconds: result.seconds + result.keptSeconds, elapsedSeconds: start.duration(to: .now) / .seconds(1),
            keptClips: index.kept, resumedClips: runPlan.resumed?.done ?? 0,
            resumedAudioSeconds: (runPlan.resumed?.seconds ?? 0) + result.keptSeconds,
            warnings: [runPlan.missing.warning].compactMap(\.self) + result.warnings)
    }

    /// A summary of the output where it is up to date; nil: there is something to do.
    ///
    /// - Throws: `ExtractionError.outputExists` where recordings have changed and the output is not to be replaced, and others.
    private func upToDate(
        _ runPlan: RunPlan, since start: ContinuousClock.Instant, _ cancellation: Cancellation
    ) throws -> ExtractionSummary? {
        switch runPlan.output {
        case .absent, .grows, .replaced: return nil
        case .upToDate:
            var summary = try ExistingOutput.upToDate(try FeatureReader(path: options.output), since: start)
            summary.warnings += [runPlan.missing.warning].compactMap(\.self)
            return summary
        case .comparable:
            let file = try FeatureReader(path: options.output)
            guard let changed = try ExistingOutput.changedRecording(file, self, runPlan, cancellation) else {
                return try ExistingOutput.upToDate(file, since: start)
            }
            guard options.overwrite else {
                throw ExtractionError.outputExists(
                    path: options.output, difference: "the recording \(changed) is not what it was made from")
            }
            return nil
        }
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

    /// Where rows can be written at once to where they will lie in the file: those that stay as they are, in a file that is
    /// put together in the folder of the clips, without those of another file. Nil: not in this run.
    private func inPlaceRows(_ folders: RunFolders) throws(StorageError) -> InPlaceRows? {
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
