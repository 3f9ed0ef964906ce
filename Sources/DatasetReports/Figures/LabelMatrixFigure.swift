import DatasetInspection
import Presentation

/// All labels of clips: how many clips have each, and which labels clips have together.
enum LabelMatrixFigure {
    /// The figure; nil: clips have one label at most, or none has any.
    static func make(_ report: DatasetReport) -> Figure? {
        guard let matrix = report.summary.labelMatrix, !matrix.frequent.isEmpty else { return nil }
        let (left, top) = (150.0, 22.0)
        let cell = min(24, (ChartFrame.width - left - 60) / Double(matrix.frequent.count))
        var drawing = SVGDrawing()
        for (row, label) in matrix.frequent.enumerated() {
            let y = top + Double(row) * cell
            let name = matrix.labels[label].name
            drawing.text(
                "\((name.isEmpty ? "(empty)" : name).visible.start(ofColumns: 15))  \(row + 1)", x: left - 6,
                y: y + cell / 2 + 4, anchor: .end)
            drawing.text(
                "\(row + 1)", x: left + (Double(row) + 0.5) * cell, y: top - 6, anchor: .middle, style: "t small")
            let own = matrix.together[row][row]
            for (column, clips) in matrix.together[row].enumerated() where clips > 0 {
                // The area is the share of the row's clips.
                let side = max((cell - 3) * (Double(clips) / Double(max(own, 1))).squareRoot(), 2)
                let other = matrix.labels[matrix.frequent[column]].name
                drawing.rectangle(
                    x: left + (Double(column) + 0.5) * cell - side / 2, y: y + (cell - side) / 2, width: side,
                    height: side, style: row == column ? "s4" : "s0",
                    title: row == column
                        ? "\(DisplayName.text(name)): \(Wording.count(clips, "clip"))"
                        : "\(DisplayName.text(name)) and \(DisplayName.text(other)): \(Wording.count(clips, "clip")), "
                            + "\(Wording.share(Double(clips) / Double(max(own, 1)))) of those of \(DisplayName.text(name))"
                )
            }
            drawing.text(
                Wording.count(own), x: left + Double(matrix.frequent.count) * cell + 8, y: y + cell / 2 + 4)
        }
        let height = top + Double(matrix.frequent.count) * cell + 10
        return Figure(
            id: "label-matrix", title: "Labels that clips have together", description: description(matrix),
            height: height, drawing: drawing, table: table(matrix))
    }

    private static func description(_ matrix: LabelMatrixSummary) -> String {
        let several = matrix.labelsPerClip.filter { $0.value > 1 }.reduce(0) { $0 + $1.clips }
        let all = matrix.labelsPerClip.reduce(0) { $0 + $1.clips }
        let most = matrix.labelsPerClip.last?.value ?? 0
        return
            "\(Wording.count(several)) of \(Wording.count(all, "clip")) \(several == 1 ? "has" : "have") several labels, at most "
            + "\(most); \(Wording.count(matrix.unlabelled)) \(matrix.unlabelled == 1 ? "has" : "have") none. In the row of a "
            + "label, the area of a square is the share of its clips that have the column’s label too; at the right, its "
            + "clips."
            + (matrix.frequent.count < matrix.labels.count { $0.clips > 0 }
                ? " The \(matrix.frequent.count) most frequent labels are shown." : "")
    }

    private static func table(_ matrix: LabelMatrixSummary) -> ReportTable {
        let ranked = matrix.labels.indices.sorted {
            (matrix.labels[$1].clips, $0) < (matrix.labels[$0].clips, $1)
        }
        let pairs = matrix.pairs.prefix(20).map { pair in
            "\(DisplayName.text(matrix.labels[pair.first].name)) and \(DisplayName.text(matrix.labels[pair.second].name)): "
                + Wording.count(pair.clips, "clip")
        }
        let left = ranked.count - LabelFigure.maximumRows
        return ReportTable(
            caption: "Clips, frames and length of each label, all labels of a clip counted",
            header: ["Label", "Clips", "Frames", "Length"],
            rows: ranked.prefix(LabelFigure.maximumRows).map { label in
                let group = matrix.labels[label]
                return [.name(group.name), .count(group.clips), .count(group.frames), .duration(group.seconds)]
            },
            note: (pairs.isEmpty ? "" : "Most often together: " + pairs.joined(separator: "; ") + ".")
                + (left > 0 ? " The \(Wording.count(left)) smallest labels are left out." : ""),
            isSortable: true)
    }
}

/// The share of frames that have each label.
enum FrameLabelFigure {
    /// The figure; nil: frames have no labels.
    static func make(_ report: DatasetReport) -> Figure? {
        guard let summary = report.summary.frameLabels, summary.frames > 0 else { return nil }
        let ranked = summary.labels.indices.sorted {
            (summary.labels[$1].frames, $0) < (summary.labels[$0].frames, $1)
        }
        func share(_ frames: Int) -> Double { Double(frames) / Double(summary.frames) }
        var bars = ranked.prefix(LabelFigure.maximumBars).map { label -> (name: String, frames: Int, style: String) in
            let name = summary.labels[label].name
            return (name.isEmpty ? "(no name)" : name, summary.labels[label].frames, "s0")
        }
        bars.append(("no label", summary.unlabelled, "s4"))
        let (left, right, step) = (150.0, 400.0, 19.0)
        let largest = max(bars.map { share($0.frames) }.max() ?? 1, 1e-9)
        var drawing = SVGDrawing()
        for (row, bar) in bars.enumerated() {
            let y = 4 + Double(row) * step
            drawing.text(bar.name.visible.start(ofColumns: 18), x: left - 8, y: y + 13, anchor: .end)
            drawing.rectangle(
                x: left, y: y + 2, width: share(bar.frames) / largest * (right - left), height: step - 5,
                style: bar.style, title: "\(DisplayName.text(bar.name)): \(Wording.count(bar.frames, "frame"))")
            drawing.text(
                Wording.share(share(bar.frames)), x: left + share(bar.frames) / largest * (right - left) + 5, y: y + 13)
        }
        let more = ranked.count - LabelFigure.maximumBars
        return Figure(
            id: "frame-labels", title: "Frames by label",
            description:
                "\(Wording.share(share(summary.frames - summary.unlabelled))) of \(Wording.count(summary.frames, "frame")) "
                + "have a label of \(Wording.count(summary.labels.count)): that of the annotation at the frame’s middle."
                + (more > 0 ? " The \(Wording.count(more)) rarest are only in the table." : ""),
            height: 4 + Double(bars.count) * step + 6, drawing: drawing,
            table: ReportTable(
                caption: "Frames of each label", header: ["Label", "Frames", "Share"],
                rows: ranked.prefix(LabelFigure.maximumRows).map { label in
                    let entry = summary.labels[label]
                    return [.name(entry.name), .count(entry.frames), .share(share(entry.frames))]
                } + [[.text("(no label)"), .count(summary.unlabelled), .share(share(summary.unlabelled))]],
                isSortable: true))
    }
}
