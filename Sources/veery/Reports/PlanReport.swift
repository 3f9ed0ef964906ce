import DatasetExtraction
import FeatureModel
import Presentation
import SignalProcessing

struct PlanReport: Encodable {
    let output: String
    let clips: Int
    let audioSeconds: Double
    let rows: Int
    let bins: Int
    let bytes: Int
    let sampleRate: Int
    let problems: Int
    private let existingOutput: String
    private let keptClips, resumedClips, changedClips, discardedClips, clipsLeft: Int
    private let obstacle: String?

    private enum CodingKeys: CodingKey {
        case output, clips, audioSeconds, rows, bins, bytes, sampleRate, problems, existingOutput, keptClips
        case resumedClips, changedClips, discardedClips, clipsLeft, obstacle
    }

    private let survey: ClipSurvey
    private let runPlan: RunPlan
    private let element: StoreConfiguration.Element

    /// - Parameters:
    ///   - survey: The clips that the plan does not keep.
    ///   - runPlan: What a run would do.
    ///   - obstacle: Why it would not start; nil: it would.
    init(
        _ survey: ClipSurvey, _ runPlan: RunPlan, obstacle: String?, plan: FeaturePlan, output: String
    ) throws {
        self.survey = survey
        self.runPlan = runPlan
        self.output = output
        self.obstacle = obstacle
        clips = survey.clips + runPlan.keptClips
        audioSeconds = survey.seconds + (runPlan.base?.seconds ?? 0)
        rows = plan.fixedFrameCount.map { [clips] in $0 * clips } ?? survey.rows + (runPlan.base?.rows ?? 0)
        bins = plan.bins
        element = plan.configuration.store.element
        let (values, overflow) = rows.multipliedReportingOverflow(by: plan.bins * element.size)
        bytes = overflow ? .max : values
        sampleRate = Int(plan.sampleRate)
        problems = survey.problemCount
        existingOutput = runPlan.output.rawValue
        keptClips = runPlan.keptClips
        resumedClips = runPlan.resumed?.done ?? 0
        changedClips = runPlan.resumed?.changedCount ?? 0
        discardedClips = try runPlan.discardedClips
        clipsLeft = runPlan.clipsLeft
    }

    var text: String {
        var lines = [
            "would extract  \(Wording.count(survey.clips, "clip")), \(Wording.duration(survey.seconds)) of audio at \(sampleRate) Hz"
        ]
        if runPlan.output == .grows {
            lines.append("would keep     \(Wording.count(keptClips, "clip"))")
        }
        if let resumed = runPlan.resumed {
            lines.append(
                "would resume   an interrupted run in \(resumed.folder): \(Wording.count(resumedClips, "clip")) done, "
                    + "\(Wording.count(clipsLeft)) left")
            if changedClips > 0 {
                lines.append("read again     \(Wording.count(changedClips, "clip")) whose recordings have changed")
            }
        }
        if let discarded = runPlan.discarded {
            lines.append(
                "would discard  \(Wording.count(discardedClips, "clip")) of an interrupted run in \(discarded.folder)")
        }
        lines += [
            "into           \(output)\(outputNote)",
            "tensor         about \(Wording.count(rows, "frame")) × \(Wording.count(bins, "bin")), \(element.rawValue), "
                + "\(Wording.bytes(bytes)); and the same for temporary files",
        ]
        if survey.truncated > 0 {
            lines.append(
                "would end      \(Wording.count(survey.truncated, "clip")) early, since the recording is cut off")
        }
        if problems > 0 {
            lines.append("would fail     \(Wording.count(problems, "clip"))")
            let shown = survey.problems.prefix(10)
            lines += shown.map { "  \($0.path): \($0.stage.rawValue): \($0.reason)".printable }
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

    private var outputNote: String {
        switch runPlan.output {
        case .absent, .grows: ""
        case .upToDate: " is up to date"
        case .comparable: ", unless the samples of its recordings are unchanged: then it is up to date"
        case .replaced: ", replacing the existing file"
        }
    }
}
