/// A drawing with its name, its description and the numbers that it shows.
struct Figure: Sendable {
    /// Its name in addresses and file names: letters, digits and hyphens.
    let id: String
    let title: String
    /// What it shows, in a sentence or two.
    let description: String
    let height: Double
    let drawing: SVGDrawing
    let table: ReportTable

    /// The drawing as a part of a page, whose style it follows.
    var inline: String {
        "<svg class=\"figure\" viewBox=\"0 0 \(size)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
            + head + drawing.markup + "</svg>"
    }

    /// The drawing as a file of its own, with both themes.
    var file: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" width=\"\(SVGDrawing.number(ChartFrame.width))\" "
            + "height=\"\(SVGDrawing.number(height))\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
            + head
            + "<style>\n\(PageStyle.alone)</style>\n"
            + drawing.markup + "</svg>\n"
    }

    private var size: String { "\(SVGDrawing.number(ChartFrame.width)) \(SVGDrawing.number(height))" }

    private var head: String {
        "<title id=\"\(id)-title\">\(ScalarHTML.escaped(title))</title>\n"
            + "<desc id=\"\(id)-desc\">\(ScalarHTML.escaped(description))</desc>\n"
    }

    /// The template's values for figures in rows of two; one that is much higher than the others, or left over, has a row to
    /// itself.
    static func contexts(_ figures: [Figure]) -> [[String: Any]] {
        let isFirstWide = figures.count % 2 == 1 || figures.first.map { $0.height > 1.5 * ChartFrame.height } == true
        let isLastWide = isFirstWide && figures.count % 2 == 0
        return figures.enumerated().map { index, figure in
            let isFirst = index == 0 && isFirstWide
            return [
                "figureID": figure.id, "title": figure.title, "description": figure.description, "svg": figure.inline,
                "table": figure.table.context, "wide": isFirst || (index == figures.count - 1 && isLastWide),
                // The table fits next to the first figure, and 100 rows fit on paper.
                "open": isFirst && figure.table.rows.count <= 100,
            ]
        }
    }
}

extension DatasetReport {
    var figures: [Figure] {
        let first = [
            LabelFigure.make(self), LabelMatrixFigure.make(self), FrameLabelFigure.make(self),
            DurationFigure.make(self),
        ].compactMap(\.self)
        return first + BinFigure.before(self) + BinFigure.stored(self) + [ValueFigure.make(self)].compactMap(\.self)
    }
}
