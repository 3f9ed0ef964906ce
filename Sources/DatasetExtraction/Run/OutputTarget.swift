import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Platform

/// A file, or the files of a set and their index.
final class OutputTarget: RunTarget {
    private let extraction: Extraction
    private let shards: ShardFolders
    private let start = ContinuousClock.now
    var plan: RunPlan
    /// The run's folders, once they are locked.
    private var folders: RunFolders?
    /// Whether they have this run's clips.
    private var isOpen = false
    /// The file that has the output's name when the run begins. Only this one is replaced.
    private var existing = FileStamp.absent
    private var rows: InPlaceRows?
    private var result: Assembler.Outcome?

    init(_ extraction: Extraction) {
        self.extraction = extraction
        shards = ShardFolders(output: extraction.options.output)
        plan = RunPlan(extraction)
    }

    private var options: ExtractionOptions { extraction.options }

    func begin() throws {
        try OutputFolder.check(options.output)
        folders = try RunFolders(options)
        existing = FileStamp(path: options.result)
        if options.files != nil { ReplacedSet(FeatureSetPaths(output: options.output)).removeFiles() }
    }

    func admit(_ cancellation: Cancellation) throws {
        try plan.decide(extraction, isHeld: folders != nil, cancellation: cancellation)
        guard let folders else { return }
        try folders.openClips()
        try plan.settle(extraction, cancellation)
    }

    func open(_ cancellation: Cancellation) throws -> Workplace {
        plan.forgetClipsMissingRows()
        guard let folders else { return Workplace() }
        try folders.prepare(for: plan)
        isOpen = true
        if extraction.writesRowsOnce(plan) {
            rows = try folders.clips.inPlaceRows(bins: extraction.plan.columns)
        }
        let log = plan.machines.map { MachineLog(folders.clips, record: $0.record, here: $0.here) }
        return Workplace(spool: folders.clips, rows: rows, log: log)
    }

    func assemble(_ progress: ExtractionProgress, _ cancellation: Cancellation) throws {
        guard let folders else { return }
        try extraction.checkAnyRecording(plan.index)
        progress.start(.assembling)
        let assembler = Assembler(
            extraction: extraction, spool: folders.clips, index: plan.index, kept: plan.base, rows: rows,
            mixed: plan.mixed, existing: existing, progress: progress, cancellation: cancellation)
        let temporary = folders.output.fileInProgress
        result =
            try options.files.map { try assembler.write(files: $0, temporary: temporary) }
            ?? assembler.write(to: options.output, temporary: temporary)
    }

    func summary(_ progress: ExtractionProgress) throws -> ExtractionSummary {
        var summary: ExtractionSummary
        if let result {
            summary = result.summary(of: extraction, plan.index, since: start)
            summary.resumedClips = plan.resumed?.done ?? 0
            summary.resumedAudioSeconds = (plan.resumed?.seconds ?? 0) + result.keptSeconds
        } else {
            summary = try ExistingOutput.upToDate(try FeatureReader(path: options.result), since: start)
            if options.isStrict, summary.account.hasLoss { throw ExtractionError.losses(summary.account) }
        }
        summary.changes = plan.changes
        folders?.remove()
        let left = extraction.removeOwnShards(andOthers: result != nil && options.fresh)
        let hasShards = (try? shards.contents().isEmpty) != true
        summary.warnings =
            [plan.missing.warningOfMissing, warningOfFolder, plan.machines?.warning].compactMap(\.self)
            + (result?.warnings ?? [])
            + [result == nil && hasShards ? plan.unusableShards : nil, left.warning].compactMap(\.self)
        progress.start(.finished)
        return summary
    }

    /// That the file does not name the folder of its recordings, or that older clips whose recordings were not found have paths that now
    /// start from another one; nil: neither is so.
    private var warningOfFolder: String? {
        guard result != nil else { return nil }
        if options.storesRoot, options.storedRoot == nil {
            let isKnown =
                RelativeFolder.isKnown(options.root) && RelativeFolder.isKnown(Folder.containing(options.output))
            return
                (isKnown
                ? "the folder of the recordings has a name that is not UTF-8"
                : "the system does not say where the folder of the recordings is: the folder that the command ran in was deleted")
                + ", so the file does not say where they are"
        }
        guard plan.missing.count > 0, let before = plan.base?.root, let now = options.storedRoot,
            now != before
        else { return nil }
        return
            "the file now says that its recordings are in the folder \(now), and not in \(before), as before: where those of "
            + "older clips are still there, they are not found until all are in one folder"
    }

    func end(
        after error: any Error, _ progress: ExtractionProgress, _ cancellation: Cancellation
    ) throws -> ExtractionSummary {
        guard let folders else { throw shards.cause(of: error) }
        let cause = shards.cause(of: error).orGone(folders.clips.folder)
        let index = plan.index
        guard isOpen else {
            folders.removeIfEmpty()
            throw cause
        }
        guard index.done > index.kept, folders.clips.hasClips, !cause.isWithoutRecordings else {
            folders.remove()
            throw cause
        }
        throw StoppedExtraction.with(
            index, cause: cause, total: plan.total, folder: folders.clips.folder,
            keepsAllOlder: extraction.options.update.kept == .all)
    }

    func close() { folders?.unlock() }
}

extension Extraction {
    /// Whether rows are written once, at their final offsets: unless some are in the spool already, rows are copied from an older
    /// file, there are several files, or clips are kept in a scratch folder.
    package func writesRowsOnce(_ runPlan: RunPlan) -> Bool {
        InPlaceRows.isPossible(plan.configuration) && options.files == nil && options.scratch == nil
            && runPlan.resumed == nil && runPlan.base == nil
    }
}
