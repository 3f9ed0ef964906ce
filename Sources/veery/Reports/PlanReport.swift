import DatasetExtraction
import FeatureModel
import FeatureStorage
import Messages
import Presentation
import SignalProcessing

struct PlanReport: Encodable {
    /// The clips that are not kept from an existing file.
    let survey: ClipSurvey
    let runPlan: RunPlan
    let discardedClips: Int
    /// Why it would not start; nil: it would.
    let obstacle: String?
    let plan: FeaturePlan
    var task = RunTask.output
    /// The path that would be written.
    let output: String
    /// Number of the files that the output is the index of; nil: it is one file.
    var files: Int?
    /// Whether rows are written to the file at once, unless the run is interrupted.
    var writesRowsOnce = false
    var account = Account()

    var rows: Int { plan.fixedFrameCount.map { $0 * clips } ?? survey.rows + (runPlan.base?.rows ?? 0) }

    private var clips: Int { survey.clips + runPlan.keptClips }
    private var element: StoreConfiguration.Element { plan.configuration.store.element }

    private var bytes: Int { byteCount(ofRow: plan.columns * element.size) }

    /// The same of temporary files: rows as they are before normalisation and conversion to the stored type.
    private var temporaryBytes: Int { byteCount(ofRow: plan.rowWidth * MemoryLayout<Float>.size) }

    private func byteCount(ofRow size: Int) -> Int {
        let (bytes, overflow) = rows.multipliedReportingOverflow(by: size)
        return overflow ? .max : bytes
    }

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "output": output, "clips": clips, "audioSeconds": survey.seconds + (runPlan.base?.seconds ?? 0),
            "rows": rows, "bins": plan.bins, "bytes": bytes, "sampleRate": Int(plan.sampleRate),
            "problems": survey.problemCount, "firstProblems": survey.problems,
            "existingOutput": runPlan.output.rawValue,
            "keptClips": runPlan.keptClips, "resumedClips": runPlan.resumed?.done ?? 0,
            "changedClips": runPlan.resumed?.changedCount ?? 0, "discardedClips": discardedClips,
            "clipsLeft": runPlan.clipsLeft, "obstacle": obstacle,
            "sync": runPlan.changes.map { SyncReport(plan: $0) },
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    var text: String {
        var lines = [
            "\(isOfDone ? "would write    " : "would extract  ")\(Wording.count(survey.clips, "clip")), \(Wording.duration(survey.seconds)) of audio at \(Int(plan.sampleRate)) Hz"
        ]
        if let changes = runPlan.changes { lines += SyncReport(plan: changes).lines }
        if runPlan.output == .grows || runPlan.output == .follows {
            lines.append("would keep     \(Wording.count(runPlan.keptClips, "clip"))")
        }
        if let resumed = runPlan.resumed {
            lines.append(
                "\(Self.taken(resumed)): \(Wording.count(resumed.done, "clip")) done, "
                    + "\(Wording.count(runPlan.clipsLeft)) left")
            let changed = resumed.changedCount
            if changed > 0 {
                lines.append("read again     \(Wording.count(changed, "clip")) whose recordings have changed")
            }
        }
        if let discarded = runPlan.discarded {
            lines.append(
                "would discard  \(Wording.count(discardedClips, "clip")) of an interrupted run in \(discarded.folder)")
        }
        lines += [
            "into           \(destination)\(outputNote)",
            "\(isOfShard ? "rows           " : "tensor         ")about "
                + TensorWords.text(
                    rows: rows, bins: plan.bins, patch: plan.configuration.patches.shape, channels: plan.channelAxis)
                + (isOfShard
                    ? ", \(plan.hasRests ? "2 × " : "")float32, \(Wording.bytes(temporaryBytes))"
                    : ", \(element.rawValue), \(Wording.bytes(bytes))")
                + temporary,
        ]
        let truncated = account.count(of: .recordingsTruncated)
        if truncated > 0 {
            lines.append("would end      \(Wording.count(truncated, "clip")) early, since the recording is cut off")
        }
        let problems = survey.problemCount
        if problems > 0 {
            lines.append("would fail     \(Wording.count(problems, "clip"))")
            let shown = survey.problems.prefix(10)
            lines += shown.map { "  \($0.path) (\($0.id)): \($0.stage.rawValue): \($0.reason)".printable }
            if problems > shown.count { lines.append("  … and more: see 'veery check'") }
        }
        if runPlan.output == .upToDate { lines = ["nothing to do  \(output)\(outputNote)"] }
        if runPlan.missing.count > 0 {
            lines.append(
                "not compared   \(Wording.count(runPlan.missing.count, "kept clip")) whose recordings are missing, such as "
                    + runPlan.missing.first)
        }
        if let obstacle { lines.append("would not run  \(obstacle)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var destination: String {
        guard case .output = task, let files else { return output }
        return "\(Wording.count(files, "file")) and their index \(output)"
    }

    private var isOfShard: Bool { if case .shard = task { true } else { false } }
    /// Whether all clips are done before the run, as they are for a file of a set.
    private var isOfDone: Bool { if case .setFile = task { true } else { false } }

    /// The rest of the line about rows.
    private var temporary: String {
        switch task {
        case .output:
            "; \(writesRowsOnce ? "if interrupted," : "and") "
                + (temporaryBytes == bytes ? "the same" : Wording.bytes(temporaryBytes)) + " for temporary files"
        case .shard: ", before normalisation"
        case .setFile: ", of the rows in the shards"
        }
    }

    private var outputNote: String {
        switch (runPlan.output, task) {
        case (.absent, _), (.grows, _), (.follows, _): ""
        case (.upToDate, .shard): " is done"
        case (.comparable, .shard):
            ", unless the output has its clips, and the samples of their recordings are unchanged"
        case (.upToDate, _): " is up to date"
        case (.comparable, _): ", unless the samples of its recordings are unchanged: then it is up to date"
        case (.replaced, _): ", replacing the existing file"
        }
    }

    /// The interrupted run or shards that would be used.
    private static func taken(_ resumed: ResumedRun) -> String {
        guard let shards = resumed.shardFolder else { return "would resume   an interrupted run in \(resumed.folder)" }
        return resumed.isOfShardsAlone
            ? "would take up  shards in \(shards)"
            : "would resume   an interrupted run in \(resumed.folder), with shards in \(shards)"
    }
}
