import Archives
import ClipSpool
import Concurrency
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Platform

extension Extraction {
    /// Extracts the clips of a shard into a folder beside the output, where a run without a shard finds them.
    ///
    /// Clips that an earlier attempt at the shard had done are copied from it. Two attempts at once do no harm: each has a folder
    /// of its own, and the first that is complete gives it the shard's name.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    /// - Throws: What keeps the shard from being complete: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` if clips are kept for the next attempt.
    package func run(
        _ shard: Shard, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> ShardSummary {
        let start = ContinuousClock.now
        let unpacking = Unpacking.use(
            Unpacking.Settings(folder: options.scratch, shouldStop: { cancellation.isCancelled }))
        defer { Unpacking.end(unpacking) }
        try OutputFolder.check(options.output, tries: false)
        let folders = ShardFolders(output: options.output)
        func summary(_ account: Account, clips: Int, isInOutput: Bool = false) -> ShardSummary {
            progress.start(.finished)
            return ShardSummary(
                shard: shard, folder: folders.folder(of: shard), wasDone: true, isInOutput: isInOutput, clips: clips,
                failures: 0, firstFailures: [], resumedClips: 0, audioSeconds: 0,
                elapsedSeconds: start.duration(to: .now) / .seconds(1), account: account)
        }
        func accountOfOutput() throws -> Account {
            try allowed(try FeatureReader(path: try ownOutput() ?? options.result).accountOfRecordings())
        }
        /// The shard, or the output with its clips, is done.
        func summaryOfDone(clips: Int) throws -> ShardSummary {
            guard FileStatus(path: folders.folder(of: shard)) != nil else {
                return summary(try accountOfOutput(), clips: clips)
            }
            return summary(try account(ofDone: shard, folders), clips: clips)
        }
        if try isInOutput() { return summary(try accountOfOutput(), clips: 0, isInOutput: true) }
        let clips = try ShardClips(shard, of: source)
        do {
            guard let (index, account, resumed) = try compute(shard, clips, folders, progress, cancellation) else {
                return try summaryOfDone(clips: clips.count)
            }
            // The others did not wait for an attempt that stood still: nobody needs its shard, or deletes it.
            if (try? isInOutput()) == true {
                folders.remove([ShardFolders.Found(shard: shard, folder: folders.folder(of: shard), isAttempt: false)])
                return summary(account, clips: clips.count, isInOutput: true)
            }
            progress.start(.finished)
            return ShardSummary(
                shard: shard, folder: folders.folder(of: shard), wasDone: false, isInOutput: false, clips: clips.count,
                failures: index.totals.failures, firstFailures: [], resumedClips: resumed,
                audioSeconds: progress.snapshot.newAudioSeconds,
                elapsedSeconds: start.duration(to: .now) / .seconds(1), account: account)
        } catch {
            guard folders.isDeletion(error) else { throw error }
            guard try isDone(shard, folders) else { throw ExtractionError.deletedAttempt(folder: folders.path) }
            return try summaryOfDone(clips: clips.count)
        }
    }

    /// Computes the clips of a shard, and gives their folder the shard's name.
    ///
    /// - Returns: The clips, what was read of their recordings and not used, and how many of them earlier attempts had done; nil:
    ///   others have completed the shard.
    private func compute(
        _ shard: Shard, _ clips: ShardClips, _ folders: ShardFolders, _ progress: ExtractionProgress,
        _ cancellation: Cancellation
    ) throws -> (SpoolIndex, Account, resumed: Int)? {
        let identity = Provenance(self)
        let attempts = try attempts(at: shard, folders, identity)
        guard attempts.allSatisfy(\.isAttempt) else { return nil }
        let here = MachineTraits.here(ffmpeg: options.ffmpegVersion)
        let known = try machines(of: attempts, here)
        try folders.make()
        let spool = try Spool(folder: folders.newAttempt(at: shard))
        defer { spool.unlock() }
        let index = SpoolIndex(clips: source.clipCount)
        progress.expect(clips.count)
        let resumed: Int
        let account: Account
        do {
            var record = MachineRecord()
            record.add(here)
            try spool.start(identity: identity.spoolText, machines: record.spoolText)
            let log = MachineLog(spool, record: record, here: here)
            try log.note(known)
            resumed = try take(attempts, into: spool, index, folders, cancellation)
            progress.start(.extracting)
            try extract(into: spool, nil, index, log, progress, cancellation, among: clips)
            try checkRecordings(index)
            try spool.synchronize()
            account = try allowed(self.account(of: index, spool.reader()))
            try spool.writeSummaries(of: index)
        } catch {
            // Whoever completes a shard, or the whole file, deletes the attempts at it that are still at work.
            if !cancellation.isCancelled, (try? isDone(shard, folders)) == true {
                Spool.removeUnlocked(folder: spool.folder)
                return nil
            }
            if folders.isDeletion(error, of: spool.folder) {
                Spool.removeUnlocked(folder: spool.folder)
                throw ExtractionError.deletedAttempt(folder: spool.folder)
            }
            guard index.done > 0, spool.hasClips else {
                try? spool.remove()
                throw error
            }
            throw StoppedExtraction(cause: error, done: index.done, total: clips.count, folder: spool.folder)
        }
        // What the others had is in this one: the shard's folder is complete by itself.
        guard try folders.complete(spool.folder, of: shard) else {
            // The clips stay where the other shard is of another run.
            let isDone = try isDone(shard, folders)
            Spool.removeUnlocked(folder: spool.folder)
            guard isDone else { throw ExtractionError.deletedAttempt(folder: spool.folder) }
            return nil
        }
        for attempt in attempts { Spool.removeUnlocked(folder: attempt.folder) }
        return (index, account, resumed)
    }

    /// What was read of the recordings of a shard's clips that is done, and not used.
    ///
    /// - Throws: `StorageError`, `ManifestError`; `ExtractionError.losses` where none are allowed.
    private func account(ofDone shard: Shard, _ folders: ShardFolders) throws -> Account {
        let contents = try ShardContents([folders.folder(of: shard)], in: folders.path)
        let index = SpoolIndex(clips: source.clipCount)
        for file in 0..<contents.fileCount { _ = try contents.scan(file: file) { index.note($0) } }
        return try allowed(account(of: index, contents.reader()))
    }

    /// The same account.
    ///
    /// - Throws: `ExtractionError.losses` if it has some, and none are allowed.
    private func allowed(_ account: Account) throws -> Account {
        if options.isStrict, account.hasLoss { throw ExtractionError.losses(account) }
        return account
    }

    /// Whether the shard, or the whole output, has been completed by others meanwhile.
    ///
    /// - Throws: `ExtractionError.otherRun` where the shard is of another run, which has started at the same time.
    private func isDone(_ shard: Shard, _ folders: ShardFolders) throws -> Bool {
        let folder = folders.folder(of: shard)
        if let identity = try? SpoolContents.identity(ofShard: folder), !identity.isEmpty {
            try checkIdentity(of: folder, Provenance(self), .shard)
            return true
        }
        return (try? isInOutput()) ?? false
    }

    /// What is there of a shard: it alone if it is done, or the attempts at it.
    ///
    /// - Throws: `ExtractionError.otherShards`, `.otherRun`, `.shardOfOtherRun`.
    private func attempts(
        at shard: Shard, _ folders: ShardFolders, _ identity: Provenance
    ) throws -> [ShardFolders.Found] {
        let all = try folders.contents()
        if let other = all.first(where: { $0.shard.count != shard.count }) {
            throw ExtractionError.otherShards(folder: folders.path, found: other.shard.count, wanted: shard.count)
        }
        var found = all.filter { $0.shard == shard }
        if options.fresh {
            for entry in found { Spool.removeUnlocked(folder: entry.folder) }
            return []
        }
        // Without its identity, a folder is one that somebody is deleting, or has begun to delete: it does not count.
        for entry in found where try SpoolContents.identity(ofShard: entry.folder) == nil && !entry.isAttempt {
            Spool.removeUnlocked(folder: entry.folder)
            // The shard could not get its name.
            if let other = (try? DirectoryListing.names(in: entry.folder))?.filter({ !Self.isBeingDeleted($0) }).min() {
                throw StorageError.foreignFolder(path: entry.folder, found: other)
            }
        }
        found = try found.filter { try SpoolContents.identity(ofShard: $0.folder) != nil }
        for entry in found { try checkIdentity(of: entry.folder, identity, .shard) }
        try checkOthers(all.filter { $0.shard != shard }, identity)
        if let done = found.first(where: { !$0.isAttempt }) { found = [done] }
        return found
    }

    /// Whether a name is that of a file which an NFS client keeps for as long as a process has it open.
    private static func isBeingDeleted(_ name: String) -> Bool { name.hasPrefix(".nfs") }

    /// Makes sure, before the work, that other shards are of the same run. Each has been compared with some, so a few say enough.
    ///
    /// - Throws: `ExtractionError.shardOfOtherRun`.
    private func checkOthers(_ others: [ShardFolders.Found], _ identity: Provenance) throws {
        for other in others.prefix(Self.maximumCompared) {
            do { try checkIdentity(of: other.folder, identity, .shard) } catch ExtractionError.otherRun(
                let folder, let differences)
            {
                throw ExtractionError.shardOfOtherRun(folder: folder, differences: differences)
            }
        }
    }

    private static let maximumCompared = 8

    /// What computed the clips of attempts that are copied.
    ///
    /// - Throws: `ExtractionError.otherMachines` if they may have other values than here, and that is not allowed.
    private func machines(of attempts: [ShardFolders.Found], _ here: MachineTraits) throws -> [MachineRecord] {
        var comparison = MachineComparison(plan, here: here)
        let others = try comparison.others(among: attempts.map(\.folder))
        guard others.isEmpty || options.allowsMixed else { throw ExtractionError.otherMachines(others) }
        return try attempts.map { try comparison.record(of: $0.folder) }
    }

    /// Copies finished clips of attempts, whose recordings have not changed since; those that failed are tried again.
    ///
    /// What another attempt deletes meanwhile, or what cannot be read of it here yet, is computed anew.
    ///
    /// - Returns: The number of these clips.
    private func take(
        _ attempts: [ShardFolders.Found], into spool: Spool, _ index: SpoolIndex, _ folders: ShardFolders,
        _ cancellation: Cancellation
    ) throws -> Int {
        guard !attempts.isEmpty else { return 0 }
        let earlier = SpoolIndex(clips: source.clipCount)
        func isLost(_ error: any Error) -> Bool {
            if case StorageError.damaged = error { return true }
            return folders.isDeletion(error)
        }
        let reader: SpoolReader
        do {
            guard let contents = try SpoolContents(folder: spool.folder, isHeld: true, shards: attempts.map(\.folder))
            else { return 0 }
            _ = try ResumedRun(contents, of: self, index: earlier, cancellation: cancellation)
            reader = contents.reader()
        } catch {
            guard isLost(error) else { throw error }
            return 0
        }
        let writer = try spool.writer(options.jobs)
        var count = 0
        for clip in 0..<source.clipCount {
            guard case .spooled(let position, let rows) = earlier[clip] else { continue }
            try cancellation.check()
            do throws(StorageError) {
                let spooled = try reader.finished(at: position)
                writer.start(clip: clip, recording: spooled.recording)
                try reader.rows(of: spooled) { rows throws(StorageError) in
                    try writer.append(UnsafeBufferPointer(rows))
                }
                index[clip] = .spooled(try writer.finish(spooled.clip), rows: rows)
                count += 1
            } catch {
                guard isLost(error) else { throw error }
                writer.forget()
            }
        }
        return count
    }
}
