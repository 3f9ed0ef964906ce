import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

/// The folder of a shard: complete, it has the clips of a part of the manifest. Attempts have folders of their own until then.
final class ShardTarget: RunTarget {
    /// Where the shard's clips are, if there is nothing to do.
    private enum Done {
        /// In its folder.
        case folder
        /// In the output.
        case output
    }

    private let extraction: Extraction
    private let shard: Shard
    private let folders: ShardFolders
    private let identity: Provenance
    private var output: TaskOutput
    private let start = ContinuousClock.now
    var plan: RunPlan
    private var done: Done?
    /// What earlier attempts have done, and where.
    private var attempts: [ShardFolders.Found] = []
    private var machines: [MachineRecord] = []
    private var copied = 0
    /// Whether the attempt is complete, and was given the shard's name, or others had it.
    private var isNamed = false
    /// The folder of this attempt.
    private var spool: Spool?
    /// What was read of the clips' recordings and not used, once it is known.
    private var account: Account?

    init(_ shard: Shard, of extraction: Extraction) {
        (self.shard, self.extraction) = (shard, extraction)
        folders = ShardFolders(output: extraction.options.output)
        identity = Provenance(extraction)
        let output = extraction.options.output
        self.output = TaskOutput(extraction, paths: [FeatureSetPaths(output: output).index, output])
        plan = RunPlan(extraction, ledger: 0)
    }

    private var options: ExtractionOptions { extraction.options }
    private var folder: String { folders.folder(of: shard) }

    func begin() throws { try output.begin() }

    func admit(_ cancellation: Cancellation) throws {
        let path = try output.own()
        let part = RunPart.shard(try ShardClips(shard, of: extraction.source))
        if let path, output.isRun {
            // If the output may be replaced, all tasks have to make the same decision.
            if try output.isUnchanged(path, options.overwrite ? .all : part, cancellation) { return finish(.output) }
        }
        plan = RunPlan(extraction, part: part)
        if path != nil, !output.isRun { return plan.output = .comparable }
        attempts = try attemptsSoFar()
        guard attempts.allSatisfy(\.isAttempt) else { return finish(.folder) }
        var comparison = MachineComparison(extraction.plan, here: here)
        let others = try comparison.others(among: attempts.map(\.folder))
        guard others.isEmpty || options.allowsMixed else { throw ExtractionError.otherMachines(others) }
        machines = try attempts.map { try comparison.record(of: $0.folder) }
        guard !attempts.isEmpty else { return }
        do {
            // The run's own folder does not exist yet.
            guard
                let contents = try SpoolContents(
                    folder: folders.newAttempt(at: shard), isHeld: true, shards: attempts.map(\.folder))
            else { return }
            let earlier = SpoolIndex(clips: extraction.source.clipCount)
            plan.resumed = try ResumedRun.admit(
                contents, of: extraction, into: earlier, retriesFailed: true, cancellation)
            plan.index = earlier
        } catch {
            guard isLost(error) else { throw error }
        }
    }

    private var here: MachineTraits { MachineTraits.here(ffmpeg: options.ffmpegVersion) }

    private func finish(_ done: Done) {
        self.done = done
        plan.output = .upToDate
    }

    /// What is there of the shard: it alone if it is done, or the attempts at it.
    ///
    /// - Throws: `ExtractionError.otherShards`, `.otherRun`, `.shardOfOtherRun`.
    private func attemptsSoFar() throws -> [ShardFolders.Found] {
        let all = try folders.contents()
        if let other = all.first(where: { $0.shard.count != shard.count }) {
            throw ExtractionError.otherShards(folder: folders.path, found: other.shard.count, wanted: shard.count)
        }
        guard !options.fresh else { return [] }
        // Without its identity, a folder is one that somebody is deleting, or has begun to delete: it does not count.
        let found = try all.filter { try $0.shard == shard && SpoolNote.identity.text(in: $0.folder) != nil }
        for entry in found { try extraction.checkIdentity(of: entry.folder, identity, .shard) }
        // Each of the others was compared with some when it was made, so comparing a few is enough.
        for other in all.filter({ $0.shard != shard }).prefix(Self.maximumCompared) {
            try extraction.checkShard(other.folder, identity)
        }
        return found.first { !$0.isAttempt }.map { [$0] } ?? found
    }

    private static let maximumCompared = 8

    func open(_ cancellation: Cancellation) throws -> Workplace {
        try deleteUnused()
        try folders.make()
        let spool = try Spool(folder: folders.newAttempt(at: shard))
        self.spool = spool
        var record = MachineRecord()
        record.add(here)
        try spool.start(identity: identity.spoolText, machines: record.spoolText)
        let log = MachineLog(spool, record: record, here: here)
        try log.note(machines)
        try copyEarlier(into: spool, cancellation)
        return Workplace(spool: spool, log: log)
    }

    /// Deletes the folders of this shard that do not count.
    private func deleteUnused() throws {
        for entry in try folders.contents() where entry.shard == shard {
            let isUnused = try options.fresh || !entry.isAttempt && SpoolNote.identity.text(in: entry.folder) == nil
            guard isUnused else { continue }
            Spool.removeUnlocked(folder: entry.folder)
            // The shard could not get its name.
            guard !entry.isAttempt,
                let other = (try? DirectoryListing.names(in: entry.folder))?.filter({ !Self.isBeingDeleted($0) }).min()
            else { continue }
            throw StorageError.foreignFolder(path: entry.folder, found: other)
        }
    }

    /// Whether a name is that of a file which an NFS client keeps for as long as a process has it open.
    private static func isBeingDeleted(_ name: String) -> Bool { name.hasPrefix(".nfs") }

    /// Copies finished clips of earlier attempts, whose recordings have not changed since.
    ///
    /// Clips that another attempt deletes meanwhile, or that cannot be read here yet, are computed anew.
    private func copyEarlier(into spool: Spool, _ cancellation: Cancellation) throws {
        // What is open of earlier attempts is closed before they are deleted.
        defer { plan.resumed = nil }
        guard let reader = plan.resumed?.contents.reader() else { return }
        let earlier = plan.index
        plan.index = SpoolIndex(clips: earlier.count)
        let writer = try spool.writer(options.jobs)
        for clip in 0..<earlier.count {
            guard case .spooled(let position, let rows) = earlier[clip] else { continue }
            try cancellation.check()
            do throws(StorageError) {
                let spooled = try reader.finished(at: position)
                writer.start(clip: clip, recording: spooled.recording)
                try reader.rows(of: spooled) { rows throws(StorageError) in
                    try writer.append(UnsafeBufferPointer(rows))
                }
                plan.index[clip] = .spooled(try writer.finish(spooled.clip), rows: rows)
                copied += 1
            } catch {
                guard isLost(error) else { throw error }
                writer.forget()
            }
        }
    }

    private func isLost(_ error: any Error) -> Bool {
        if case StorageError.damaged = error { return true }
        return folders.isDeletion(error)
    }

    /// Gives the folder of the attempt, which is complete by itself, the shard's name.
    func assemble(_ progress: ExtractionProgress, _ cancellation: Cancellation) throws {
        guard let spool else { return }
        try extraction.checkAnyRecording(plan.index)
        try spool.synchronize()
        account = try allowed(extraction.account(of: plan.index, spool.reader()))
        try spool.writeSummaries(of: plan.index)
        isNamed = true
        guard try folders.complete(spool.folder, of: shard) else {
            // If the other shard is of another run, `isDoneByOthers` throws, and the clips are left as they are.
            let isDone = try isDoneByOthers()
            Spool.removeUnlocked(folder: spool.folder)
            guard isDone else { throw ExtractionError.deletedAttempt(folder: spool.folder) }
            return finishByOthers()
        }
        for attempt in attempts { Spool.removeUnlocked(folder: attempt.folder) }
        // If the output is there, others completed it while this attempt stood still: nobody needs this shard or will delete it.
        if (try? output.own()) != nil {
            folders.remove([ShardFolders.Found(shard: shard, folder: folder, isAttempt: false)])
            finish(.output)
        }
    }

    /// Others have completed the shard, or the output with its clips.
    private func finishByOthers() {
        finish(.folder)
        account = nil
    }

    func summary(_ progress: ExtractionProgress) throws -> ShardSummary {
        let account = try account ?? allowed(accountOfDone())
        progress.start(.finished)
        let isNew = plan.output != .upToDate
        // If the output was there before, no part of it is looked up.
        let clips = if case .all = plan.part { 0 } else { plan.clips }
        return ShardSummary(
            shard: shard, folder: folder, wasDone: !isNew, isInOutput: done == .output, clips: clips,
            failures: isNew ? plan.index.totals.failures : 0, resumedClips: isNew ? copied : 0,
            elapsedSeconds: start.duration(to: .now) / .seconds(1), account: account)
    }

    /// What was read of the recordings of clips that others have done, and not used: those of the shard, or of the output.
    private func accountOfDone() throws -> Account {
        guard done == .folder, FileStatus(path: folder) != nil else {
            return try FeatureReader(path: try output.own() ?? options.result).accountOfRecordings()
        }
        let contents = try ShardContents([folder], in: folders.path)
        let index = SpoolIndex(clips: extraction.source.clipCount)
        for file in 0..<contents.fileCount { _ = try contents.scan(file: file) { index.note($0) } }
        return try extraction.account(of: index, contents.reader())
    }

    /// Returns the account unchanged.
    ///
    /// - Throws: `ExtractionError.losses` if it has losses, and none are allowed.
    private func allowed(_ account: Account) throws -> Account {
        if options.isStrict, account.hasLoss { throw ExtractionError.losses(account) }
        return account
    }

    /// Whether the shard, or the whole output, has been completed by others meanwhile.
    ///
    /// - Throws: `ExtractionError.otherRun` where the shard is of another run, which has started at the same time.
    private func isDoneByOthers() throws -> Bool {
        if let identity = try? SpoolNote.identity.text(in: folder), !identity.isEmpty {
            try extraction.checkIdentity(of: folder, self.identity, .shard)
            return true
        }
        return (try? output.own()) != nil
    }

    func end(
        after error: any Error, _ progress: ExtractionProgress, _ cancellation: Cancellation
    ) throws -> ShardSummary {
        if spool == nil || isNamed, folders.isDeletion(error) {
            guard try isDoneByOthers() else { throw ExtractionError.deletedAttempt(folder: folders.path) }
            finishByOthers()
            return try summary(progress)
        }
        // The disk may not have taken the name.
        guard let spool, !isNamed else { throw error }
        // Whoever completes a shard, or the whole file, deletes the attempts at it that are still at work.
        if !cancellation.isCancelled, (try? isDoneByOthers()) == true {
            Spool.removeUnlocked(folder: spool.folder)
            finishByOthers()
            return try summary(progress)
        }
        if folders.isDeletion(error, of: spool.folder) {
            Spool.removeUnlocked(folder: spool.folder)
            throw ExtractionError.deletedAttempt(folder: spool.folder)
        }
        let index = plan.index
        guard index.done > 0, spool.hasClips, !error.isWithoutRecordings else {
            try? spool.remove()
            throw error
        }
        throw StoppedExtraction.with(index, cause: error, total: plan.clips, folder: spool.folder)
    }

    func close() { spool?.unlock() }
}
