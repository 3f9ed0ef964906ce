import ClipSpool
import Concurrency
import DatasetExtraction
import Dispatch
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing
import Synchronization

/// The feature file of a live analysis: the same as an extraction makes of the same samples.
///
/// Rows are kept in the folder that an extraction uses, beside the output, and assembled by the same code, so that no file has
/// the output's name before it is complete. A description of the recording is written to that folder before the first row. Every
/// second, the rows so far are synced to the disk, with a mark of their number: so a recording can be completed after the
/// program was killed or the machine lost its power. See `recover`.
package final class LiveRecording: Sendable {
    /// Where each input's clip is.
    let index: SpoolIndex
    /// Whether an input has ended before what its header promised.
    let isTruncated = Atomic(false)

    /// The file to write.
    let output: String
    private let plan: FeaturePlan
    private let configuration: String
    /// The files that values of it were read from.
    private let files: [ConfigurationInput]
    private let clips: [Clip]
    private let spool: Spool
    private let existing: FileStamp
    private let keeping = PeriodicTask()

    /// How often rows are synced to the disk.
    private static let period = DispatchTimeInterval.seconds(1)

    /// Prepares the output.
    ///
    /// - Parameters:
    ///   - output: The file to write.
    ///   - overwriting: Whether a feature file of that name is replaced, once the new one is complete.
    ///   - note: What is recorded. The names of the inputs become their `path`, and without their extension their `id`.
    /// - Throws: `ExtractionError`, `StorageError` or `LiveError` if an existing file or spool prevents the recording.
    convenience init(output: String, overwriting: Bool, plan: FeaturePlan, note: RecordingManifest) throws {
        let (output, existing) = try Self.destination(output, overwriting: overwriting)
        let spool = try Spool(folder: Self.folder(of: output))
        let contents = try spool.contents()
        let isOfRun = contents.map { $0.pointer != nil || ($0.identity != nil && $0.hasClips) } ?? false
        guard !isOfRun else { throw LiveError.interruptedRun(folder: spool.folder) }
        try Self.checkNone(in: spool, of: output)
        try spool.clear()
        try spool.write(note.spoolText, to: .live)
        self.init(output: output, existing: existing, spool: spool, plan: plan, note: note)
    }

    /// - Parameter existing: The file that has the output's name, if there is one.
    init(output: String, existing: FileStamp, spool: Spool, plan: FeaturePlan, note: RecordingManifest) {
        self.output = output
        self.existing = existing
        self.spool = spool
        self.plan = plan
        (configuration, files) = (note.configuration, note.files ?? [])
        clips = Self.clips(note.inputs.map(\.name))
        index = SpoolIndex(clips: clips.count)
    }

    /// The path that a recording is written to for a given output, and the file that exists there.
    ///
    /// - Throws: `ExtractionError` if an existing file prevents the recording.
    static func destination(_ output: String, overwriting: Bool) throws -> (path: String, existing: FileStamp) {
        let output = OutputFolder.destination(output)
        try OutputFolder.check(output)
        let existing = FileStamp(path: output)
        guard existing != .absent else { return (output, existing) }
        try ExistingOutput.checkReplaceable(output, overwriting: overwriting, difference: .otherRecording)
        return (output, existing)
    }

    /// The folder that rows are kept in.
    static func folder(of output: String) -> String { OutputFolder.spool(of: output) }

    /// What takes the rows of an input; for the thread that analyses it.
    ///
    /// - Throws: `StorageError`, `SignalError`.
    func recorder(of clip: Int) throws -> LiveRecorder {
        try LiveRecorder(clip: clip, of: clips.count, plan: plan, spool: spool)
    }

    /// Syncs the rows to the disk once a second, until `finish` or `remove`.
    ///
    /// - Throws: `NoThread`.
    func startSyncing() throws(NoThread) {
        let spool = spool
        // The writer of a file throws its errors.
        try keeping.start(every: Self.period) { try? spool.synchronize() }
    }

    /// Puts the file together once all recorders are finished.
    ///
    /// - Throws: `LiveError.nothingRecorded`, or any error that prevents the file from being written.
    func finish() throws -> LiveSummary.File {
        keeping.stop()
        spool.endWriting()
        guard index.totals.rows > 0 else { throw LiveError.nothingRecorded(output: output) }
        var options = ExtractionOptions(output: output, root: ".", jobs: 1)
        options.storesRoot = false
        options.inputs = files
        // The column of clips that are truncated is that of an extraction that keeps them.
        if isTruncated.load(ordering: .relaxed) { options.policy.truncated = .keep }
        let extraction = Extraction(
            plan, json: configuration, source: try ClipList("the inputs", clips), options: options)
        let outcome = try extraction.assemble(spool, index, existing: existing)
        let totals = index.totals(plan.storedRowCount)
        return LiveSummary.File(
            path: output, clips: totals.clips, rows: totals.rows, bins: plan.bins,
            bytes: Int(max(FileStamp(path: output).byteCount, 0)), failures: outcome.firstFailures.map(\.description),
            warnings: outcome.warnings, patch: plan.configuration.patches.shape, account: outcome.account)
    }

    /// Leaves what was recorded for `recover`; false where there is nothing.
    func keep() -> Bool {
        keeping.stop()
        return spool.hasClips
    }

    /// Deletes the recorded rows.
    func remove() {
        keeping.stop()
        // A folder that cannot be deleted, for example since it has a file of the user's, is no reason to fail.
        try? spool.remove()
    }

    /// The inputs as clips.
    private static func clips(_ names: [String]) -> [Clip] {
        var seen: Set<String> = []
        return names.enumerated().map { number, name in
            let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
            let dot = name[start...].lastIndex(of: ".") ?? name.endIndex
            var id = dot > start ? String(name[..<dot]) : name
            // Two inputs may be one name; ids are unique.
            if !seen.insert(id).inserted { id += "-\(number + 1)" }
            seen.insert(id)
            return Clip(index: number, id: id, path: name)
        }
    }
}
