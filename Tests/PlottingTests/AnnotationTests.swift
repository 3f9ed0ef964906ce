import FeatureModel
import TestSupport
import Testing

@testable import Plotting

struct AnnotationTests {
    private static let frequencies = Sample.linear(bins: 100, top: 9900)

    private func panel(_ annotations: [Annotation], start: Double = 0) throws -> SpectrogramPanel {
        try SpectrogramPanel(
            matrix: Sample.tone(rows: 100, bins: 100, bright: []), axis: .frequencies(Self.frequencies),
            framePeriod: 0.1, firstFrameTime: start + 0.05, title: "", annotations: annotations)
    }

    private func annotation(
        _ start: Double, _ end: Double, _ low: Double? = nil, _ high: Double? = nil, _ label: String = ""
    ) throws -> Annotation { try #require(Annotation(start: start, end: end, low: low, high: high, label: label)) }

    @Test func `a box's edges stand at its times and frequencies`() throws {
        let panel = try panel([annotation(2, 4.5, 2000, 7000)])
        let picture = try Sample.picture(
            panels: [panel], span: .fixed(-200...0), style: PictureStyle(colors: .grey, width: 900, height: 500))
        let (pixels, layout) = try picture.drawn()
        let body = layout.body
        let black = pixels.pixels.indices.filter { index in
            let (x, y) = (index % pixels.width, index / pixels.width)
            return x >= body.x && x < body.right && y >= body.y && y < body.bottom && pixels[x, y] == 0
        }
        let columns = black.map { $0 % pixels.width - body.x }
        let rows = black.map { $0 / pixels.width - body.y }
        // The axis runs from 0 to 10 s, and from −50 to 9950 Hz.
        #expect(columns.min() == Int(0.2 * Double(body.width)))
        #expect(columns.max() == Int((0.45 * Double(body.width)).rounded(.up)) - 1)
        #expect(rows.min() == Int((9950 - 7000) / 10_000.0 * Double(body.height)))
        #expect(rows.max() == Int(((9950 - 2000) / 10_000.0 * Double(body.height)).rounded(.up)) - 1)
        // White within the black, so that it is seen on black too.
        let corner = try #require(black.first)
        #expect(pixels[corner % pixels.width + 1, corner / pixels.width + 1] == 0xFFFFFF)
    }

    @Test func `without frequencies a box spans all bins`() throws {
        let layout = try Sample.picture(panels: [panel([annotation(1, 2)])]).drawn().layout
        let marks = AnnotationLayout([try annotation(1, 2)], on: layout.panels[0], area: layout.body) { ($0, 10, 10) }
        #expect(marks.marks.map(\.box.height) == [layout.body.height])
        #expect(marks.marks.map(\.box.y) == [layout.body.y])
    }

    @Test func `what lies outside is left out, what sticks out is cut`() throws {
        let layout = try Sample.picture(panels: [panel([], start: 100)]).drawn().layout.panels[0]
        let annotations = [
            try annotation(0, 99), try annotation(111, 112), try annotation(105, 106, 20_000, 30_000),
            try annotation(0, 1e9), try annotation(99, 101, 0, 1e8),
        ]
        let marks = AnnotationLayout(annotations, on: layout, area: layout.body) { ($0, 10, 10) }.marks
        #expect(marks.count == 2)
        #expect(marks.allSatisfy { layout.body.contains($0.box) })
        #expect(marks[0].box == layout.body)
        // A point has a line.
        let point = AnnotationLayout([try annotation(105, 105)], on: layout, area: layout.body) { ($0, 10, 10) }.marks
        #expect(point.map(\.box.width) == [1])
    }

    @Test func `labels stay inside and never overlap, however many there are`() throws {
        var random = RandomSource(seed: 21)
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        for count in [1, 10, 60, 500] {
            let annotations = try (0..<count).map { index in
                let start = Double.random(in: -1...10, using: &random)
                let low = Double.random(in: 0...9000, using: &random)
                return try annotation(
                    start, start + Double.random(in: 0...3, using: &random), low, low + 1500, "label \(index)")
            }
            let marks = AnnotationLayout(annotations, on: layout, area: layout.body) { ($0, 8 * $0.count, 14) }
            let tags = marks.marks.compactMap(\.tag)
            #expect(tags.allSatisfy { layout.body.contains($0) })
            for (index, tag) in tags.enumerated() { #expect(!tags[..<index].contains { $0.overlaps(tag) }) }
            if count <= 10 { #expect(marks.labelsWithoutRoom == 0) }
            #expect(marks.labelsWithoutRoom == marks.marks.count - tags.count)
        }
    }

    @Test func `labels are drawn white on black, and their want of room is told`() throws {
        let many = try (0..<400).map { try annotation(Double($0) / 40, Double($0) / 40 + 1, 100, 9000, "bird \($0)") }
        let file = try Sample.picture(panels: [panel(many)]).file(as: .png)
        #expect(file.labelsWithoutRoom > 100 && file.labelsWithoutRoom < 400)
        #expect(try Sample.picture(panels: [panel([many[0]])]).file(as: .png).labelsWithoutRoom == 0)
        let long = try annotation(1, 2, 100, 200, String(repeating: "very long ", count: 100))
        #expect(try Sample.picture(panels: [panel([long])]).file(as: .png).labelsWithoutRoom == 0)
    }
}
