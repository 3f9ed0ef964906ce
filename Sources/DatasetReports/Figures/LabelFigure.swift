import DatasetInspection
import Presentation

enum LabelFigure {
    static let maximumBars = 30
    static let maximumRows = 2000
    /// Maximum number of splits that have a colour of their own; further ones share the last.
    static let maximumColors = 5

    /// The labels with their numbers of clips, the largest first; the last index is for clips without a label.
    static func ranked(_ census: ClipCensus) -> [(index: Int, clips: Int)] {
        let (counts, width) = (census.counts, max(census.splits.count, 1))
        let totals = stride(from: 0, to: counts.count, by: width).map { row in
            counts[row..<min(row + width, counts.count)].reduce(0, +)
        }
        return totals.enumerated().map { (index: $0, clips: $1) }
            .filter { $0.index < census.labels.count || $0.clips > 0 }
            .sorted { ($1.clips, $0.index) < ($0.clips, $1.index) }
    }

    /// The figure; nil: no clip has a label and all are of one split.
    static func make(_ report: DatasetReport) -> Figure? {
        let census = report.census
        // All labels of clips have a figure of their own.
        guard report.summary.labelMatrix == nil || census.labelOf.contains(where: { $0 >= 0 }) else { return nil }
        let ranked = ranked(census)
        guard !ranked.isEmpty, !(census.labels.isEmpty && census.splits.count < 2) else { return nil }
        let shown = ranked.prefix(maximumBars)
        let counts = census.counts
        let splits = census.splits
        let largest = Double(max(shown.map(\.clips).max() ?? 1, 1))
        let (left, right, step) = (150.0, 424.0, 19.0)
        var drawing = SVGDrawing()
        var top = splits.count > 1 ? legend(splits, on: &drawing) : 4
        for label in shown {
            let name = label.index < census.labels.count ? census.labels[label.index] : "(none)"
            drawing.text(name.visible.start(ofColumns: 18), x: left - 8, y: top + 13, anchor: .end)
            var start = left
            for split in splits.indices {
                let count = counts[label.index * splits.count + split]
                guard count > 0 else { continue }
                let width = Double(count) / largest * (right - left)
                let part = splits.count > 1 ? ", \(splitName(splits[split]))" : ""
                drawing.rectangle(
                    x: start, y: top + 2, width: width, height: step - 5, style: "s\(min(split, maximumColors - 1))",
                    title: "\(DisplayName.text(name))\(part): \(Wording.count(count, "clip"))")
                start += width
            }
            drawing.text(Wording.count(label.clips), x: start + 5, y: top + 13)
            top += step
        }
        if ranked.count > shown.count {
            drawing.text(rest(ranked.dropFirst(maximumBars).map(\.clips)), x: left, y: top + 14, style: "t small")
            top += step
        }
        return Figure(
            id: "labels", title: "Clips by label" + (splits.count > 1 ? " and split" : ""),
            description: describe(ranked.filter { $0.index < census.labels.count }.map(\.clips)), height: top + 6,
            drawing: drawing, table: table(report, ranked))
    }

    private static func splitName(_ name: String) -> String {
        name.isEmpty ? "without a split" : DisplayName.text(name)
    }

    /// Draws the legend of the colours; returns its lower edge.
    private static func legend(_ splits: [String], on drawing: inout SVGDrawing) -> Double {
        var (left, top) = (150.0, 4.0)
        for (index, split) in splits.prefix(maximumColors).enumerated() {
            let isShared = index == maximumColors - 1 && splits.count > maximumColors
            let name = isShared ? "others" : split.isEmpty ? "no split" : split.visible.start(ofColumns: 12)
            // Wide enough for the larger letters of narrow screens.
            let width = 28 + 8 * Double(name.columns)
            if left + width > ChartFrame.width { (left, top) = (150, top + 18) }
            drawing.rectangle(x: left, y: top, width: 11, height: 11, style: "s\(index)")
            drawing.text(name, x: left + 15, y: top + 9.5)
            left += width
        }
        return top + 20
    }

    private static func rest(_ clips: [Int]) -> String {
        let (largest, smallest, middle) = (clips.first ?? 0, clips.last ?? 0, clips[clips.count / 2])
        let start = "… and \(Wording.count(clips.count)) more labels with "
        guard smallest < largest else {
            return start + Wording.count(largest, "clip") + (clips.count > 1 ? " each" : "")
        }
        return start + "\(Wording.count(smallest)) to "
            + "\(Wording.count(largest)) clips, median \(Wording.count(middle))"
    }

    /// The description of labels with these numbers of clips, in falling order.
    private static func describe(_ clips: [Int]) -> String {
        guard let largest = clips.first, let smallest = clips.last(where: { $0 > 0 }), clips.count > 1 else {
            return clips.isEmpty ? "No clip has a label." : "One label with \(Wording.count(clips[0], "clip"))."
        }
        let ratio = Double(largest) / Double(smallest)
        return
            "\(Wording.count(clips.count, "label")), the largest with \(Wording.count(largest, "clip")), the smallest with "
            + "\(Wording.count(smallest)): \(Wording.value(ratio)) to 1."
    }

    private static func table(_ report: DatasetReport, _ ranked: [(index: Int, clips: Int)]) -> ReportTable {
        let (census, summary) = (report.census, report.summary)
        let splits = Array(census.splits.prefix(12))
        let counts = census.counts
        let rows = ranked.prefix(maximumRows).map { label in
            let row = label.index
            let isNamed = row < census.labels.count
            let totals = isNamed ? summary.labels[row] : summary.withoutLabel
            var cells: [ReportTable.Cell] = [
                .name(isNamed ? census.labels[row] : ""), .count(label.clips), .count(totals.frames),
                .duration(totals.seconds),
            ]
            if splits.count > 1 { cells += splits.indices.map { .count(counts[row * census.splits.count + $0]) } }
            return cells
        }
        var notes: [String] = []
        if ranked.count > maximumRows {
            notes.append("The \(Wording.count(ranked.count - maximumRows)) smallest labels are left out.")
        }
        if census.splits.count > splits.count {
            notes.append("\(census.splits.count - splits.count) further splits are left out.")
        }
        return ReportTable(
            caption: "Clips, frames and length of each label" + (splits.count > 1 ? ", and clips in each split" : ""),
            header: ["Label", "Clips", "Frames", "Length"]
                + (splits.count > 1
                    ? splits.map { $0.isEmpty ? "(no split)" : DisplayName.text($0, maximum: 24) } : []),
            rows: rows, note: notes.joined(separator: " "), isSortable: true)
    }
}
