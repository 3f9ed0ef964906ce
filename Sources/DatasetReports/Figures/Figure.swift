/// A drawing with its name, its description and the numbers that it shows.
struct Figure: Sendable {
    /// Its name in addresses and file names: letters, digits and hyphens.
    let id: String
    /// What it shows, as a heading.
    let title: String
    /// What it shows and what can be seen in it, in a sentence or two.
    let description: String
    /// Width in its own units.
    var width = ChartFrame.width
    /// Height in its own units.
    let height: Double
    /// The drawing.
    let drawing: SVGDrawing
    /// The same numbers.
    let table: ReportTable

    /// The drawing as a part of a page, whose style it follows.
    var inline: String {
        "<svg class=\"figure\" viewBox=\"0 0 \(size)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
            + head + drawing.markup + "</svg>"
    }

    /// The drawing as a file of its own, with both themes.
    var file: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" width=\"\(SVGDrawing.number(width))\" "
            + "height=\"\(SVGDrawing.number(height))\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">\n"
            + head
            + "<style>\n\(PageStyle.themes(root: "svg"))svg{background:var(--surface)}\n\(PageStyle.figure)</style>\n"
            + drawing.markup + "</svg>\n"
    }

    private var size: String { "\(SVGDrawing.number(width)) \(SVGDrawing.number(height))" }

    private var head: String {
        "<title id=\"\(id)-title\">\(ScalarHTML.escaped(title))</title>\n"
            + "<desc id=\"\(id)-desc\">\(ScalarHTML.escaped(description))</desc>\n"
    }

    /// What the template is filled with.
    var context: [String: Any] {
        [
            "figureID": id, "title": title, "description": description, "svg": inline, "table": table.context,
            "tall": height > 1.5 * ChartFrame.height,
        ]
    }
}
