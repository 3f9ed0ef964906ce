import Archives
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

extension Extraction {
    /// What a run towards a target would do: see `dryRun`.
    func look(at target: some RunTarget) throws -> (plan: RunPlan, obstacle: String?) {
        do {
            try target.admit(Cancellation())
            return (target.plan, nil)
        } catch let error as ExtractionError where error.isOfOthers {
            // Another task is still at work.
            return (target.plan, "\(error)")
        } catch  where error.isSystemFault {
            throw error
        } catch let error as ExtractionError {
            return (target.plan, "\(error)")
        } catch let error as StorageError {
            return (target.plan, "\(error)")
        }
    }

    /// Every run, step by step: finds which clips are done already, computes the others, and assembles the target from all of them.
    func run<Target: RunTarget>(
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
                let workplace = try target.open(cancellation)
                progress.expect(target.plan.total)
                if let resumed = target.plan.resumed {
                    progress.resume(resumed)
                    announce(ResumptionNotice(resumed, total: target.plan.total))
                }
                if let spool = workplace.spool {
                    progress.start(.extracting)
                    try extract(into: spool, workplace, target.plan, progress, cancellation)
                    try checkRecordings(target.plan.index)
                }
                try target.assemble(progress, cancellation)
            }
            return try target.summary(progress)
        } catch {
            return try target.end(after: error, progress, cancellation)
        }
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

    /// Makes sure that there was anything to read: a wrong folder is no reason to write a file of failures.
    ///
    /// - Parameter index: That of all clips.
    /// - Throws: `ExtractionError.noRecordingExists` if no recording is there.
    func checkAnyRecording(_ index: SpoolIndex) throws {
        let totals = index.totals
        guard totals.clips == 0, totals.failures > 0 else { return }
        if let absence = try Self.absence(of: source, root: options.root) { throw absence }
    }

    /// That no recording exists; nil: one does.
    ///
    /// - Complexity: A call of the file system for each clip up to the first whose recording exists.
    static func absence(of source: any ClipSource, root: String) throws -> ExtractionError? {
        var first: String?
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard !RecordingPath.exists(Clip.location(of: clip.path, root: root)) else { return nil }
            first = first ?? clip.path
        }
        return first.map {
            .noRecordingExists(
                manifest: source.path, count: source.clipCount, path: $0, root: root,
                MissingRecordings(source, root: root))
        }
    }

    /// Why a run that found no recording to read would write no file; nil: it would.
    package func absence() throws -> ExtractionError? { try Self.absence(of: source, root: options.root) }
}

/// An extraction that ended before the file was complete, with finished clips that the next run reuses.
package struct StoppedExtraction: Error {
    /// Why.
    package let cause: any Error
    /// Clips that are done, failed ones included.
    package let done: Int
    /// Those of them that failed.
    package let failed: Int
    /// Clips of the manifest; nil: unknown.
    package let total: Int?
    /// The folder that keeps them.
    package let folder: String
    /// Whether it was to keep all clips of an older file, which rules out replacing that.
    package let keepsAllOlder: Bool

    package init(
        cause: any Error, done: Int, failed: Int = 0, total: Int?, folder: String, keepsAllOlder: Bool = false
    ) {
        (self.cause, self.done, self.failed, self.total) = (cause, done, failed, total)
        (self.folder, self.keepsAllOlder) = (folder, keepsAllOlder)
    }

    /// Counts the clips of a run that the folder has; those that are copied from an older file are in that.
    static func with(
        _ index: SpoolIndex, cause: any Error, total: Int?, folder: String, keepsAllOlder: Bool = false
    ) -> StoppedExtraction {
        StoppedExtraction(
            cause: cause, done: index.done - index.kept, failed: index.totals.failures, total: total, folder: folder,
            keepsAllOlder: keepsAllOlder)
    }

    /// Whether it was asked to stop.
    package var isCancelled: Bool { cause as? ExtractionError == .cancelled }
}

extension StoppedExtraction: SystemFaultReporting {
    package var isSystemFault: Bool { cause.isSystemFault }
}
