import DatasetExtraction
import DatasetInspection
import Manifests
import Presentation

struct CheckReport: Encodable {
    let survey: ClipSurvey
    let splits: SplitLeaks
    let manifest: Manifest

    private static let listed = 50
    private static let listedFindings = 5

    /// Whether there are errors, not only warnings.
    var hasProblems: Bool { survey.problemCount > 0 || splits.overlappingClips > 0 }

    private var sampleRates: [DatasetSummary.Count] { DatasetSummary.Count.list(survey.sampleRates) }
    private var channels: [DatasetSummary.Count] { DatasetSummary.Count.list(survey.channels) }

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "manifest": manifest.path, "clips": manifest.clipCount, "readable": survey.clips,
            "audioSeconds": survey.seconds, "sampleRates": sampleRates, "channels": channels,
            "labels": manifest.labels.count, "truncated": survey.truncated, "beforeCut": survey.beforeCut,
            "problems": survey.problemCount, "firstProblems": survey.problems, "leaks": splits.overlappingClips,
            "firstLeaks": splits.overlapping, "sharedRecordings": splits.sharedRecordings, "firstShared": splits.shared,
        ]).encode(to: encoder)
    }

    var text: String {
        let (problems, leaks) = (survey.problemCount, splits.overlappingClips)
        let (truncated, beforeCut) = (survey.truncated, survey.beforeCut)
        var lines = survey.problems.prefix(Self.listed).map {
            "\($0.path) (\($0.id)): \($0.stage.rawValue): \($0.reason)".printable
        }
        if problems > Self.listed { lines.append("… and \(Wording.count(problems - Self.listed)) more: see --json") }
        func list(_ counts: [DatasetSummary.Count], _ unit: (Int) -> String) -> String {
            counts.map { "\(Wording.count($0.clips)) \(unit($0.value))" }.joined(separator: ", ")
        }
        lines.append(
            "\(manifest.path.printable): \(Wording.count(manifest.clipCount, "clip")), "
                + "\(Wording.count(manifest.labels.count, "label")), \(Wording.count(survey.clips)) readable, "
                + "\(Wording.duration(survey.seconds)) of audio")
        if survey.clips > 0 {
            lines.append("recordings: \(list(sampleRates) { "at \($0) Hz" }); \(list(channels, Wording.channels))")
        }
        if truncated > 0 {
            lines.append("\(Wording.count(truncated, "clip")) would end early, since the recording is cut off")
        }
        if beforeCut > 0 {
            lines.append(
                "\(Wording.count(beforeCut, "clip")) \(beforeCut == 1 ? "is" : "are") complete, but "
                    + "\(beforeCut == 1 ? "its recording is" : "their recordings are") cut off later"
            )
        }
        func list(_ findings: [SplitLeaks.Finding], of all: Int) -> [String] {
            let shown = findings.prefix(Self.listedFindings)
            let rest = all > shown.count ? ["  … and \(Wording.count(all - shown.count)) more recordings"] : []
            return shown.map { "  \($0.path): \($0.words)".printable } + rest
        }
        if leaks > 0 {
            let verb = leaks == 1 ? "overlaps" : "overlap"
            lines.append(
                "leak: \(Wording.count(leaks, "clip")) of \(Wording.count(splits.overlappingRecordings, "recording")) \(verb) in "
                    + "time with a clip of another split:")
            lines += list(splits.overlapping, of: splits.overlappingRecordings)
        }
        let shared = splits.sharedRecordings
        if shared > 0 {
            lines.append(
                "warning: \(Wording.count(shared, "recording")) \(shared == 1 ? "has" : "have") clips in several splits, "
                    + "without overlap in time:")
            lines += list(splits.shared, of: shared)
        }
        let found =
            (problems > 0 ? [Wording.count(problems, "problem")] : [])
            + (leaks > 0 ? [Wording.count(leaks, "leaking clip")] : [])
        lines.append(found.isEmpty ? "no problems" : found.joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n"
    }
}
