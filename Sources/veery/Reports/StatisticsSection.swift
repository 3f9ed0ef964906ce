import DatasetInspection
import Foundation
import Presentation

/// Mean and spread of the bins before normalisation: as a line, and some of them as a table.
struct StatisticsSection {
    private let figures: DatasetSummary.Statistics
    private let bins: Int
    private let style: ReportStyle
    private static let shownBins = 8
    private static let curveWidth = 48

    init(_ summary: DatasetSummary, style: ReportStyle) {
        figures = summary.statistics
        bins = summary.bins
        self.style = style
    }

    /// Its lines; nothing where the statistics are of no frames.
    var text: String {
        guard figures.count > 0 else { return "" }
        let origin =
            (figures.fit.isEmpty ? "all clips" : "split '\(figures.fit)'")
            + (figures.source.isEmpty ? "" : " of another file, its metadata_xxh3: \(figures.source)")
        let title = "Values before normalisation, \(Wording.count(figures.count, "frame")) of \(origin)"
        let lines = style.paragraph("", title).split(separator: "\n").map { style.painted(String($0), .heading) + "\n" }
        return lines.joined() + curves + table
    }

    /// The means and the standard deviations over the bins, the lowest at the left, their least and greatest at the ends.
    private var curves: String {
        let all = [("mean", figures.mean), ("std", figures.std)]
        let ends = all.map { _, values in [values.min(), values.max()].map { Self.text($0 ?? 0) } }
        let width = ends.flatMap { $0.map(\.columns) }.max() ?? 0
        let room = style.width - 8 - 2 * (width + 1)
        return zip(all, ends).map { curve, ends in
            let levels = Sparkline.grouped(curve.1, into: min(max(room, 8), Self.curveWidth)) { group in
                group.reduce(0, +) / Double(group.count)
            }
            let line = style.painted(Sparkline.levels(levels, style: style), .bar)
            return "  " + curve.0.padded(to: 5) + ends[0].padded(to: width, isRight: true) + " \(line) \(ends[1])\n"
        }.joined()
    }

    private var table: String {
        // A narrow terminal has no room for them.
        let hasExtremes = style.width >= 60
        let shown =
            bins <= Self.shownBins
            ? Array(0..<bins) : (0..<Self.shownBins).map { $0 * (bins - 1) / (Self.shownBins - 1) }
        let rows = shown.map { bin in
            let values = [figures.mean, figures.std, figures.min, figures.max].prefix(hasExtremes ? 4 : 2).map {
                $0[bin]
            }
            return TextTable.Row.cells(["\(bin)", column(bin)] + values.map(Self.text))
        }
        let name = figures.frequency == nil ? "order" : "Hz"
        let header = ["bin", name, "mean", "std"] + (hasExtremes ? ["min", "max"] : [])
        return TextTable(header: header, rows: rows, style: style).text
    }

    private func column(_ bin: Int) -> String {
        if let orders = figures.coefficient { return "c\(orders[bin])" }
        return Wording.number(((figures.frequency?[bin] ?? 0) * 10).rounded() / 10)
    }

    private static func text(_ value: Double) -> String { value.significant(4) }
}
