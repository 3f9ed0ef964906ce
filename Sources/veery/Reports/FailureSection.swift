import DatasetInspection
import Presentation

/// The clips that failed, by reason.
struct FailureSection {
    private let summary: DatasetSummary
    private let style: ReportStyle
    private static let mostGroups = 20

    init(_ summary: DatasetSummary, style: ReportStyle) {
        self.summary = summary
        self.style = style
    }

    /// Its lines.
    var text: String {
        guard summary.failures > 0 else { return style.entry("Failures", "none") }
        let groups = summary.failuresByReason
        let width = groups.map { Wording.count($0.clips).columns }.max() ?? 0
        let title = style.painted("Failures (\(Wording.count(summary.failures)))", .failure) + "\n"
        let shown = groups.prefix(Self.mostGroups).map { group in
            let count = "  " + Wording.count(group.clips).padded(to: width, isRight: true) + "  "
            return style.paragraph(count, "\(group.stage.rawValue): \(group.pattern)")
                + style.paragraph(String(repeating: " ", count: count.columns), examples(group))
        }
        let more = groups.count - Self.mostGroups
        return title + shown.joined()
            + (more > 0 ? "  \(style.ellipsis) and \(Wording.count(more, "more reason")): see --json\n" : "")
    }

    /// The first few clips.
    private func examples(_ group: DatasetSummary.FailureGroup) -> String {
        let ids = group.examples.prefix(3).map { style.shortened($0, to: 40) }.joined(separator: ", ")
        return group.clips > min(3, group.examples.count) ? "first: \(ids)" : ids
    }
}
