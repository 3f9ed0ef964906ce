import FeatureModel
import FeaturePipeline
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

    private enum CodingKeys: String, CodingKey {
        case output, clips, audioSeconds = "audio_seconds", rows, bins, bytes, sampleRate = "sample_rate", problems
    }

    init(_ survey: ClipSurvey, plan: FeaturePlan, output: String) {
        self.output = output
        clips = survey.clips
        audioSeconds = survey.seconds
        rows = plan.fixedFrameCount.map { $0 * survey.clips } ?? survey.rows
        bins = plan.bins
        let element = plan.configuration.store.element
        type = element.rawValue
        let (values, overflow) = rows.multipliedReportingOverflow(by: plan.bins * element.size)
        bytes = overflow ? .max : values
        sampleRate = Int(plan.sampleRate)
        problems = survey.problemCount
        firstProblems = Array(survey.problems.prefix(10))
    }

    /// Some lines for a person.
    var text: String {
        var lines = [
            "would extract  \(Wording.count(clips, "clip")), \(Wording.duration(audioSeconds)) of audio at \(sampleRate) Hz",
            "into           \(output)",
            "tensor         about \(Wording.count(rows, "frame")) × \(Wording.count(bins, "bin")), \(type), "
                + "\(Wording.bytes(bytes)); as much again beside it while it is made",
        ]
        if problems > 0 {
            lines.append("would fail     \(Wording.count(problems, "clip"))")
            lines += firstProblems.map { "  \($0.path): \($0.stage.rawValue): \($0.reason)" }
            if problems > firstProblems.count { lines.append("  … and more: see 'veery check'") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
