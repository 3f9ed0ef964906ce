import DatasetInspection
import FeatureModel
import Presentation

/// A dataset summary as a person reads it.
struct SummaryReport {
    private let summary: DatasetSummary
    private let style: ReportStyle

    init(_ summary: DatasetSummary, style: ReportStyle = .plain) {
        self.summary = summary
        self.style = style
    }

    var text: String {
        let parts = [
            title, heading, GroupSection("Labels", summary.labels, rest: summary.withoutLabel, style: style).text,
            GroupSection("Splits", summary.splits, rest: summary.withoutSplit, isBySize: false, style: style).text,
            FailureSection(summary, style: style).text, StatisticsSection(summary, style: style).text, provenance,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var title: String {
        let content = "\(Wording.count(summary.clips, "clip")), \(Wording.duration(summary.durations.total)) of audio"
        let file = style.shortened(summary.file, to: style.width - content.columns - 2)
        return style.painted("\(file): \(content)", .heading) + "\n"
    }

    private var heading: String {
        let period = Wording.number((summary.framePeriod * 1e6).rounded() / 1e3)
        let values = "\(summary.longName), \(summary.units), a frame every \(period) ms"
        let columns = summary.extraColumns.joined(separator: ", ")
        return style.entry("Configuration", ConfigurationLine(summary.configuration).text(style))
            + style.entry("Tensor", tensor)
            + style.entry("Values", values)
            + DurationSection(summary, style: style).text
            + style.entry("Recordings", recordings)
            + (summary.truncatedClips.map { style.entry("Cut off", cutOff($0)) } ?? "")
            + (summary.zeroedClips.map { style.entry("Zeroed samples", zeroed($0, summary.zeroedSamples ?? 0)) } ?? "")
            + (summary.labels.isEmpty ? style.entry("Labels", "none") : "")
            + (summary.splits.isEmpty ? style.entry("Splits", "none") : "")
            + (columns.isEmpty ? "" : style.entry("Other columns", columns))
    }

    private var tensor: String {
        let frames =
            summary.frames.map {
                "\(Wording.count(summary.clips, "clip")) \(style.times) \(Wording.count($0, "frame"))"
            }
            ?? Wording.count(summary.rows, "frame")
        let compression = summary.compression == "none" ? "" : ", \(summary.compression)"
        return "\(frames) \(style.times) \(Wording.count(summary.bins, "bin")) \(summary.type), "
            + "\(summary.layout)\(compression), \(Wording.bytes(summary.bytes))"
    }

    private var recordings: String {
        guard summary.clips > 0 else { return "none" }
        return counts(summary.sampleRates) { "at \($0) Hz" } + "; " + counts(summary.channels, Wording.channels)
    }

    private func cutOff(_ clips: Int) -> String {
        clips == 0 ? "no clip" : "\(Wording.count(clips, "clip")) ended early (/clips/truncated)"
    }

    private func zeroed(_ clips: Int, _ samples: Int) -> String {
        clips == 0
            ? "none"
            : "\(Wording.count(samples)) in \(Wording.count(clips, "clip")), infinite or not a number (/clips/zeroed_samples)"
    }

    /// `all mono`, or `2,700 at 16000 Hz, 80 at 44100 Hz`
    private func counts(_ counts: [DatasetSummary.Count], _ name: (Int) -> String) -> String {
        let most = counts.sorted { ($1.clips, $0.value) < ($0.clips, $1.value) }
        if let only = most.first, most.count == 1 { return "all \(name(only.value))" }
        let shown = most.prefix(4).map { "\(Wording.count($0.clips)) \(name($0.value))" }
        return shown.joined(separator: ", ") + (most.count > 4 ? ", and \(most.count - 4) more kinds" : "")
    }

    private var provenance: String {
        let software = summary.software.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return style.entry("Written by", "\(summary.generator), format \(summary.formatVersion)")
            + style.entry("Software", software.joined(separator: ", "))
            + style.entry("Manifest SHA256", summary.manifestSHA256)
    }
}
