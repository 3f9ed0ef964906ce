import DatasetExtraction
import DatasetInspection
import Manifests
import Presentation

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
    let leaks: Int
    let firstLeaks: [SplitLeaks.Finding]
    let sharedRecordings: Int
    let firstShared: [SplitLeaks.Finding]

    private enum CodingKeys: CodingKey {
        case manifest, clips, readable, audioSeconds, sampleRates, channels, labels, truncated, beforeCut
        case problems, firstProblems, leaks, firstLeaks, sharedRecordings, firstShared
    }

    private let leakingRecordings: Int

    private static let listed = 50
    private static let listedFindings = 5

    /// Whether there are errors, not only warnings.
    var hasProblems: Bool { problems > 0 || leaks > 0 }

    init(_ survey: ClipSurvey, _ splits: SplitLeaks, manifest: Manifest) {
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
        leaks = splits.overlappingClips
        firstLeaks = splits.overlapping
        sharedRecordings = splits.sharedRecordings
        firstShared = splits.shared
        leakingRecordings = splits.overlappingRecordings
    }

    var text: String {
        var lines = firstProblems.prefix(Self.listed).map {
            "\($0.path) (\($0.id)): \($0.stage.rawValue): \($0.reason)".printable
        }
        if problems > Self.listed { lines.append("… and \(Wording.count(problems - Self.listed)) more: see --json") }
        func list(_ counts: [DatasetSummary.Count], _ unit: (Int) -> String) -> String {
            counts.map { "\(Wording.count($0.clips)) \(unit($0.value))" }.joined(separator: ", ")
        }
        lines.append(
            "\(manifest.printable): \(Wording.count(clips, "clip")), \(Wording.count(labels, "label")), "
                + "\(Wording.count(readable)) readable, \(Wording.duration(audioSeconds)) of audio")
        if readable > 0 {
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
                "leak: \(Wording.count(leaks, "clip")) of \(Wording.count(leakingRecordings, "recording")) \(verb) in time with a "
                    + "clip of another split:")
            lines += list(firstLeaks, of: leakingRecordings)
        }
        if sharedRecordings > 0 {
            lines.append(
                "warning: \(Wording.count(sharedRecordings, "recording")) \(sharedRecordings == 1 ? "has" : "have") clips in several "
                    + "splits, without overlap in time:")
            lines += list(firstShared, of: sharedRecordings)
        }
        let found =
            (problems > 0 ? [Wording.count(problems, "problem")] : [])
            + (leaks > 0 ? [Wording.count(leaks, "leaking clip")] : [])
        lines.append(found.isEmpty ? "no problems" : found.joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n"
    }
}
