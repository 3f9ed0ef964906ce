import DatasetInspection
import Presentation

/// Lengths of clips as a histogram.
enum DurationFigure {
    /// The figure; nil where there are no clips, or all have one length.
    static func make(_ report: DatasetReport) -> Figure? {
        let lengths = report.summary.durations
        guard let histogram = lengths.histogram, let first = histogram.edges.first, let last = histogram.edges.last,
            lengths.min < lengths.max
        else { return nil }
        let isLogarithmic = histogram.spacing == .logarithmic
        let most = Double(histogram.counts.max() ?? 1)
        let frame = ChartFrame(
            horizontal: first...last, vertical: 0...max(most * 1.05, 1), isLogarithmic: isLogarithmic)
        var drawing = SVGDrawing()
        frame.draw(on: &drawing, horizontalName: "Length of a clip (s)", verticalName: "Clips")
        for (place, count) in histogram.counts.enumerated() where count > 0 {
            let (start, end) = (frame.x(histogram.edges[place]), frame.x(histogram.edges[place + 1]))
            drawing.rectangle(
                x: start + 0.5, y: frame.y(Double(count)), width: end - start - 1,
                height: frame.bottom - frame.y(Double(count)),
                style: "s0",
                title: "\(interval(histogram, place)): \(Wording.count(count, "clip"))")
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
                rows: histogram.counts.indices.map { place in
                    [
                        .edge(histogram.edges[place]), .edge(histogram.edges[place + 1]),
                        .count(histogram.counts[place]),
                    ]
                }))
    }

    private static func interval(_ histogram: DurationHistogram, _ place: Int) -> String {
        "\(Wording.value(histogram.edges[place])) to \(Wording.value(histogram.edges[place + 1])) s"
    }
}
