import FeatureModel
import Testing

@testable import Plotting

struct LabelStripTests {
    private func annotation(_ start: Double, _ end: Double, _ label: String, low: Double? = nil) throws -> Annotation {
        try #require(Annotation(start: start, end: end, low: low, label: label))
    }

    private func picture(_ annotations: [Annotation], style: AnnotationStyle = .strip) throws -> SpectrogramPicture {
        let panel = try SpectrogramPanel(
            matrix: Sample.tone(rows: 100, bins: 20, bright: []), axis: .coefficients, framePeriod: 0.1,
            firstFrameTime: 0.05, title: "clip", annotations: annotations)
        return try SpectrogramPicture(
            panels: [panel], valueLabel: "dB", span: .fixed(-200...0), annotationStyle: style,
            style: PictureStyle(colors: .grey, width: 900, height: 500))
    }

    @Test func `lanes are in the order of their labels, rare labels share the last`() throws {
        let few = LabelLanes(try ["wren", "owl", "wren", ""].map { try annotation(0, 1, $0) }, limit: 12)
        #expect(few.lanes.indices.map(few.name) == ["(no label)", "owl", "wren"])
        #expect(["", "owl", "wren"].map(few.lane) == [0, 1, 2])
        let all = try (0..<30).flatMap { label in
            try (0...label).map { _ in try annotation(0, 1, "s\(label)") }
        }
        let many = LabelLanes(all, limit: 4)
        #expect(many.lanes.indices.map(many.name) == ["s27", "s28", "s29", "27 others"])
        #expect(many.lane(of: "s3") == 3 && !many.names("s3") && many.names("s29"))
        #expect(LabelLanes(all, limit: 100).lanes.count == LabelLanes.maximum)
    }

    @Test func `bars are below the time axis at their times, and nothing over the values`() throws {
        let (pixels, layout) = try picture([annotation(2, 4, "wren"), annotation(5, 5, "owl")]).drawn()
        let panel = layout.panels[0]
        let strip = try #require(panel.lanes)
        #expect(strip.y > panel.body.bottom && panel.cell.contains(strip))
        // A value of −100 in −200 … 0 is grey all over.
        #expect(pixels.colors(in: panel.body).count == 1)
        let lane = strip.height / 2
        func colored(_ y: Int) -> [Int] {
            (0..<strip.width).filter { pixels[strip.x + $0, y] != Theme.light.empty.hex }
        }
        let (owl, wren) = (colored(strip.y + 4), colored(strip.y + lane + 4))
        #expect(owl == [strip.width / 2])
        // The last column stays free.
        #expect(wren.first == strip.width / 5 && (wren.last ?? 0) + 2 == (2 * strip.width + 4) / 5)
        #expect(wren.count == (wren.last ?? 0) - (wren.first ?? 0) + 1)
    }

    @Test func `annotations at other times are counted, and so are names`() throws {
        let file = try picture([
            annotation(-2, -1, "a"), annotation(1, 2, "a"), annotation(3, 4, ""), annotation(20, 21, "b"),
        ]).file(as: .png)
        let counts = try #require(file.annotations.first)
        #expect(counts.before == 1 && counts.after == 1 && counts.drawn == 2)
        #expect(counts.labelled == 1 && counts.named == 1 && counts.beyondBand == 0)
    }

    @Test func `pictures without annotations have no strip`() throws {
        let layout = try picture([]).drawn().layout
        #expect(layout.lanes == nil && layout.panels[0].lanes == nil)
        #expect(try picture([annotation(50, 51, "a")]).drawn().layout.lanes == nil)
    }

    @Test func `many labels without frequencies are a strip by themselves, others are boxes`() throws {
        func isStrip(_ annotations: [Annotation], _ style: AnnotationStyle = .automatic) -> Bool {
            style.isStrip([annotations], width: 800) { 10 * $0.count }
        }
        let many = try (0..<60).map { try annotation(Double($0), Double($0) + 0.5, "wren") }
        #expect(isStrip(many) && !isStrip(many, .boxes))
        #expect(!isStrip(Array(many.prefix(13))))
        #expect(isStrip(Array(many.prefix(1)), .strip) && !isStrip([], .strip))
        // Frequencies would be lost in a strip.
        #expect(!isStrip(many + [try annotation(0, 1, "owl", low: 500)]))
        // Nor do marks without labels need one.
        #expect(!isStrip(try many.map { try annotation($0.start, $0.end, "") }))
    }
}
