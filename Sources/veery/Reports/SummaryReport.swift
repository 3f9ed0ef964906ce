import FeatureModel
import FeaturePipeline
import Foundation

/// A dataset summary as a person reads it.
struct SummaryReport {
    private let summary: DatasetSummary
    private static let mostGroups = 20
    private static let shownBins = 8

    init(_ summary: DatasetSummary) { self.summary = summary }

    /// The whole report.
    var text: String {
        let parts =
            [heading, statistics, groups("Labels", summary.labels, rest: summary.unlabelled)]
            + [groups("Splits", summary.splits, rest: 0), failures, provenance]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func line(_ name: String, _ value: String) -> String {
        name.padding(toLength: 15, withPad: " ", startingAt: 0) + value + "\n"
    }

    private var heading: String {
        let frames =
            summary.frames.map { "\(Wording.count(summary.clips, "clip")) × \(Wording.count($0, "frame"))" }
            ?? Wording.count(summary.rows, "frame")
        let compression = summary.compression == "none" ? "" : ", \(summary.compression)"
        let tensor =
            "\(frames) × \(Wording.count(summary.bins, "bin")) \(summary.type), \(summary.layout)\(compression), "
            + Wording.bytes(summary.bytes)
        let times = summary.durations
        let durations =
            "min \(Wording.duration(times.min)), median \(Wording.duration(times.median)), "
            + "max \(Wording.duration(times.max)), total \(Wording.duration(times.total))"
        let period = Wording.number((summary.framePeriod * 1e6).rounded() / 1e3)
        return "\(summary.file): \(Wording.count(summary.clips, "clip")), \(Wording.duration(times.total)) of audio\n\n"
            + line("Configuration", ConfigurationLine(summary.configuration).text)
            + line("Tensor", tensor)
            + line("Values", "\(summary.longName), \(summary.units), a frame every \(period) ms")
            + line("Durations", durations)
            + line("Recordings", recordings)
            + (summary.extraColumns.isEmpty ? "" : line("Other columns", summary.extraColumns.joined(separator: ", ")))
    }

    private var recordings: String {
        guard summary.clips > 0 else { return "none" }
        return counts(summary.sampleRates) { "at \($0) Hz" } + "; " + counts(summary.channels, Wording.channels)
    }

    /// `all mono`, or `2,700 at 16000 Hz, 80 at 44100 Hz`
    private func counts(_ counts: [DatasetSummary.Count], _ name: (Int) -> String) -> String {
        let most = counts.sorted { ($1.clips, $0.value) < ($0.clips, $1.value) }
        if let only = most.first, most.count == 1 { return "all \(name(only.value))" }
        let shown = most.prefix(4).map { "\(Wording.count($0.clips)) \(name($0.value))" }
        return shown.joined(separator: ", ") + (most.count > 4 ? ", and \(most.count - 4) more kinds" : "")
    }

    private func groups(_ title: String, _ groups: [DatasetSummary.Group], rest: Int) -> String {
        guard !groups.isEmpty else { return "" }
        var rows = groups.prefix(Self.mostGroups).map(row)
        if rest > 0 { rows.append(["(none)", Wording.count(rest), "", ""]) }
        var text = TextTable(
            header: ["\(title) (\(Wording.count(groups.count)))", "clips", "frames", "length"], rows: rows, bar: 1
        ).text
        if groups.count > Self.mostGroups {
            text += "  … and \(Wording.count(groups.count - Self.mostGroups)) more: see --json\n"
        }
        return text
    }

    private func row(_ group: DatasetSummary.Group) -> [String] {
        [group.name, Wording.count(group.clips), Wording.count(group.frames), Wording.duration(group.seconds)]
    }

    private var statistics: String {
        let figures = summary.statistics
        guard figures.count > 0 else { return "" }
        let bins = summary.bins
        let shown =
            bins <= Self.shownBins
            ? Array(0..<bins) : (0..<Self.shownBins).map { $0 * (bins - 1) / (Self.shownBins - 1) }
        func text(_ value: Double) -> String { String(format: "%.4g", value) }
        func column(_ bin: Int) -> String {
            if let orders = figures.coefficient { return "c\(orders[bin])" }
            return Wording.number(((figures.frequency?[bin] ?? 0) * 10).rounded() / 10)
        }
        let rows = shown.map { bin in
            ["\(bin)", column(bin)]
                + [figures.mean[bin], figures.std[bin], figures.min[bin], figures.max[bin]].map(text)
        }
        let origin =
            (figures.fit.isEmpty ? "all clips" : "split '\(figures.fit)'")
            + (figures.source.isEmpty ? "" : " of another file (its metadata_xxh3: \(figures.source))")
        return "Values before normalisation, \(Wording.count(figures.count, "frame")) of \(origin)\n"
            + TextTable(
                header: ["bin", figures.frequency == nil ? "order" : "Hz", "mean", "std", "min", "max"], rows: rows
            ).text
    }

    private var failures: String {
        guard summary.failures > 0 else { return line("Failures", "none") }
        return "Failures (\(Wording.count(summary.failures)))\n"
            + summary.failuresByReason.prefix(Self.mostGroups).map { group in
                let example = group.examples.first.map { group.clips == 1 ? " (\($0))" : " (first: \($0))" } ?? ""
                return "  \(Wording.count(group.clips))  \(group.stage.rawValue): \(group.reason)\(example)\n"
            }.joined()
    }

    private var provenance: String {
        let software = summary.software.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return line("Written by", "\(summary.generator), format \(summary.formatVersion)")
            + line("Software", software.joined(separator: ", "))
            + line("Manifest", "SHA-256 \(summary.manifestSHA256)")
    }
}
