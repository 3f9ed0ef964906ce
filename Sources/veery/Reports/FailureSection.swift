import DatasetInspection
import Presentation

/// The clips that failed, by kind and reason.
struct FailureSection {
    private let summary: DatasetSummary
    private let style: ReportStyle
    private static let maximumGroups = 20

    init(_ summary: DatasetSummary, style: ReportStyle) {
        self.summary = summary
        self.style = style
    }

    var text: String {
        guard summary.failures > 0 else { return style.entry("Failures", "none") }
        let groups = summary.failuresByReason
        let width = summary.failuresByKind.map { Wording.count($0.clips).columns }.max() ?? 0
        let title = style.painted("Failures (\(Wording.count(summary.failures)))", .failure) + "\n"
        let shown = groups.prefix(Self.maximumGroups)
        var text = title
        for kind in summary.failuresByKind {
            let own = shown.filter { $0.stage == kind.stage && $0.kind == kind.kind }
            guard !own.isEmpty else { break }
            // A kind with one reason needs no line of its own; neither have files without kinds any.
            guard own.count > 1, let name = kind.kind else {
                for group in own {
                    text += lines(group, "\(group.stage.rawValue): \(group.pattern)", width: width, indent: 2)
                }
                continue
            }
            text += style.paragraph(count(kind.clips, width: width, indent: 2), "\(kind.stage.rawValue): \(name)")
            let ownWidth = own.map { Wording.count($0.clips).columns }.max() ?? 0
            for group in own { text += lines(group, group.pattern, width: ownWidth, indent: width + 4) }
        }
        let more = groups.count - shown.count
        return text + (more > 0 ? "  \(style.ellipsis) and \(Wording.count(more, "more reason")): see --json\n" : "")
    }

    /// A reason and its examples.
    private func lines(_ group: DatasetSummary.FailureGroup, _ words: String, width: Int, indent: Int) -> String {
        let count = count(group.clips, width: width, indent: indent)
        return style.paragraph(count, words)
            + style.paragraph(String(repeating: " ", count: count.columns), examples(group))
    }

    private func count(_ clips: Int, width: Int, indent: Int) -> String {
        String(repeating: " ", count: indent) + Wording.count(clips).padded(to: width, isRight: true) + "  "
    }

    /// The first few clips.
    private func examples(_ group: DatasetSummary.FailureGroup) -> String {
        let ids = group.examples.prefix(3).map { style.shortened($0, to: 40) }.joined(separator: ", ")
        return group.clips > min(3, group.examples.count) ? "first: \(ids)" : ids
    }
}
