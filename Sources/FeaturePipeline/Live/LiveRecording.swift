import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing

/// The feature file that a live analysis becomes: the one that an extraction makes of the same samples.
///
/// Rows are kept in the folder that an extraction uses, beside the output, and put together by the same code, so that nothing
/// stands under the output's name before it is complete.
final class LiveRecording: Sendable {
    /// Where each input's clip is.
    let index: SpoolIndex
    /// What one should know before anything is recorded, a sentence each.
    let warnings: [String]

    private let output: String
    private let plan: FeaturePlan
    private let configuration: String
    private let clips: [Clip]
    private let spool: Spool
    private let standing: RecordingStamp

    /// Prepares the output.
    ///
    /// - Parameters:
    ///   - output: The file to write.
    ///   - overwriting: Whether a feature file of that name is replaced, once the new one is complete.
    ///   - names: What the inputs are called, which becomes their `path`, and without its extension their `id`.
    ///   - configuration: As JSON, for the file.
    /// - Throws: `ExtractionError`, `StorageError` or `LiveError` where there is something in the way.
    init(
        output: String, overwriting: Bool, names: [String], plan: FeaturePlan, configuration: String
    ) throws {
        let output = OutputFolder.destination(output)
        try OutputFolder.check(output)
        standing = RecordingStamp(path: output)
        if standing != .absent {
            guard ExistingOutput.isReplaceable(output) else { throw ExtractionError.notReplaceable(path: output) }
            guard overwriting else {
                throw ExtractionError.outputExists(path: output, difference: "is not this recording")
            }
        }
        self.output = output
        self.plan = plan
        self.configuration = configuration
        clips = Self.clips(names)
        index = SpoolIndex(clips: clips.count)
        spool = try Spool(folder: output + ".spool")
        let isOthers = try spool.pointer() != nil || (spool.identity() != nil && spool.hasClips)
        guard !isOthers else { throw LiveError.interruptedRun(folder: spool.folder) }
        // What a live analysis has left that was killed is of no use to anyone: it lacks what a file needs of each clip.
        warnings = spool.hasClips ? [Self.discarded(spool.folder)] : []
        try spool.clear()
    }

    private static func discarded(_ folder: String) -> String {
        "\(folder): deleted what was left here by a recording that was killed before its file was complete"
    }

    /// What takes the rows of an input; for the thread that analyses it.
    ///
    /// - Throws: `StorageError`, `SignalError`.
    func tape(of clip: Int) throws -> LiveTape {
        try LiveTape(clip: clip, of: clips.count, plan: plan, spool: spool)
    }

    /// Puts the file together once all tapes are finished.
    ///
    /// - Throws: `LiveError.nothingRecorded`, or whatever keeps the file from being written.
    func finish() throws -> LiveSummary.File {
        spool.endWriting()
        guard index.totals.rows > 0 else { throw LiveError.nothingRecorded(output: output) }
        defer { unlink(spool.manifest) }
        try ManifestWriter(format: .csv).write(clips, to: spool.manifest, overwriting: true)
        let manifest = try Manifest.scan(path: spool.manifest, format: .csv)
        let assembler = Assembler(
            manifest: manifest, plan: plan, configuration: configuration, spool: spool, index: index, jobs: 1,
            statistics: nil, kept: nil, rows: nil, standing: standing, progress: ExtractionProgress(),
            cancellation: Cancellation())
        let outcome = try assembler.write(to: output, temporary: spool.fileInProgress)
        let totals = index.totals
        return LiveSummary.File(
            path: output, clips: totals.clips, rows: totals.rows, bins: plan.bins,
            bytes: Int(max(RecordingStamp(path: output).byteCount, 0)), failures: outcome.firstFailures,
            warnings: outcome.warnings)
    }

    /// Deletes what was kept.
    func remove() {
        // That a folder cannot be deleted, such as one with someone's file in it, is no reason to fail.
        try? spool.remove()
    }

    /// The rows of a manifest of the inputs.
    private static func clips(_ names: [String]) -> [Clip] {
        var seen: Set<String> = []
        return names.enumerated().map { number, name in
            let stem = (name as NSString).deletingPathExtension
            var id = stem.isEmpty ? name : stem
            // Two inputs may be one name; ids are unique.
            if !seen.insert(id).inserted { id += "-\(number + 1)" }
            seen.insert(id)
            return Clip(index: number, id: id, path: name)
        }
    }
}
