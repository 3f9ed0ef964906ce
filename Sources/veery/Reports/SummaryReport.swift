import DatasetInspection
import FeatureModel
import Messages
import Presentation

struct SummaryReport {
    let summary: DatasetSummary
    var style = ReportStyle.plain

    var text: String {
        let parts = [
            title, heading, LabelSections(summary: summary, style: style).clips,
            LabelSections(summary: summary, style: style).frames,
            GroupSection("Splits", summary.splits, rest: summary.withoutSplit, isBySize: false, style: style).text,
            failures, remarks, statistics, provenance,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var remarks: String {
        let lines = RemarkWords.lines(
            summary.account.without(.recordingsTruncated, .samplesZeroed), rest: "--json has all",
            cutting: CuttingAdvice(nil, summary.configuration))
        guard !lines.isEmpty else { return "" }
        return style.painted("Remarks", .heading) + "\n" + lines.map { "  \($0.printable)\n" }.joined()
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
        return style.entry("Configuration", ConfigurationLine(configuration: summary.configuration).text(style))
            + (summary.files.map { style.entry("Set", "\(Wording.count($0, "feature file")), one after another") } ?? "")
            + style.entry("Tensor", tensor)
            + style.entry("Values", values)
            + durations
            + style.entry("Recordings", recordings)
            + (summary.truncatedClips.map { style.entry("Cut off", cutOff($0)) } ?? "")
            + (summary.zeroedClips.map { style.entry("Zeroed samples", zeroed($0, summary.zeroedSamples ?? 0)) } ?? "")
            + (summary.labels.isEmpty ? style.entry("Labels", "none") : "")
            + (summary.splits.isEmpty ? style.entry("Splits", "none") : "")
            + (columns.isEmpty ? "" : style.entry("Other columns", columns))
    }

    private var tensor: String {
        let patch = summary.configuration.patches.shape
        let frames =
            (summary.frames == nil ? "" : "\(Wording.count(summary.clips, "clip")) \(style.times) ")
            + TensorWords.text(
                rows: summary.frames ?? summary.rows, bins: summary.bins, patch: patch,
                channels: summary.featureChannels, times: style.times)
        let compression = summary.compression == "none" ? "" : ", \(summary.compression)"
        return "\(frames) \(summary.type), "
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
        let ranked = counts.sorted { ($1.clips, $0.value) < ($0.clips, $1.value) }
        if let only = ranked.first, ranked.count == 1 { return "all \(name(only.value))" }
        let shown = ranked.prefix(4).map { "\(Wording.count($0.clips)) \(name($0.value))" }
        return shown.joined(separator: ", ") + (ranked.count > 4 ? ", and \(ranked.count - 4) more kinds" : "")
    }

    private var provenance: String {
        let software = summary.software.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return style.entry("Written by", "\(summary.generator), format \(summary.formatVersion)")
            + style.entry("Software", software.joined(separator: ", "))
            + style.entry("Manifest SHA256", summary.manifestSHA256)
            + (summary.correctionsSHA256.map { style.entry("Corrections", $0) } ?? "")
            + (summary.configurationFiles ?? []).enumerated().map {
                style.entry($0 == 0 ? "Read from" : "", "\($1.words) (XXH3 \($1.xxh3))")
            }.joined()
            + (summary.root.map {
                style.entry("Paths", "start from \($0.printable), relative to the file's folder")
            } ?? "")
    }
}

extension SummaryReport {
    private static let minimumCurve = 8

    fileprivate var durations: String {
        guard summary.clips > 0 else { return style.entry("Durations", "none") + commonLength }
        let times = summary.durations
        let total = "total \(Wording.duration(times.total))"
        let numbers =
            times.min == times.max
            ? Wording.duration(times.min) + (summary.clips > 1 ? " each, \(total)" : "")
            : "min \(Wording.duration(times.min)), median \(Wording.duration(times.median)), "
                + "max \(Wording.duration(times.max)), \(total)"
        return style.entry("Durations", numbers) + histogram + commonLength
    }

    private var histogram: String {
        guard let histogram = summary.durations.histogram, histogram.counts.count > 1 else { return "" }
        let shortest = Wording.duration(summary.durations.min)
        let longest = Wording.duration(summary.durations.max)
        let room = style.width - ReportStyle.nameWidth - shortest.columns - longest.columns - 2
        var note = histogram.spacing == .logarithmic ? ", log scale" : ""
        if room < note.columns + Self.minimumCurve { note = "" }
        guard room >= Self.minimumCurve else { return "" }
        let counts = Sparkline.grouped(histogram.counts, into: room - note.columns) { $0.reduce(0, +) }
        let line = style.painted(Sparkline.counts(counts, style: style), .bar)
        return String(repeating: " ", count: ReportStyle.nameWidth) + "\(shortest) \(line) \(longest)\(note)\n"
    }

    /// How many clips were cropped or padded to the common length.
    private var commonLength: String {
        guard let common = summary.commonLength else { return "" }
        let isFixed = summary.frames != nil
        let length = "\(Wording.duration(common.seconds)) of each clip"
        let longer = "\(Wording.count(common.longer)) longer ones cropped"
        let shorter =
            "\(Wording.count(common.shorter)) shorter ones \(isFixed ? "with fewer frames" : "padded with zeros")"
        return style.entry("Stored", "\(length), \(longer), \(shorter)")
    }
}

extension SummaryReport {
    private static let maximumGroups = 20

    fileprivate var failures: String {
        guard summary.failures > 0 else { return style.entry("Failures", "none") }
        let groups = summary.failuresByReason
        let width = summary.failuresByKind.map { Wording.count($0.clips).columns }.max() ?? 0
        let shown = groups.prefix(Self.maximumGroups)
        var text = style.painted("Failures (\(Wording.count(summary.failures)))", .failure) + "\n"
        for kind in summary.failuresByKind {
            let own = shown.filter { $0.stage == kind.stage && $0.kind == kind.kind }
            guard !own.isEmpty else { break }
            // A kind with one reason has no line of its own; older files have no kinds.
            guard own.count > 1, let name = kind.kind else {
                for group in own {
                    text += lines(group, "\(group.stage.rawValue): \(group.pattern)", width: width, indent: 2)
                }
                continue
            }
            text += style.paragraph(count(kind.clips, width: width, indent: 2), "\(kind.stage.rawValue): \(name)")
            let ownWidth = own.map { Wording.count($0.clips).columns }.max() ?? 0
            for group in own { text += lines(group, group.pattern, width: ownWidth, indent: width + 4) }
        }
        let more = groups.count - shown.count
        return text + (more > 0 ? "  \(style.ellipsis) and \(Wording.count(more, "more reason")): see --json\n" : "")
    }

    private func lines(_ group: DatasetSummary.FailureGroup, _ words: String, width: Int, indent: Int) -> String {
        let count = count(group.clips, width: width, indent: indent)
        return style.paragraph(count, words)
            + style.paragraph(String(repeating: " ", count: count.columns), examples(group))
    }

    private func count(_ clips: Int, width: Int, indent: Int) -> String {
        String(repeating: " ", count: indent) + Wording.count(clips).padded(to: width, isRight: true) + "  "
    }

    private func examples(_ group: DatasetSummary.FailureGroup) -> String {
        let ids = group.examples.prefix(3).map { style.shortened($0, to: 40) }.joined(separator: ", ")
        return group.clips > min(3, group.examples.count) ? "first: \(ids)" : ids
    }
}

/// Mean and spread of the bins, as `/statistics` has them: as a line, and some of them as a table.
extension SummaryReport {
    private static let shownBins = 8
    private static let curveWidth = 48
    private var binStatistics: DatasetSummary.Statistics { summary.statistics }

    fileprivate var statistics: String {
        guard binStatistics.count > 0 else { return "" }
        let origin =
            (binStatistics.fit.isEmpty ? "all clips" : "split '\(binStatistics.fit)'")
            + (binStatistics.source.isEmpty ? "" : " of another file, its metadata_xxh3: \(binStatistics.source)")
        // The statistics are of the stored rows where these are resized after a clip's own normalisation.
        let values = summary.configuration.normalizesBeforeResizing ? "Values as stored" : "Values before normalisation"
        let title = "\(values), \(Wording.count(binStatistics.count, "frame")) of \(origin)"
        let lines = style.paragraph("", title).split(separator: "\n").map { style.painted(String($0), .heading) + "\n" }
        return lines.joined() + curves + binTable
    }

    /// The means and the standard deviations over the bins, the lowest at the left, with their minimum and maximum at the ends:
    /// of several channels each its own.
    private var curves: String {
        let (isFalling, bins) = (binStatistics.isFalling(bins: summary.bins), summary.bins)
        let channels = summary.featureChannels ?? 1
        let all = (0..<channels).flatMap { channel in
            [("mean", binStatistics.mean), ("std", binStatistics.std)].map { name, values in
                let own = values[channel * bins..<(channel + 1) * bins]
                return (channels > 1 ? "\(name) \(channel)" : name, isFalling ? own.reversed() : Array(own))
            }
        }
        let nameWidth = (all.map(\.0.columns).max() ?? 0) + 1
        let ends = all.map { _, values in [values.min(), values.max()].map { Self.text($0 ?? 0) } }
        let width = ends.flatMap { $0.map(\.columns) }.max() ?? 0
        let room = style.width - 3 - nameWidth - 2 * (width + 1)
        return zip(all, ends).map { curve, ends in
            let levels = Sparkline.grouped(curve.1, into: min(max(room, 8), Self.curveWidth)) { group in
                group.reduce(0, +) / Double(group.count)
            }
            let line = style.painted(Sparkline.levels(levels, style: style), .bar)
            return "  " + curve.0.padded(to: nameWidth) + ends[0].padded(to: width, isRight: true)
                + " \(line) \(ends[1])\n"
        }.joined()
    }

    private var binTable: String {
        // A narrow terminal has no room for extremes.
        let hasExtremes = style.width >= 60
        let columns = binStatistics.mean.count
        let shown =
            columns <= Self.shownBins
            ? Array(0..<columns) : (0..<Self.shownBins).map { $0 * (columns - 1) / (Self.shownBins - 1) }
        let rows = shown.map { bin in
            let all = [binStatistics.mean, binStatistics.std, binStatistics.min, binStatistics.max]
            let values = all.prefix(hasExtremes ? 4 : 2).map { $0[bin] }
            return TextTable.Row.cells([number(ofColumn: bin), column(bin)] + values.map(Self.text))
        }
        let name = isRaw ? "sample" : binStatistics.frequency == nil ? "order" : "Hz"
        let header = ["bin", name, "mean", "std"] + (hasExtremes ? ["min", "max"] : [])
        return TextTable(header: header, rows: rows, style: style).text
    }

    /// The number of a bin, after that of its channel if there are several.
    private func number(ofColumn column: Int) -> String {
        guard summary.featureChannels ?? 1 > 1 else { return "\(column)" }
        return "\(column / summary.bins):\(column % summary.bins)"
    }

    /// Whether columns are the samples of a frame.
    private var isRaw: Bool { summary.configuration.transform == .raw }

    private func column(_ bin: Int) -> String {
        if let orders = binStatistics.coefficient { return "\(isRaw ? "" : "c")\(orders[bin])" }
        let frequency = binStatistics.frequency?[bin] ?? 0
        // Six digits: to a tenth where that is one of them, and rounded once.
        return Wording.number(frequency < 99_999 ? (frequency * 10).rounded() / 10 : frequency.rounded())
    }

    private static func text(_ value: Double) -> String { value.significant(4) }
}
