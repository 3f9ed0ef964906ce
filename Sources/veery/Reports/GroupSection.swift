import DatasetInspection
import Presentation

/// The clips of each label, or of each split, with bars that show an imbalance. Of many groups, those in the middle are one line.
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

    /// A narrow terminal has no room for frames.
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
        let filled = groups.filter { $0.clips > 0 }
        guard let largest = filled.max(by: { $0.clips < $1.clips }),
            let smallest = filled.min(by: { $0.clips < $1.clips }), groups.count > 1
        else { return "" }
        let ratio = Double(largest.clips) / Double(smallest.clips)
        func name(_ group: DatasetSummary.Group) -> String {
            "\(style.shortened(group.name, to: 20)) \(Wording.count(group.clips))"
        }
        let figure = ratio < 9.95 ? Wording.number((ratio * 10).rounded() / 10) : Wording.count(Int(ratio.rounded()))
        var sentence = "largest to smallest \(figure) : 1"
        if ratio > 1 { sentence += " (\(name(largest)), \(name(smallest)))" }
        let empty = groups.count - filled.count
        if empty > 0 { sentence += "; without clips: \(Wording.count(empty))" }
        let lines = style.paragraph("  ", sentence).split(separator: "\n")
        return lines.map { style.painted(String($0), ratio >= Self.worrying ? .warning : .faint) + "\n" }.joined()
    }
}
