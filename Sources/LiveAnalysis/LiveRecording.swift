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

/// The feature file that a live analysis becomes: the one that an extraction makes of the same samples.
///
/// Rows are kept in the folder that an extraction uses, beside the output, and put together by the same code, so that nothing
/// stands under the output's name before it is complete. What the recording is stands there before the first row, and every
/// second what has come is brought to the disk, with a mark of how far it is: so a recording whose program was killed, or whose
/// machine has lost its power, can be completed. See `recover`.
package final class LiveRecording: Sendable {
    /// Where each input's clip is.
    let index: SpoolIndex
    /// Whether an input has ended before what its header promised.
    let isTruncated = Atomic(false)

    /// The file to write.
    let output: String
    private let plan: FeaturePlan
    private let configuration: String
    private let clips: [Clip]
    private let spool: Spool
    private let standing: FileStamp
    private let keeping = PeriodicTask()

    /// How often rows are synced to the disk.
    private static let period = DispatchTimeInterval.seconds(1)

    /// Prepares the output.
    ///
    /// - Parameters:
    ///   - output: The file to write.
    ///   - overwriting: Whether a feature file of that name is replaced, once the new one is complete.
    ///   - note: What is recorded. The names of the inputs become their `path`, and without their extension their `id`.
    /// - Throws: `ExtractionError`, `StorageError` or `LiveError` where there is something in the way.
    convenience init(output: String, overwriting: Bool, plan: FeaturePlan, note: RecordingManifest) throws {
        let (output, standing) = try Self.destination(output, overwriting: overwriting)
        let spool = try Spool(folder: Self.folder(of: output))
        let contents = try spool.contents()
        let isOfRun = contents.map { $0.pointer != nil || ($0.identity != nil && $0.hasClips) } ?? false
        guard !isOfRun else { throw LiveError.interruptedRun(folder: spool.folder) }
        try Self.checkNone(in: spool, of: output)
        try spool.clear()
        try spool.write(note.spoolText, to: .live)
        self.init(output: output, standing: standing, spool: spool, plan: plan, note: note)
    }

    /// - Parameter standing: What stands under the output's name.
    init(output: String, standing: FileStamp, spool: Spool, plan: FeaturePlan, note: RecordingManifest) {
        self.output = output
        self.standing = standing
        self.spool = spool
        self.plan = plan
        configuration = note.configuration
        clips = Self.clips(note.inputs.map(\.name))
        index = SpoolIndex(clips: clips.count)
    }

    /// Where a recording goes that is to stand under a name, and what stands there.
    ///
    /// - Throws: `ExtractionError` where there is something in the way.
    static func destination(_ output: String, overwriting: Bool) throws -> (path: String, standing: FileStamp) {
        let output = OutputFolder.destination(output)
        try OutputFolder.check(output)
        let standing = FileStamp(path: output)
        guard standing != .absent else { return (output, standing) }
        try ExistingOutput.checkReplaceable(output, overwriting: overwriting, difference: .otherRecording)
        return (output, standing)
    }

    /// The folder that rows are kept in.
    static func folder(of output: String) -> String { output + ".spool" }

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
        // The column of clips that are truncated is that of an extraction that keeps them.
        if isTruncated.load(ordering: .relaxed) { options.policy.truncated = .keep }
        let extraction = Extraction(
            plan, json: configuration, source: try ClipList("the inputs", clips), options: options)
        let outcome = try extraction.assemble(spool, index, existing: standing)
        let totals = index.totals(plan.storedRowCount)
        return LiveSummary.File(
            path: output, clips: totals.clips, rows: totals.rows, bins: plan.bins,
            bytes: Int(max(FileStamp(path: output).byteCount, 0)), failures: outcome.firstFailures,
            warnings: outcome.warnings, patch: plan.configuration.patches.shape)
    }

    /// Leaves what was recorded for `recover`; false where there is nothing.
    func keep() -> Bool {
        keeping.stop()
        return spool.hasClips
    }

    /// Deletes what was kept.
    func remove() {
        keeping.stop()
        // That a folder cannot be deleted, such as one with someone's file in it, is no reason to fail.
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
