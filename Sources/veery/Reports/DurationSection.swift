import DatasetInspection
import Presentation

/// The lengths of the clips: figures, and how many clips have which.
struct DurationSection {
    private let summary: DatasetSummary
    private let style: ReportStyle
    private static let minimumCurve = 8

    init(_ summary: DatasetSummary, style: ReportStyle) {
        self.summary = summary
        self.style = style
    }

    var text: String {
        guard summary.clips > 0 else { return style.entry("Durations", "none") + brought }
        let times = summary.durations
        let total = "total \(Wording.duration(times.total))"
        let figures =
            times.min == times.max
            ? Wording.duration(times.min) + (summary.clips > 1 ? " each, \(total)" : "")
            : "min \(Wording.duration(times.min)), median \(Wording.duration(times.median)), "
                + "max \(Wording.duration(times.max)), \(total)"
        return style.entry("Durations", figures) + histogram + brought
    }

    private var histogram: String {
        guard let histogram = summary.durations.histogram, histogram.counts.count > 1 else { return "" }
        let least = Wording.duration(summary.durations.min)
        let most = Wording.duration(summary.durations.max)
        let room = style.width - ReportStyle.nameWidth - least.columns - most.columns - 2
        var note = histogram.spacing == .logarithmic ? ", log scale" : ""
        if room < note.columns + Self.minimumCurve { note = "" }
        guard room >= Self.minimumCurve else { return "" }
        let counts = Sparkline.grouped(histogram.counts, into: room - note.columns) { $0.reduce(0, +) }
        let line = style.painted(Sparkline.counts(counts, style: style), .bar)
        return String(repeating: " ", count: ReportStyle.nameWidth) + "\(least) \(line) \(most)\(note)\n"
    }

    /// What became of clips where all have been brought to one length.
    private var brought: String {
        guard let common = summary.commonLength else { return "" }
        let isFixed = summary.frames != nil
        let length = "\(Wording.duration(common.seconds)) of each clip"
        let longer = "\(Wording.count(common.longer)) longer ones cropped"
        let shorter =
            "\(Wording.count(common.shorter)) shorter ones \(isFixed ? "with fewer frames" : "filled with zeros")"
        return style.entry("Stored", "\(length), \(longer), \(shorter)")
    }
}
