import DatasetInspection
import Presentation

/// All labels of clips, and the labels of frames.
struct LabelSections {
    let summary: DatasetSummary
    let style: ReportStyle

    private static let shownPairs = 5

    /// Clips by all their labels; by their one label if the file has no matrix.
    var clips: String {
        guard let matrix = summary.labelMatrix else {
            return GroupSection("Labels", summary.labels, rest: summary.withoutLabel, style: style).text
        }
        let table = GroupSection("Labels, all of each clip", matrix.labels, rest: matrix.withoutLabel, style: style)
            .text
        guard !table.isEmpty else { return "" }
        let counts = matrix.labelsPerClip.map { "\(Wording.count($0.clips)) with \($0.value)" }
        let shown = counts.prefix(8).joined(separator: ", ") + (counts.count > 8 ? " …" : "")
        func name(_ label: Int) -> String { style.shortened(matrix.labels[label].name, to: 20) }
        let pairs = matrix.pairs.prefix(Self.shownPairs).map {
            "\(name($0.first)) + \(name($0.second)) \(Wording.count($0.clips))"
        }
        return table + style.paragraph("  ", "clips by their number of labels: \(shown)")
            + (pairs.isEmpty ? "" : style.paragraph("  ", "most often together: " + pairs.joined(separator: ", ")))
    }

    /// Frames by their labels; empty: they have none.
    var frames: String {
        guard let labels = summary.frameLabels else { return "" }
        func row(_ name: String, _ frames: Int) -> TextTable.Row {
            let share = Double(frames) / Double(max(labels.frames, 1))
            return .cells([name, Wording.count(frames), Wording.share(share)], bar: share)
        }
        let ranked = labels.labels.indices.sorted {
            (labels.labels[$1].frames, $0) < (labels.labels[$0].frames, $1)
        }.map { labels.labels[$0] }
        let shown = ranked.prefix(GroupSection.maximumShown)
        var rows = shown.map { row($0.name.isEmpty ? "(no name)" : $0.name, $0.frames) }
        if ranked.count > shown.count {
            let rest = ranked.dropFirst(shown.count).reduce(0) { $0 + $1.frames }
            rows.append(
                .note(
                    "\(style.ellipsis) and \(Wording.count(ranked.count - shown.count)) more with "
                        + Wording.count(rest, "frame")))
        }
        rows.append(row("(none)", labels.unlabelled))
        return TextTable(
            header: ["Labels of frames (\(Wording.count(ranked.count)))", "frames", "share"], rows: rows, style: style
        ).text
    }
}
