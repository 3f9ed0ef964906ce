import DatasetChecks
import DatasetExtraction
import DatasetInspection
import DatasetReports
import Essentials
import FeatureModel
import FeatureStorage
import Manifests
import Messages
import Presentation

struct CheckReport: Encodable {
    let check: DatasetCheck
    let manifest: Manifest
    let account: Account

    /// Maximum number of failed clips that are listed, and of examples of other kinds.
    private static let listedFailures = 50
    private static let listed = 5

    /// Whether there are errors, not only warnings.
    var hasProblems: Bool { check.hasErrors }

    private var survey: ClipSurvey { check.survey }
    private var leaks: SplitLeaks { check.leaks }
    private var sampleRates: [DatasetSummary.Count] { DatasetSummary.Count.list(survey.sampleRates) }
    private var channels: [DatasetSummary.Count] { DatasetSummary.Count.list(survey.channels) }

    func encode(to encoder: any Encoder) throws {
        let kinds = check.groups.map { group in
            JSONObject(entries: [
                "kind": group.kind.rawValue, "severity": group.kind.severity.rawValue, "meaning": group.kind.meaning,
                "mend": group.mend, "clips": group.clips, "first": group.examples,
            ])
        }
        try JSONObject(entries: [
            "manifest": manifest.path, "clips": manifest.clipCount, "readable": survey.clips,
            "audioSeconds": survey.seconds, "sampleRates": sampleRates, "channels": channels,
            "labels": manifest.labels.count, "truncated": survey.truncated, "beforeCut": survey.beforeCut,
            "problems": survey.problemCount, "firstProblems": survey.problems, "leaks": leaks.overlappingClips,
            "firstLeaks": leaks.overlapping, "sharedRecordings": leaks.sharedRecordings, "firstShared": leaks.shared,
            "recordings": check.recordings, "deep": check.isDeep, "kinds": kinds,
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    // MARK: - Text

    var text: String {
        var lines = check.groups.flatMap(lines)
        lines.append(
            "\(manifest.path.printable): \(Wording.count(manifest.clipCount, "clip")), "
                + "\(Wording.count(manifest.labels.count, "label")), \(Wording.count(survey.clips)) readable, "
                + "\(Wording.duration(survey.seconds)) of audio")
        if survey.clips > 0 {
            lines.append("\(Wording.count(check.recordings, "recording")); clips: \(rates); \(channelCounts)")
        }
        let (truncated, beforeCut) = (survey.truncated, survey.beforeCut)
        if truncated > 0 {
            lines.append("\(Wording.count(truncated, "clip")) would end early, since the recording is cut off")
        }
        if beforeCut > 0 {
            lines.append(
                "\(Wording.count(beforeCut, "clip")) \(beforeCut == 1 ? "is" : "are") complete, but "
                    + "\(beforeCut == 1 ? "its recording is" : "their recordings are") cut off later"
            )
        }
        return (lines + [conclusion]).joined(separator: "\n") + "\n"
    }

    private var rates: String {
        sampleRates.map { "\(Wording.count($0.clips)) at \(Wording.count($0.value)) Hz" }.joined(separator: ", ")
    }

    private var channelCounts: String {
        channels.map { "\(Wording.count($0.clips)) \(Wording.channels($0.value))" }.joined(separator: ", ")
    }

    private func lines(_ group: ProblemGroup) -> [String] {
        let kind = group.kind
        // Segments of speech overlap as a rule: one pair shows which.
        let listed = kind == .overlappingSegments ? 1 : kind.isUnusable ? Self.listedFailures : Self.listed
        let shown = group.examples.prefix(listed)
        var lines = [heading(group)]
        lines += shown.map { example in
            let path = kind == .overlapAcrossSplits || kind == .recordingAcrossSplits
            return "  \(example.path)\(path ? "" : " (\(example.id))"): \(example.text)".printable
        }
        let rest = count(group) - shown.count
        if rest > 0 { lines.append("  … and \(Wording.count(rest)) more: see --json") }
        lines.append("  → \(group.mend.printable)")
        return lines
    }

    /// Clips, or labels, recordings and groups: what each example stands for.
    private func count(_ group: ProblemGroup) -> Int {
        switch group.kind {
        case .overlapAcrossSplits: leaks.overlappingRecordings
        case .recordingAcrossSplits: leaks.sharedRecordings
        case .groupAcrossSplits, .labelSpelling, .labelAbsentFromSplit, .labelImbalance: group.examples.count
        default: group.clips
        }
    }

    private func heading(_ group: ProblemGroup) -> String {
        let clips = Wording.count(group.clips, "clip")
        switch group.kind {
        case .overlapAcrossSplits:
            return "leak: \(clips) of \(Wording.count(leaks.overlappingRecordings, "recording")) "
                + "\(group.clips == 1 ? "overlaps" : "overlap") in time with a clip of another split:"
        case .recordingAcrossSplits:
            let shared = leaks.sharedRecordings
            return "warning: \(Wording.count(shared, "recording")) \(shared == 1 ? "has" : "have") clips in several "
                + "splits, without overlap in time:"
        default:
            let severity = group.kind.isLeak ? "leak" : group.kind.severity.rawValue
            return "\(severity): \(clips): \(group.kind.meaning)"
        }
    }

    private var conclusion: String {
        let leaking = check.groups.filter(\.kind.isLeak).reduce(0) { $0 + $1.clips }
        let found =
            (survey.problemCount > 0 ? [Wording.count(survey.problemCount, "problem")] : [])
            + (leaking > 0 ? [Wording.count(leaking, "leaking clip")] : [])
        guard found.isEmpty else { return found.joined(separator: ", ") }
        let warnings = check.groups.count { $0.kind.severity == .warning }
        return warnings > 0 ? "no problems; \(Wording.count(warnings, "warning"))" : "no problems"
    }

    // MARK: - Page

    var page: CheckPage {
        let errors = check.groups.filter { $0.kind.severity == .error }
        return CheckPage(
            fileName: URL(filePath: manifest.path).lastPathComponent,
            lead: check.isDeep
                ? "Every recording was decoded." : "The headers of all recordings were read; nothing was decoded.",
            cards: [
                .init("Clips", Wording.count(manifest.clipCount), "\(Wording.count(survey.clips)) readable"),
                .init(
                    "Recordings", Wording.count(check.recordings),
                    "\(Wording.duration(survey.seconds)) of audio in clips"),
                .init("Sample rates", Wording.count(sampleRates.count), rates),
                .init("Channels", Wording.count(channels.count), channelCounts),
                .init(
                    "Labels", Wording.count(manifest.labels.count),
                    manifest.splits.isEmpty
                        ? "no splits" : "splits: " + manifest.splits.map(\.name).joined(separator: ", ")),
                .init(
                    "Errors", Wording.count(errors.count), errors.isEmpty ? "none found" : conclusion),
            ], sections: check.groups.map(section))
    }

    private func section(_ group: ProblemGroup) -> CheckPage.Section {
        let heading = heading(group)
        let rest = count(group) - group.examples.count
        return CheckPage.Section(
            id: group.kind.rawValue.replacing("_", with: "-"),
            title: heading.hasSuffix(":") ? String(heading.dropLast()) : heading, text: group.kind.meaning,
            mend: group.mend,
            rows: group.examples.map { [$0.id, $0.path, $0.text] },
            note: rest > 0 ? "\(Wording.count(rest)) more are not listed." : "")
    }
}
