import DatasetExtraction
import FeatureModel
import Presentation
import SignalProcessing

/// What an extraction would do.
struct PlanReport: Encodable {
    let output: String
    let clips: Int
    let audioSeconds: Double
    let rows: Int
    let bins: Int
    let bytes: Int
    private let type: String
    let sampleRate: Int
    let problems: Int
    private let firstProblems: [ClipSurvey.Problem]
    private let newClips: Int
    private let truncated: Int
    private let newSeconds: Double
    private let runPlan: RunPlan
    private let obstacle: String?
    private let discardedClips: Int

    private enum CodingKeys: String, CodingKey {
        case output, clips, audioSeconds = "audio_seconds", rows, bins, bytes, sampleRate = "sample_rate", problems
        case existingOutput = "existing_output", keptClips = "kept_clips", resumedClips = "resumed_clips"
        case changedClips = "changed_clips", discardedClips = "discarded_clips", clipsLeft = "clips_left", obstacle
    }

    /// - Parameters:
    ///   - survey: The clips that the plan does not keep.
    ///   - runPlan: What a run would do.
    ///   - obstacle: Why it would not start; nil: it would.
    init(
        _ survey: ClipSurvey, _ runPlan: RunPlan, obstacle: String?, plan: FeaturePlan, output: String
    ) throws {
        self.output = output
        self.runPlan = runPlan
        self.obstacle = obstacle
        discardedClips = try runPlan.discardedClips
        newClips = survey.clips
        truncated = survey.truncated
        newSeconds = survey.seconds
        clips = survey.clips + runPlan.keptClips
        audioSeconds = survey.seconds + (runPlan.base?.seconds ?? 0)
        rows =
            plan.fixedFrameCount.map { $0 * (survey.clips + runPlan.keptClips) } ?? survey.rows
            + (runPlan.base?.rows ?? 0)
        bins = plan.bins
        let element = plan.configuration.store.element
        type = element.rawValue
        let (values, overflow) = rows.multipliedReportingOverflow(by: plan.bins * element.size)
        bytes = overflow ? .max : values
        sampleRate = Int(plan.sampleRate)
        problems = survey.problemCount
        firstProblems = Array(survey.problems.prefix(10))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(output, forKey: .output)
        try container.encode(clips, forKey: .clips)
        try container.encode(audioSeconds, forKey: .audioSeconds)
        try container.encode(rows, forKey: .rows)
        try container.encode(bins, forKey: .bins)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(sampleRate, forKey: .sampleRate)
        try container.encode(problems, forKey: .problems)
        try container.encode(runPlan.output.rawValue, forKey: .existingOutput)
        try container.encode(runPlan.keptClips, forKey: .keptClips)
        try container.encode(resumed?.done ?? 0, forKey: .resumedClips)
        try container.encode(resumed?.changedCount ?? 0, forKey: .changedClips)
        try container.encode(discardedClips, forKey: .discardedClips)
        try container.encode(runPlan.clipsLeft, forKey: .clipsLeft)
        try container.encodeIfPresent(obstacle, forKey: .obstacle)
    }

    private var resumed: ResumedRun? { runPlan.resumed }

    var text: String {
        var lines = [
            "would extract  \(Wording.count(newClips, "clip")), \(Wording.duration(newSeconds)) of audio at \(sampleRate) Hz"
        ]
        if runPlan.output == .grows {
            lines.append("would keep     \(Wording.count(runPlan.keptClips, "clip")) as they are")
        }
        if let resumed {
            lines.append(
                "would go on    with an interrupted run in \(resumed.folder): \(Wording.count(resumed.done, "clip")) done, "
                    + "\(Wording.count(runPlan.clipsLeft)) left")
            if resumed.changedCount > 0 {
                lines.append(
                    "read again     \(Wording.count(resumed.changedCount, "clip")) whose recordings have changed")
            }
        }
        if let discarded = runPlan.discarded {
            lines.append(
                "would discard  \(Wording.count(discardedClips, "clip")) of an interrupted run in \(discarded.folder)")
        }
        lines += [
            "into           \(output)\(outputNote)",
            "tensor         about \(Wording.count(rows, "frame")) × \(Wording.count(bins, "bin")), \(type), "
                + "\(Wording.bytes(bytes)); as much again beside it while it is made",
        ]
        if truncated > 0 {
            lines.append("would end      \(Wording.count(truncated, "clip")) early, since the recording is cut off")
        }
        if problems > 0 {
            lines.append("would fail     \(Wording.count(problems, "clip"))")
            lines += firstProblems.map { "  \($0.path): \($0.stage.rawValue): \($0.reason)".printable }
            if problems > firstProblems.count { lines.append("  … and more: see 'veery check'") }
        }
        if runPlan.output == .upToDate { lines = ["nothing to do  \(output)\(outputNote)"] }
        if runPlan.missing.count > 0 {
            lines.append(
                "not compared   \(Wording.count(runPlan.missing.count, "kept clip")) whose recordings are not there, such as "
                    + runPlan.missing.first)
        }
        if let obstacle { lines.append("would not run  \(obstacle)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var outputNote: String {
        switch runPlan.output {
        case .absent, .grows: ""
        case .upToDate: " is up to date"
        case .comparable: ", unless its recordings have the samples that it was made from: then it is up to date"
        case .replaced: ", in place of the file that is there"
        }
    }
}
