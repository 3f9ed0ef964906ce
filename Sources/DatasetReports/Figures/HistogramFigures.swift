import DatasetInspection
import Presentation

enum DurationFigure {
    /// The figure; nil: there are no clips, or all have one length.
    static func make(_ report: DatasetReport) -> Figure? {
        let lengths = report.summary.durations
        guard let histogram = lengths.histogram, let first = histogram.edges.first, let last = histogram.edges.last,
            lengths.min < lengths.max
        else { return nil }
        let isLogarithmic = histogram.spacing == .logarithmic
        let highest = Double(histogram.counts.max() ?? 1)
        let frame = ChartFrame(
            horizontal: first...last, vertical: 0...max(highest * 1.05, 1), isLogarithmic: isLogarithmic)
        var drawing = SVGDrawing()
        frame.draw(on: &drawing, horizontalName: "Length of a clip (s)", verticalName: "Clips")
        for (index, count) in histogram.counts.enumerated() where count > 0 {
            let (from, to) = (histogram.edges[index], histogram.edges[index + 1])
            let (start, end) = (frame.x(from), frame.x(to))
            drawing.rectangle(
                x: start + 0.5, y: frame.y(Double(count)), width: end - start - 1,
                height: frame.bottom - frame.y(Double(count)), style: "s0",
                title: "\(Wording.value(from)) to \(Wording.value(to)) s: \(Wording.count(count, "clip"))")
        }
        return Figure(
            id: "durations", title: "Lengths of clips",
            description:
                "From \(Wording.duration(lengths.min)) to \(Wording.duration(lengths.max)), half of them below "
                + "\(Wording.duration(lengths.median)); \(Wording.duration(lengths.total)) in all."
                + (isLogarithmic ? " Intervals grow, ten to a factor of ten." : ""),
            height: ChartFrame.height, drawing: drawing,
            table: ReportTable(
                caption: "Clips by length", header: ["From (s)", "To (s)", "Clips"],
                rows: zip(histogram.counts, zip(histogram.edges, histogram.edges.dropFirst())).map { count, edges in
                    [.edge(edges.0), .edge(edges.1), .count(count)]
                }))
    }
}

/// How the stored values are spread, and what share of them lies at the floor.
enum ValueFigure {
    static let maximumIntervals = 80
    /// The share of values on each side that is counted but not drawn.
    static let tail = 0.0005

    /// The figure; nil: there are no values.
    static func make(_ report: DatasetReport) -> Figure? {
        let profiles = report.profiles
        let (histogram, below, above) = profiles.values.folded(to: maximumIntervals, tail: tail)
        let total = below + histogram.total + above
        guard total > 0 else { return nil }
        let shares = histogram.counts.map { Double($0) / Double(total) }
        let percents = shares.map { $0 * 100 }
        func edge(_ index: Int) -> Double { histogram.lowerEdge + Double(index) * histogram.width }
        let frame = ChartFrame(
            horizontal: edge(0)...edge(percents.count), vertical: 0...max((percents.max() ?? 1) * 1.05, 1e-3))
        var drawing = SVGDrawing()
        frame.draw(
            on: &drawing, horizontalName: report.storedUnits.visible.start(ofColumns: 48), verticalName: "Values (%)")
        for (index, percent) in percents.enumerated() where percent > 0 {
            let edge = edge(index)
            let (left, right) = (frame.x(edge), frame.x(edge + histogram.width))
            drawing.rectangle(
                x: left, y: frame.y(percent), width: max(right - left - 0.6, 0.6),
                height: frame.bottom - frame.y(percent), style: "s0",
                title: "\(Wording.value(edge)) to \(Wording.value(edge + histogram.width)): "
                    + Wording.share(shares[index]))
        }
        return Figure(
            id: "values", title: "Stored values",
            description: describe(report, total: total, below: below, above: above), height: ChartFrame.height,
            drawing: drawing,
            table: ReportTable(
                caption: "Stored values by interval; an interval has its lower edge in it",
                header: ["From", "To", "Values", "Share"],
                rows: histogram.counts.indices.map { index in
                    let edge = edge(index)
                    let end = edge + histogram.width
                    return [.edge(edge), .edge(end), .count(histogram.counts[index]), .share(shares[index])]
                }))
    }

    private static func describe(_ report: DatasetReport, total: Int, below: Int, above: Int) -> String {
        let profiles = report.profiles
        var text = "\(Wording.count(total, "value")) of \(report.profiledClips)."
        if let share = profiles.floorShare {
            let left = report.summary.configuration.transform.deltas.order > 0 ? " (deltas left out)" : ""
            text += " \(Wording.share(share)) lie at the floor of the scale\(left)."
        } else {
            text += " The scale has no floor that values could lie at."
        }
        if below + above > 0 {
            text += " \(Wording.count(below)) lie below what is drawn, \(Wording.count(above)) above."
        }
        if profiles.invalidValues > 0 {
            text += " \(Wording.count(profiles.invalidValues)) are infinite or not numbers, and left out."
        }
        return text
    }
}
