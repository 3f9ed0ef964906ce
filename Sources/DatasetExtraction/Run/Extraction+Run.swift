import Archives
import ClipFeatures
import ClipSpool
import Concurrency
import Dispatch
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Platform
import SignalProcessing

extension Extraction {
    /// Extracts every clip and writes the file; does nothing if the file is up to date.
    ///
    /// Clips that are done are kept until the file is complete. If an earlier run was interrupted, at any moment and in any way,
    /// this one resumes it, and the file has the same bytes as if it had not been interrupted.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - announce: Is told that an interrupted run is resumed, before the work starts.
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` if clips are kept for the next run.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation(),
        announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> ExtractionSummary {
        let start = ContinuousClock.now
        let unpacking = Unpacking.use(
            Unpacking.Settings(folder: options.scratch, shouldStop: { cancellation.isCancelled }))
        defer { Unpacking.end(unpacking) }
        try OutputFolder.check(options.output)
        let folders = try RunFolders(options)
        let shards = ShardFolders(output: options.output)
        // A file that appears under the output's name from now on is not replaced.
        let standing = FileStamp(path: options.result)
        defer { folders.unlock() }
        if options.files != nil { ReplacedSet(FeatureSetPaths(output: options.output)).removeFiles() }
        var runPlan = RunPlan(self)
        do {
            try runPlan.decide(self, isHeld: true, cancellation: cancellation)
            try folders.openClips()
            try runPlan.settle(self, cancellation)
            if runPlan.output == .upToDate {
                var summary = try ExistingOutput.upToDate(try FeatureReader(path: options.result), since: start)
                if options.isStrict, summary.account.hasLoss { throw ExtractionError.losses(summary.account) }
                summary.warnings += [runPlan.missing.warning, runPlan.machines?.warning].compactMap(\.self)
                summary.changes = runPlan.changes
                folders.remove()
                summary.warnings += [runPlan.unusableShards, removeOwnShards().warning].compactMap(\.self)
                progress.start(.finished)
                return summary
            }
            runPlan.forgetClipsMissingRows()
            try folders.prepare(for: runPlan)
        } catch {
            folders.removeIfEmpty()
            throw shards.cause(of: error)
        }
        let index = runPlan.index
        let total = source.clipCount - index.kept
        progress.expect(total)
        if let resumed = runPlan.resumed {
            progress.resume(resumed)
            announce(ResumptionNotice(run: resumed, total: total))
        }
        let result: Assembler.Outcome
        do {
            progress.start(.extracting)
            let rows = try inPlaceRows(folders, runPlan)
            let log = runPlan.machines.map { MachineLog(folders.clips, record: $0.record, here: $0.here) }
            try extract(into: folders.clips, rows, index, log, progress, cancellation)
            try checkRecordings(index)
            progress.start(.assembling)
            let assembler = Assembler(
                extraction: self, spool: folders.clips, index: index, kept: runPlan.base, rows: rows,
                mixed: runPlan.mixed, standing: standing, progress: progress, cancellation: cancellation)
            let temporary = folders.output.fileInProgress
            result =
                try options.files.map { try assembler.write(files: $0, temporary: temporary) }
                ?? assembler.write(to: options.output, temporary: temporary)
        } catch {
            guard index.done > index.kept, folders.clips.hasClips else {
                folders.remove()
                throw shards.cause(of: error)
            }
            throw StoppedExtraction(
                cause: shards.cause(of: error), done: index.done - index.kept, total: total,
                folder: folders.clips.folder)
        }
        folders.remove()
        let left = removeOwnShards(andOthers: options.fresh)
        progress.start(.finished)
        let totals = index.totals(plan.storedRowCount)
        return ExtractionSummary(
            wasUpToDate: result.isUnchanged, output: options.result, clips: totals.clips, failures: totals.failures,
            firstFailures: result.firstFailures, rows: totals.rows, bins: plan.bins,
            bytes: result.bytes,
            audioSeconds: result.seconds + result.keptSeconds, elapsedSeconds: start.duration(to: .now) / .seconds(1),
            patch: plan.configuration.patches.shape,
            channels: plan.channelAxis,
            keptClips: index.kept, changes: runPlan.changes, resumedClips: runPlan.resumed?.done ?? 0,
            resumedAudioSeconds: (runPlan.resumed?.seconds ?? 0) + result.keptSeconds,
            account: result.account,
            warnings: [runPlan.missing.warning, runPlan.machines?.warning].compactMap(\.self) + result.warnings
                + [left.warning].compactMap(\.self))
    }

    /// Deletes the shards that are of this run, whose clips are in the output now.
    ///
    /// - Parameter others: Whether others are deleted, too. They may belong to a run that will replace the output.
    /// - Returns: What could not be deleted.
    func removeOwnShards(andOthers others: Bool = false) -> LeftShards {
        let folders = ShardFolders(output: options.output)
        let identity = Provenance(self)
        var unknown = LeftShards()
        var found: [ShardFolders.Found] = []
        do throws(StorageError) { found = try folders.contents() } catch {
            unknown.add(folders.path, SystemError(code: error.systemCode ?? EIO))
        }
        let own = found.filter { shard in
            guard !others else { return true }
            do throws(StorageError) {
                // One without an identity was being deleted.
                guard let json = try SpoolContents.identity(ofShard: shard.folder) else { return true }
                return Provenance(json: json).map { identity.differences(from: $0, tolerance: .shard).isEmpty } ?? false
            } catch {
                // What cannot be read may be of another run.
                unknown.add(shard.folder, SystemError(code: error.systemCode ?? EIO))
                return false
            }
        }
        return folders.remove(own, besides: unknown)
    }

    /// If clips have failed, makes sure that the recordings of the others are still there: a disk that disappears during a run is
    /// no reason to write a file of the clips read before.
    ///
    /// - Throws: `ExtractionError.missingRecordings`, unless `keepMissing` is set.
    func checkRecordings(_ index: SpoolIndex) throws {
        guard !options.keepMissing, index.totals.failures > 0 else { return }
        var (missing, first) = (0, "")
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard case .spooled = index[clip.index], RecordingCheck.isMissing(clip, root: options.root) else {
                continue
            }
            if missing == 0 { first = clip.path }
            missing += 1
        }
        guard missing == 0 else {
            throw ExtractionError.missingRecordings(folder: options.spoolFolder, count: missing, path: first)
        }
    }

    /// Whether rows are written once, at their final offsets. Not in a resumed run, of whose rows some are in the spool, if
    /// rows of another file come first, if several files are written, and if clips are not kept beside the output.
    package func writesRowsOnce(_ runPlan: RunPlan) -> Bool {
        InPlaceRows.isPossible(plan.configuration) && options.files == nil && options.scratch == nil
            && runPlan.resumed == nil && runPlan.base == nil
    }

    /// The file that rows are written to at their final offsets; nil: they are written twice.
    private func inPlaceRows(_ folders: RunFolders, _ runPlan: RunPlan) throws(StorageError) -> InPlaceRows? {
        guard writesRowsOnce(runPlan), folders.clips === folders.output else { return nil }
        return try folders.clips.inPlaceRows(bins: plan.columns)
    }

    /// Computes the clips that are not done.
    ///
    /// - Parameters:
    ///   - log: Is told what decodes them; nil: that is not noted.
    ///   - clips: Those that are asked for; nil: all.
    func extract(
        into spool: Spool, _ rows: InPlaceRows?, _ index: SpoolIndex, _ log: MachineLog?,
        _ progress: ExtractionProgress, _ cancellation: Cancellation, among clips: ShardClips? = nil
    ) throws {
        let left = (clips?.count ?? source.clipCount) - index.done
        guard left > 0 else { return }
        let queue = try ClipQueue(
            source, workers: options.jobs, done: source.clipCount - left,
            isDone: { index[$0] != .pending || clips?.contains($0) == false })
        // An error of a file is kept for its writer, which throws it.
        // Rows in place have to be on the disk before the file gets its name: the earlier, the less is left to wait for. In a long
        // run that is a small part anyway.
        let period = rows == nil ? DispatchTimeInterval.seconds(1) : .milliseconds(100)
        let start = ContinuousClock.now
        let synchronize = { @Sendable in
            try? rows?.synchronize(ifOlderThan: .milliseconds(start.duration(to: .now) < .seconds(5) ? 100 : 900))
            try? spool.synchronize(ifOlderThan: .milliseconds(900))
        }
        try PeriodicTask.run(every: period, synchronize) {
            try work(queue, spool, rows, index, log, progress, cancellation, options.workers.limited(to: left))
        }
        // Throws earlier errors. Nothing is an hour old, so no more is written.
        try rows?.synchronize(ifOlderThan: .seconds(3600))
        try spool.synchronize(ifOlderThan: .seconds(3600))
        spool.endWriting()
    }

    private func work(
        _ queue: ClipQueue, _ spool: Spool, _ rows: InPlaceRows?, _ index: SpoolIndex, _ log: MachineLog?,
        _ progress: ExtractionProgress, _ cancellation: Cancellation, _ workers: WorkerRange
    ) throws {
        let (plan, root, policy, longestStay) = (plan, options.root, options.policy, options.longestStay)
        let allocator = rows.map { RowAllocator(maximumRows: $0.maximumRows) }
        try WorkerPool.run(workers, memory: ClipFeatureReader.memory(of: plan)) { number, turns in
            var extractor: ClipExtractor?
            func note() {
                for written in extractor?.takeWritten() ?? [] {
                    index[written.clip] = written.entry
                    progress.written(written)
                }
            }
            do {
                let own = try ClipExtractor(
                    plan: plan, root: root, policy: policy, writer: spool.writer(number, rows: rows),
                    allocator: allocator, log: log, longestStay: longestStay, cancellation: cancellation)
                extractor = own
                var pace = BlockPace(rowBytes: plan.columns * MemoryLayout<Float>.size)
                while true {
                    try turns.next(number) {
                        try own.flush()
                        note()
                    }
                    let block = try queue.next(recordings: pace.clips, workers: turns.wanted)
                    guard !block.isEmpty else { break }
                    own.announce(block)
                    pace.start()
                    for (number, clip) in block.enumerated() {
                        try own.extract(clip, before: block[(number + 1)...])
                        note()
                    }
                    pace.end(clips: block.count, rows: try own.endBlock())
                }
                try own.flush()
                note()
            } catch {
                queue.stop()
                allocator?.stop()
                // What is finished is kept, as far as it can be written.
                try? extractor?.flush()
                note()
                throw error
            }
        }
    }
}

/// An extraction that ended before the file was complete, with finished clips that the next run reuses.
package struct StoppedExtraction: Error, CustomStringConvertible {
    /// Why.
    package let cause: any Error
    /// Clips that are done, failed ones included.
    package let done: Int
    /// Clips of the manifest; nil: unknown.
    package let total: Int?
    /// The folder that keeps them.
    package let folder: String

    /// Whether it was asked to stop.
    package var isCancelled: Bool { cause as? ExtractionError == .cancelled }

    /// The error in two lines for a person.
    package var description: String {
        "\(cause)\n\(done)\(total.map { " of \($0)" } ?? "") clips are done and kept in \(folder): \(advice)"
    }

    private var advice: String {
        switch cause {
        case ExtractionError.losses: "the same command without --strict finishes with them"
        case ExtractionError.emptySplit: "a run with another normalize section reuses them; --fresh discards them"
        case StorageError.damaged: "repair that file and give the same command again to resume; --fresh discards them"
        default: "give the same command again to resume"
        }
    }
}

extension StoppedExtraction: SystemFaultReporting {
    package var isSystemFault: Bool { cause.isSystemFault }
}
