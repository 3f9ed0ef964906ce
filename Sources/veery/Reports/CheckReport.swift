import FeaturePipeline
import Manifests

/// What a check of a manifest has found.
struct CheckReport: Encodable {
    let manifest: String
    let clips: Int
    let readable: Int
    let audioSeconds: Double
    let sampleRates: [DatasetSummary.Count]
    let channels: [DatasetSummary.Count]
    let labels: Int
    let truncated: Int
    let beforeCut: Int
    let problems: Int
    let firstProblems: [ClipSurvey.Problem]

    private enum CodingKeys: String, CodingKey {
        case manifest, clips, readable, audioSeconds = "audio_seconds", sampleRates = "sample_rates", channels, labels
        case truncated, beforeCut = "before_cut"
        case problems, firstProblems = "first_problems"
    }

    private static let listed = 50

    init(_ survey: ClipSurvey, manifest: Manifest) {
        self.manifest = manifest.path
        clips = manifest.clipCount
        readable = survey.clips
        audioSeconds = survey.seconds
        sampleRates = DatasetSummary.Count.list(survey.sampleRates)
        channels = DatasetSummary.Count.list(survey.channels)
        labels = manifest.labels.count
        truncated = survey.truncated
        beforeCut = survey.beforeCut
        problems = survey.problemCount
        firstProblems = survey.problems
    }

    /// Some lines for a person.
    var text: String {
        var lines = firstProblems.prefix(Self.listed).map {
            "\($0.path) (\($0.id)): \($0.stage.rawValue): \($0.reason)"
        }
        if problems > Self.listed { lines.append("… and \(Wording.count(problems - Self.listed)) more: see --json") }
        func list(_ counts: [DatasetSummary.Count], _ unit: (Int) -> String) -> String {
            counts.map { "\(Wording.count($0.clips)) \(unit($0.value))" }.joined(separator: ", ")
        }
        lines.append(
            "\(manifest): \(Wording.count(clips, "clip")), \(Wording.count(labels, "label")), "
                + "\(Wording.count(readable)) readable, \(Wording.duration(audioSeconds)) of audio")
        if readable > 0 {
            lines.append("recordings: \(list(sampleRates) { "at \($0) Hz" }); \(list(channels, Wording.channels))")
        }
        if truncated > 0 {
            lines.append("\(Wording.count(truncated, "clip")) would end early, since the recording is cut off")
        }
        if beforeCut > 0 {
            lines.append(
                "recordings are cut off behind \(Wording.count(beforeCut, "clip")), of which nothing is missing")
        }
        lines.append(problems == 0 ? "no problems" : Wording.count(problems, "problem"))
        return lines.joined(separator: "\n") + "\n"
    }
}
