import FeatureModel
import Presentation

/// The lanes of a label strip: one for each label, the same in all panels of a picture.
///
/// If there are more labels than lanes, the most frequent ones have one each, and the last lane is for all others.
struct LabelLanes: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// One label; empty: annotations without one.
        case label(String)
        case others(Int)
    }

    let lanes: [Content]

    /// Maximum number of lanes, if there is room for them.
    static let maximum = 12

    /// Lanes in the order of their labels, digits before letters.
    ///
    /// - Parameter limit: Maximum number of lanes, 1 or more.
    init(_ annotations: some Sequence<Annotation>, limit: Int) {
        var counts: [String: Int] = [:]
        for annotation in annotations { counts[annotation.label, default: 0] += 1 }
        let limit = max(min(limit, Self.maximum), 1)
        let ranked = counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
        let own = ranked.count <= limit ? ranked : Array(ranked.prefix(limit - 1))
        let rest = ranked.count - own.count
        lanes = own.sorted().map(Content.label) + (rest > 0 ? [.others(rest)] : [])
    }

    func lane(of label: String) -> Int { lanes.firstIndex(of: .label(label)) ?? lanes.count - 1 }

    func names(_ label: String) -> Bool { lanes.contains(.label(label)) }

    func name(_ lane: Int) -> String {
        switch lanes[lane] {
        case .label(let label): label.isEmpty ? "(no label)" : label
        case .others(let count): Wording.count(count, "other")
        }
    }
}

/// Draws annotations as bars in lanes, which are named at their left.
struct LaneDrawing {
    let annotations: [Annotation]
    let lanes: LabelLanes
    let layout: PanelLayout
    let area: PixelRectangle
    let sizes: PrintSizes
    let canvas: Canvas

    /// Colours for all kinds of colour vision: those of Okabe and Ito without black, and without yellow, which is hardly visible on
    /// white.
    private static let colors = [0x0072B2, 0xE69F00, 0x009E73, 0xD55E00, 0x56B4E9, 0xCC79A7].map(RGB.init(hex:))
    private static let otherColor = RGB(hex: 0x8A8A8A)

    func draw() -> AnnotationCount {
        var counts = AnnotationCount()
        var covered = lanes.lanes.map { _ in RangeSet<Int>() }
        for annotation in annotations {
            guard let columns = columns(of: annotation, counting: &counts) else { continue }
            let lane = lanes.lane(of: annotation.label)
            covered[lane].insert(contentsOf: columns)
            guard !annotation.label.isEmpty else { continue }
            counts.labelled += 1
            if lanes.names(annotation.label) { counts.named += 1 }
        }
        let height = area.height / max(lanes.lanes.count, 1)
        for lane in lanes.lanes.indices {
            let y = area.y + lane * height
            let band = PixelRectangle(x: area.x, y: y, width: area.width, height: max(height - sizes.pixels(2), 1))
            canvas.fill(band, with: sizes.theme.empty)
            canvas.fill(
                covered[lane].ranges.map { run in
                    PixelRectangle(x: area.x + run.lowerBound, y: y, width: run.count, height: band.height)
                }, with: color(lane))
            let limit = Double(max(area.x - layout.cell.x - sizes.gap, 1))
            let baseline = (Double(y) + Double(band.height) / 2 + canvas.digitHeight(sizes.lane) / 2).rounded()
            canvas.draw(
                lanes.name(lane), x: Double(area.x - sizes.gap), y: baseline, style: sizes.lane, anchor: .end,
                limit: limit)
        }
        return counts
    }

    private func color(_ lane: Int) -> RGB {
        guard case .label = lanes.lanes[lane] else { return Self.otherColor }
        return Self.colors[lane % Self.colors.count]
    }

    /// The columns of an annotation, from the strip's left; nil: it is outside. The last of several columns is left free as a gap
    /// to the next bar.
    private func columns(of annotation: Annotation, counting counts: inout AnnotationCount) -> Range<Int>? {
        let left = layout.column(of: annotation.start) - Double(area.x)
        let right = layout.column(of: annotation.end) - Double(area.x)
        guard !counts.counts(outside: 0..<Double(area.width), left: left, right: right) else { return nil }
        counts.drawn += 1
        let first = Int(max(left.rounded(.down), 0))
        let end = Int(min(right.rounded(.up), Double(area.width)))
        return first..<max(end - first > 3 ? end - 1 : end, min(first + 1, area.width))
    }
}
