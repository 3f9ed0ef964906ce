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

    @Test func `a box's edges are at its times and frequencies`() throws {
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

    /// Letters of 8 pixels in a line of 14.
    private static func size(_ text: String) -> LabelSize { LabelSize(text: text, width: 8 * text.count, height: 14) }

    @Test func `without frequencies a box spans all bins`() throws {
        let layout = try Sample.picture(panels: [panel([annotation(1, 2)])]).drawn().layout
        let marks = AnnotationLayout(
            [try annotation(1, 2)], on: layout.panels[0], area: layout.body, size: Self.size)
        #expect(marks.boxes.map(\.height) == [layout.body.height])
        #expect(marks.boxes.map(\.y) == [layout.body.y])
    }

    @Test func `annotations outside the picture are left out, those partly outside are clipped`() throws {
        let layout = try Sample.picture(panels: [panel([], start: 100)]).drawn().layout.panels[0]
        let annotations = [
            try annotation(0, 99), try annotation(111, 112), try annotation(105, 106, 20_000, 30_000),
            try annotation(0, 1e9), try annotation(99, 101, 0, 1e8),
        ]
        let marks = AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size)
        #expect(marks.counts.all == 5 && marks.counts.drawn == 2)
        #expect(marks.counts.before == 1 && marks.counts.after == 1 && marks.counts.beyondBand == 1)
        let boxes = marks.boxes
        #expect(boxes.count == 2)
        #expect(boxes.allSatisfy { layout.body.contains($0) })
        #expect(boxes[0] == layout.body)
        // A point has a line.
        let point = AnnotationLayout([try annotation(105, 105)], on: layout, area: layout.body, size: Self.size).boxes
        #expect(point.map(\.width) == [1])
    }

    @Test func `boxes that reach beyond the frequencies are counted as cut`() throws {
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        // The axis ends at 9950 Hz.
        let annotations = [
            try annotation(1, 2, 5000, 12_000), try annotation(1, 2, 5000, 9960), try annotation(1, 2),
            try annotation(3, 4, 0, 500), try annotation(5, 6, 20_000, 21_000),
        ]
        let counts = AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size).counts
        #expect(counts.cut == 1 && counts.drawn == 4 && counts.beyondBand == 1)
    }

    @Test func `few labels are above their boxes`() throws {
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        let annotations = [try annotation(1, 2, 500, 4000, "wren"), try annotation(4, 5, 500, 4000, "wren")]
        let marks = AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size)
        #expect(marks.labels.map(\.text) == ["wren", "wren"])
        for (box, label) in zip(marks.boxes, marks.labels) {
            #expect(label.tag == PixelRectangle(x: box.x, y: box.y - 14, width: 32, height: 14))
            #expect(label.bracket == nil)
        }
    }

    @Test func `a label is on no other box if there is room`() throws {
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        // The area above the first box is within the second.
        let annotations = [try annotation(2, 4, 1000, 3000, "low"), try annotation(2.5, 3.5, 3000, 8000, "high")]
        let marks = AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size)
        let low = try #require(marks.labels.first { $0.text == "low" })
        #expect(!low.tag.overlaps(marks.boxes[1]) && low.tag.touches(marks.boxes[0]))
    }

    @Test func `neighbours of one label are named once, over all of them`() throws {
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        let many = try (0..<120).map { try annotation(2 + Double($0) / 30, 2.02 + Double($0) / 30, 2000, 5000, "wren") }
        let alone = try annotation(9, 9.1, 2000, 5000, "owl")
        let marks = AnnotationLayout(many + [alone], on: layout, area: layout.body, size: Self.size)
        #expect(marks.labels.map(\.text).sorted() == ["owl", "wren ×120"])
        #expect(marks.counts.named == 121 && marks.counts.labelled == 121)
        let run = try #require(marks.labels.first { $0.boxes.count == 120 })
        let bracket = try #require(run.bracket)
        #expect(bracket.area.x == marks.boxes[0].x && bracket.area.right == marks.boxes[119].right)
        #expect(bracket.area.bottom == marks.boxes[0].y && bracket.pointsDown)
        #expect(run.tag.bottom == bracket.area.y)
    }

    /// Boxes of all lengths at all heights: a day's or a minute's, of one kind, some, or each its own.
    private func scene(
        _ count: Int, kinds: Int, longest: Double, random: inout RandomSource
    ) throws -> [Annotation] {
        try (0..<count).map { index in
            let start = Double.random(in: -1...10, using: &random)
            let hasBand = Bool.random(using: &random)
            let low = Double.random(in: 0...9000, using: &random)
            return try annotation(
                start, start + Double.random(in: 0...longest, using: &random), hasBand ? low : nil,
                hasBand ? low + 1500 : nil, index % 17 == 3 ? "" : "label \(index % kinds)")
        }
    }

    @Test(arguments: [1, 4, 10, 60, 500, 2500])
    func `labels never overlap, cover little, and are at their boxes, for any number`(count: Int) throws {
        var random = RandomSource(seed: 21 + UInt64(count))
        for (kinds, longest, width) in [
            (1, 0.02, 640), (5, 0.1, 640), (5, 3, 1600), (40, 0.5, 900), (10_000, 0.3, 640),
        ] {
            let layout = try Sample.picture(panels: [panel([])], style: PictureStyle(width: width, height: 400))
                .drawn().layout.panels[0]
            let annotations = try scene(count, kinds: kinds, longest: longest, random: &random)
            let marks = AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size)
            #expect(
                marks.labels == AnnotationLayout(annotations, on: layout, area: layout.body, size: Self.size).labels)
            try check(marks, in: layout.body)
            #expect(count > 4 || marks.counts.isComplete)
            #expect(marks.boxes.count < 400 || marks.counts.named > 0)
        }
    }

    private func check(_ marks: AnnotationLayout, in body: PixelRectangle) throws {
        let parts = marks.labels.flatMap { [$0.tag] + ($0.bracket.map { [$0.area] } ?? []) }
        #expect(parts.allSatisfy { body.contains($0) })
        for (index, part) in parts.enumerated() { #expect(!parts[..<index].contains { $0.overlaps(part) }) }
        let covered = marks.labels.reduce(0) { $0 + $1.tag.width * $1.tag.height + ($1.bracket?.pixels ?? 0) }
        #expect(Double(covered) <= 0.1 * Double(body.width * body.height))
        let named = marks.labels.flatMap(\.boxes)
        #expect(Set(named).count == named.count && marks.counts.named == named.count)
        for label in marks.labels {
            let boxes = label.boxes.map { marks.boxes[$0] }
            let left = try #require(boxes.map(\.x).min())
            let right = try #require(boxes.map(\.right).max())
            let top = try #require(boxes.map(\.y).min())
            let bottom = try #require(boxes.map(\.bottom).max())
            let outline = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
            #expect(label.text.hasSuffix("×\(boxes.count)") == (boxes.count > 1))
            guard let bracket = label.bracket else {
                #expect(label.tag.touches(outline))
                continue
            }
            #expect(bracket.area.x == left && bracket.area.right == right && label.tag.touches(bracket.area))
            // At the boxes, or a line of print further.
            let reach = label.tag.height + bracket.area.height
            #expect(bracket.area.bottom >= top - reach && bracket.area.y <= bottom + reach)
        }
    }

    @Test func `where there is no room for all, labels are spread over the picture, each text once before one twice`()
        throws
    {
        let layout = try Sample.picture(panels: [panel([])]).drawn().layout.panels[0]
        let body = layout.body
        let distinct = try (0..<3000).map { index in
            try annotation(Double(index) / 300, Double(index) / 300, 4000, 6000, "bird \(index)")
        }
        let tags = AnnotationLayout(distinct, on: layout, area: body, size: Self.size).labels.map(\.tag)
        for quarter in 0..<4 {
            let part = body.x + quarter * body.width / 4..<body.x + (quarter + 1) * body.width / 4
            #expect(tags.count { part.contains($0.x) } >= 2, "quarter \(quarter)")
        }
        // One rare bird among very many of two others.
        let crowd = try (0..<3000).map {
            try annotation(Double($0) / 300, Double($0) / 300, nil, nil, "crow \($0 % 2)")
        }
        let rare = try annotation(7, 7, 5000, 7000, "crake")
        let named = AnnotationLayout(crowd + [rare], on: layout, area: body, size: Self.size).labels.map(\.text)
        #expect(named.contains("crake"))
        #expect(named.contains { $0.hasPrefix("crow 0") } && named.contains { $0.hasPrefix("crow 1") })
    }

    @Test func `lines that would cover most values let them shine through, few do not`() throws {
        func colors(_ count: Int) throws -> Set<UInt32> {
            let annotations = try (0..<count).map {
                try annotation(9.5 * Double($0) / Double(count), 9.5 * Double($0) / Double(count) + 0.4, 1000, 9000)
            }
            let (pixels, layout) = try Sample.picture(panels: [panel(annotations)], span: .fixed(-200...0)).drawn()
            return pixels.colors(in: layout.body)
        }
        let plain = try colors(0)
        #expect(try colors(10) == plain.union([0x000000, 0xFFFFFF]))
        // Black and white lines mixed with the colour below.
        let mixed = try colors(2000)
        #expect(!mixed.contains(0x000000) && !mixed.contains(0xFFFFFF) && mixed.count >= plain.count + 2)
    }

    @Test func `the picture says how many boxes are named`() throws {
        let many = try (0..<400).map { try annotation(Double($0) / 40, Double($0) / 40 + 1, 100, 9000, "bird \($0)") }
        func titled(_ annotations: [Annotation]) throws -> SpectrogramPicture {
            let plain = try panel(annotations)
            return try Sample.picture(panels: [
                SpectrogramPanel(
                    matrix: plain.matrix, axis: plain.axis, framePeriod: 0.1, title: "t", subtitle: "s",
                    annotations: annotations)
            ])
        }
        let file = try titled(many).file(as: .png)
        let counts = try #require(file.annotations.first)
        #expect(counts.labelled == 398 && counts.named > 5 && counts.named < 40, "\(counts)")
        #expect(try titled([many[0]]).file(as: .png).annotations.map(\.named) == [1])
        let long = try annotation(1, 2, 100, 200, String(repeating: "very long ", count: 100))
        #expect(try titled([long]).file(as: .png).annotations.map(\.named) == [1])
        // Print at the right end of the subtitle's line, where a picture without labels has none.
        func hasRemark(_ annotations: [Annotation]) throws -> Bool {
            let (pixels, layout) = try titled(annotations).drawn()
            let part = PixelRectangle(
                x: layout.body.right - 60, y: layout.panels[0].cell.y, width: 60,
                height: layout.body.y - layout.panels[0].cell.y - 1)
            return pixels.colors(in: part).count > 1
        }
        #expect(try hasRemark(many))
        #expect(try !hasRemark([many[0]]))
    }
}

extension PixelRectangle {
    /// Whether they share a pixel, or an edge.
    fileprivate func touches(_ other: PixelRectangle) -> Bool {
        x <= other.right && other.x <= right && y <= other.bottom && other.y <= bottom
    }
}
