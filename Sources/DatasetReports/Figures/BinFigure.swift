import Presentation

/// The mean of every bin, and a band of one standard deviation around it.
enum BinFigure {
    static let maximumBins = 256

    /// All bins, or `maximumBins` of them, evenly spaced, with the first and the last.
    static func chosen(of count: Int) -> [Int] {
        guard count > maximumBins else { return Array(0..<count) }
        return (0..<maximumBins).map { $0 * (count - 1) / (maximumBins - 1) }
    }

    /// The values before normalisation, by the file's statistics, a figure for each channel; none: it has no statistics of them.
    static func before(_ report: DatasetReport) -> [Figure] {
        let statistics = report.summary.statistics
        guard statistics.count > 0, !report.summary.configuration.normalizesBeforeResizing else { return [] }
        let fit = statistics.fit.isEmpty ? "all clips" : "the split ‘\(DisplayName.text(statistics.fit))’"
        let source = statistics.source.isEmpty ? "" : " of another file"
        return ofChannels(
            "bins-before", "Bins before normalisation", mean: statistics.mean, deviation: statistics.std,
            unit: report.units,
            origin: "Mean ± standard deviation of each bin over \(Wording.count(statistics.count, "frame")) of "
                + "\(fit)\(source), as the file has them under /statistics.", report)
    }

    /// The values as stored, a figure for each channel; none: there are no clips.
    static func stored(_ report: DatasetReport) -> [Figure] {
        let profiles = report.profiles
        guard !profiles.profiles.isEmpty else { return [] }
        let frames = profiles.profiles.reduce(0) { $0 + $1.frames }
        return ofChannels(
            "bins-stored", "Bins as stored", mean: profiles.binMeans, deviation: profiles.binDeviations,
            unit: report.storedUnits,
            origin: "Mean ± standard deviation of each bin over the \(Wording.count(frames, "frame")) of "
                + "\(report.profiledClips).", report)
    }

    private static func ofChannels(
        _ id: String, _ title: String, mean: [Double], deviation: [Double], unit: String, origin: String,
        _ report: DatasetReport
    ) -> [Figure] {
        guard let channels = report.channels, mean.count % channels.count == 0, deviation.count == mean.count else {
            return [make(id, title, mean: mean, deviation: deviation, unit: unit, origin: origin, report)]
                .compactMap(\.self)
        }
        let bins = mean.count / channels.count
        return channels.compactMap { channel in
            let own = channel * bins..<(channel + 1) * bins
            return make(
                "\(id)-\(channel)", "\(title), channel \(channel)", mean: Array(mean[own]),
                deviation: Array(deviation[own]), unit: unit, origin: origin, report)
        }
    }

    private static func make(
        _ id: String, _ title: String, mean: [Double], deviation: [Double], unit: String, origin: String,
        _ report: DatasetReport
    ) -> Figure? {
        // In a damaged file a deviation may be below 0, or too large for an axis.
        func isShown(_ mean: Double, _ deviation: Double) -> Bool {
            deviation >= 0 && mean.magnitude + deviation <= 1e300
        }
        let known = zip(mean, deviation).filter { isShown($0, $1) }
        guard let low = known.map({ $0 - $1 }).min(), let high = known.map({ $0 + $1 }).max() else { return nil }
        let margin = max((high - low) * 0.04, high.magnitude * 1e-6, 1e-12)
        let last = Double(mean.count - 1)
        let frame = ChartFrame(horizontal: -0.5...last + 0.5, vertical: low - margin...high + margin)
        var drawing = SVGDrawing()
        let steps = RoundSteps(frame.horizontal, atMost: 8, minimumStep: 1).ticks(over: frame.horizontal)
        let below = steps.map { tick in
            report.name(ofBin: Int(((last + 1) * tick.position - 0.5).rounded()))
        }
        let isFalling = report.isFalling
        let ticks = steps.map { AxisTick(position: isFalling ? 1 - $0.position : $0.position, label: $0.label) }
        func x(_ bin: Int) -> Double { frame.x(isFalling ? last - Double(bin) : Double(bin)) }
        frame.draw(
            on: &drawing, horizontalName: report.binAxisName, verticalName: unit.visible.start(ofColumns: 28),
            ticks: ticks, below: below)
        let chosen = chosen(of: mean.count)
        let shown = chosen.filter { isShown(mean[$0], deviation[$0]) }
        let upper = shown.map { (x: x($0), y: frame.y(mean[$0] + deviation[$0])) }
        let lower = shown.map { (x: x($0), y: frame.y(mean[$0] - deviation[$0])) }
        drawing.path(upper + lower.reversed(), isClosed: true, style: "band")
        drawing.path(shown.map { (x: x($0), y: frame.y(mean[$0])) }, style: "curve")
        if mean.count == 1, !shown.isEmpty {
            drawing.rectangle(x: frame.x(0) - 3, y: frame.y(mean[0]) - 3, width: 6, height: 6, style: "s0")
        }
        let part =
            chosen.count < mean.count
            ? " Of \(Wording.count(mean.count, "bin")) \(chosen.count) are shown, evenly chosen." : ""
        return Figure(
            id: id, title: title, description: origin + " Unit: \(unit).\(part)", height: ChartFrame.tallHeight,
            drawing: drawing,
            table: ReportTable(
                caption: "\(title): mean and standard deviation in \(unit)"
                    + (part.isEmpty ? "" : "; \(chosen.count) of \(Wording.count(mean.count, "bin")), evenly chosen"),
                header: ["Bin", report.binColumnName, "Mean", "Standard deviation"],
                rows: chosen.map { bin in
                    [.count(bin), .text(report.name(ofBin: bin)), .value(mean[bin]), .value(deviation[bin])]
                }))
    }
}
