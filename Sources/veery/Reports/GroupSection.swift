import DatasetInspection
import Presentation

/// The clips of each label, or of each split, with bars that show an imbalance. If there are many groups, those in the middle share one line.
struct GroupSection {
    private let title: String
    private let groups: [DatasetSummary.Group]
    private let rest: DatasetSummary.Group
    private let style: ReportStyle

    /// Maximum number of groups that are all shown; of more, the largest and the smallest.
    static let maximumShown = 24
    private static let shown = (largest: 16, smallest: 4)
    /// The ratio of largest to smallest from which an imbalance is a warning.
    private static let worrying = 10.0

    /// - Parameters:
    ///   - rest: The clips that are in no group; they are last.
    ///   - isBySize: Whether the largest groups are first.
    init(
        _ title: String, _ groups: [DatasetSummary.Group], rest: DatasetSummary.Group, isBySize: Bool = true,
        style: ReportStyle
    ) {
        self.title = title
        self.groups = isBySize || groups.count > Self.maximumShown ? groups.sorted { $0.clips > $1.clips } : groups
        self.rest = rest
        self.style = style
    }

    /// Empty if there are no groups.
    var text: String {
        guard !groups.isEmpty else { return "" }
        var rows: [TextTable.Row]
        if groups.count > Self.maximumShown {
            let middle = groups[Self.shown.largest..<groups.count - Self.shown.smallest]
            rows = groups.prefix(Self.shown.largest).map { row($0) } + [.note(folded(middle))]
            rows += groups.suffix(Self.shown.smallest).map { row($0) }
        } else {
            rows = groups.map { row($0) }
        }
        if rest.clips > 0 { rows.append(row(rest, name: "(none)")) }
        let header =
            ["\(title) (\(Wording.count(groups.count)))", "clips"] + (hasFrames ? ["frames"] : []) + ["length"]
        return TextTable(header: header, rows: rows, style: style).text + imbalance
    }

    /// Whether frames are shown, for which a narrow terminal has no room.
    private var hasFrames: Bool { style.width >= 60 }

    private func row(_ group: DatasetSummary.Group, name: String? = nil) -> TextTable.Row {
        .cells(
            [name ?? group.name, Wording.count(group.clips)] + (hasFrames ? [Wording.count(group.frames)] : [])
                + [Wording.duration(group.seconds)],
            bar: Double(group.clips))
    }

    /// `… and 1,980 more with 3 to 41 clips, median 12`
    private func folded(_ groups: ArraySlice<DatasetSummary.Group>) -> String {
        let counts = groups.map(\.clips).sorted()
        let (smallest, largest) = (counts.first ?? 0, counts.last ?? 0)
        let middle = Double(counts[(counts.count - 1) / 2] + counts[counts.count / 2]) / 2
        let sizes =
            smallest == largest
            ? "\(Wording.count(smallest, "clip")) each"
            : "\(Wording.count(smallest)) to \(Wording.count(largest, "clip")), median \(Wording.number(middle))"
        return "\(style.ellipsis) and \(Wording.count(counts.count)) more with \(sizes)"
    }

    /// The ratio of the largest group to the smallest, in words.
    private var imbalance: String {
        let nonEmpty = groups.filter { $0.clips > 0 }
        guard let largest = nonEmpty.max(by: { $0.clips < $1.clips }),
            let smallest = nonEmpty.min(by: { $0.clips < $1.clips }), groups.count > 1
        else { return "" }
        let ratio = Double(largest.clips) / Double(smallest.clips)
        func name(_ group: DatasetSummary.Group) -> String {
            "\(style.shortened(group.name, to: 20)) \(Wording.count(group.clips))"
        }
        let number = ratio < 9.95 ? Wording.number((ratio * 10).rounded() / 10) : Wording.count(Int(ratio.rounded()))
        var sentence = "largest to smallest \(number) : 1"
        if ratio > 1 { sentence += " (\(name(largest)), \(name(smallest)))" }
        let empty = groups.count - nonEmpty.count
        if empty > 0 { sentence += "; without clips: \(Wording.count(empty))" }
        let lines = style.paragraph("  ", sentence).split(separator: "\n")
        return lines.map { style.painted(String($0), ratio >= Self.worrying ? .warning : .faint) + "\n" }.joined()
    }
}

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
