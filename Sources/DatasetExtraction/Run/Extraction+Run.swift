import Archives
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import Manifests

/// What a run is to leave.
package enum RunTask: Hashable, Sendable {
    /// The file, or the set of files.
    case output
    /// The folder of a shard, where a run without one finds its clips.
    case shard(Shard)
    /// One file of a set, from shards that are all done.
    case member(SetMember)
}

extension Extraction {
    /// Extracts every clip and writes the file; does nothing if the file is up to date.
    ///
    /// Clips that are done are kept until the file is complete. If an earlier run was interrupted, at any moment and in any way,
    /// this one resumes it, and the file has the same bytes as if it had not been interrupted.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - announce: Called when an interrupted run is resumed, before the work starts.
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` if clips are kept for the next run.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation(),
        announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> ExtractionSummary {
        try run(towards: OutputTarget(self), progress, cancellation, announce)
    }

    /// Extracts the clips of a shard into a folder beside the output, where a run without a shard finds them.
    ///
    /// Clips that an earlier attempt at the shard had done are copied from it. Two attempts at once do no harm: each has a folder
    /// of its own, and the first that is complete gives it the shard's name.
    ///
    /// - Throws: As `run`, for the folder of the shard.
    package func run(
        _ shard: Shard, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> ShardSummary {
        try run(towards: ShardTarget(shard, of: self), progress, cancellation)
    }

    /// Writes one file of a set from shards that are all done.
    ///
    /// Any number of files may be written at once, on machines that share the folder of the output, and one file by several
    /// attempts: each writes under a name of its own. Whoever finds all files there writes the index and deletes the shards.
    ///
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`. The shards stay.
    /// - Complexity: Reads what the shards say of all clips, and the rows of the file's own.
    package func run(
        _ member: SetMember, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> MemberSummary {
        try run(towards: MemberTarget(member, of: self), progress, cancellation)
    }

    /// What a run would do, and why it would not start; nil: it would. Changes nothing on the disk.
    ///
    /// - Throws: `ManifestError`, and errors that the system is at fault for.
    package func dryRun(_ task: RunTask = .output) throws -> (plan: RunPlan, obstacle: String?) {
        switch task {
        case .output: try look(at: OutputTarget(self))
        case .shard(let shard): try look(at: ShardTarget(shard, of: self))
        case .member(let member): try look(at: MemberTarget(member, of: self))
        }
    }

    private func look(at target: some RunTarget) throws -> (plan: RunPlan, obstacle: String?) {
        do {
            try target.admit(Cancellation())
            return (target.plan, nil)
        } catch  where error.isSystemFault {
            throw error
        } catch let error as ExtractionError {
            return (target.plan, "\(error)")
        } catch let error as StorageError {
            return (target.plan, "\(error)")
        }
    }

    /// The order of every run: what is there is noted in the ledger of clips, those that are left are computed, and of all of them the
    /// target is made.
    private func run<Target: RunTarget>(
        towards target: Target, _ progress: ExtractionProgress, _ cancellation: Cancellation,
        _ announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> Target.Summary {
        let unpacking = Unpacking.use(
            Unpacking.Settings(folder: options.scratch, shouldStop: { cancellation.isCancelled }))
        defer { Unpacking.end(unpacking) }
        try target.begin()
        defer { target.close() }
        do {
            try target.admit(cancellation)
            if target.plan.output != .upToDate {
                let place = try target.open(cancellation)
                progress.expect(target.plan.total)
                if let resumed = target.plan.resumed {
                    progress.resume(resumed)
                    announce(ResumptionNotice(run: resumed, total: target.plan.total))
                }
                if let spool = place.spool {
                    progress.start(.extracting)
                    try extract(into: spool, place, target.plan, progress, cancellation)
                    try checkRecordings(target.plan.index)
                }
                progress.start(.assembling)
                try target.assemble(progress, cancellation)
            }
        } catch {
            return try target.end(after: error, progress, cancellation)
        }
        return try target.summary(progress)
    }

    /// If clips have failed, makes sure that the recordings of the others are still there: a disk that disappears during a run is
    /// no reason to write a file of the clips read before.
    ///
    /// - Throws: `ExtractionError.missingRecordings`, unless `keepMissing` is set.
    private func checkRecordings(_ index: SpoolIndex) throws {
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
