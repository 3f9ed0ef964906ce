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
    private let outlook: RunPlan

    private enum CodingKeys: String, CodingKey {
        case output, clips, audioSeconds = "audio_seconds", rows, bins, bytes, sampleRate = "sample_rate", problems
        case existingOutput = "existing_output", keptClips = "kept_clips", resumedClips = "resumed_clips"
        case changedClips = "changed_clips", discardedClips = "discarded_clips", clipsLeft = "clips_left", obstacle
    }

    /// - Parameters:
    ///   - survey: The clips that the outlook does not keep.
    ///   - outlook: What is there already.
    ///   - plan: What is computed.
    ///   - output: Path of the feature file.
    init(_ survey: ClipSurvey, _ outlook: RunPlan, plan: FeaturePlan, output: String) {
        self.output = output
        self.outlook = outlook
        newClips = survey.clips
        truncated = survey.truncated
        newSeconds = survey.seconds
        clips = survey.clips + outlook.keptClips
        audioSeconds = survey.seconds + outlook.keptSeconds
        rows = plan.fixedFrameCount.map { $0 * (survey.clips + outlook.keptClips) } ?? survey.rows + outlook.keptRows
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
        try container.encode(outlook.output.rawValue, forKey: .existingOutput)
        try container.encode(outlook.keptClips, forKey: .keptClips)
        try container.encode(resumed?.done ?? 0, forKey: .resumedClips)
        try container.encode(resumed?.changed ?? 0, forKey: .changedClips)
        try container.encode(discarded?.done ?? 0, forKey: .discardedClips)
        try container.encode(outlook.clipsLeft, forKey: .clipsLeft)
        try container.encodeIfPresent(outlook.obstacle, forKey: .obstacle)
    }

    private var resumed: RunPlan.Interrupted? { outlook.interrupted.flatMap { $0.isDiscarded ? nil : $0 } }
    private var discarded: RunPlan.Interrupted? { outlook.interrupted.flatMap { $0.isDiscarded ? $0 : nil } }

    /// Some lines for a person.
    var text: String {
        var lines = [
            "would extract  \(Wording.count(newClips, "clip")), \(Wording.duration(newSeconds)) of audio at \(sampleRate) Hz"
        ]
        if outlook.output == .grows {
            lines.append("would keep     \(Wording.count(outlook.keptClips, "clip")) as they are")
        }
        if let resumed {
            lines.append(
                "would go on    with an interrupted run in \(resumed.folder): \(Wording.count(resumed.done, "clip")) done, "
                    + "\(Wording.count(outlook.clipsLeft)) left")
            if resumed.changed > 0 {
                lines.append("read again     \(Wording.count(resumed.changed, "clip")) whose recordings have changed")
            }
        }
        if let discarded {
            lines.append(
                "would discard  \(Wording.count(discarded.done, "clip")) of an interrupted run in \(discarded.folder)")
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
        if outlook.output == .upToDate { lines = ["nothing to do  \(output)\(outputNote)"] }
        if outlook.missing.count > 0 {
            lines.append(
                "not compared   \(Wording.count(outlook.missing.count, "kept clip")) whose recordings are not there, such as "
                    + outlook.missing.first)
        }
        if let obstacle = outlook.obstacle { lines.append("would not run  \(obstacle)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var outputNote: String {
        switch outlook.output {
        case .absent, .grows: ""
        case .upToDate: " is up to date"
        case .comparable: ", unless its recordings have the samples that it was made from: then it is up to date"
        case .replaced: ", in place of the file that is there"
        }
    }
}
