import Mustache
import Presentation

/// The elements of an SVG figure, in their order. Lengths are in the figure's own units, which are CSS pixels
/// at its natural size; y grows downwards. Numbers have at most two decimals.
struct SVGDrawing: Sendable {
    enum Anchor: String, Sendable {
        case start, middle, end
    }

    private(set) var markup = ""

    /// A rectangle; `title` is its tooltip.
    mutating func rectangle(x: Double, y: Double, width: Double, height: Double, style: String, title: String? = nil) {
        let sides = ["x": x, "y": y, "width": max(width, 0), "height": max(height, 0)] as KeyValuePairs
        let shape = "<rect class=\"\(style)\"" + Self.attributes(sides)
        markup += title.map { shape + "><title>\(ScalarHTML.escaped($0))</title></rect>\n" } ?? shape + "/>\n"
    }

    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), style: String) {
        let ends = ["x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y] as KeyValuePairs
        markup += "<line class=\"\(style)\"" + Self.attributes(ends) + "/>\n"
    }

    /// Straight lines through points; closed to an area where `isClosed`.
    mutating func path(_ points: [(x: Double, y: Double)], isClosed: Bool = false, style: String) {
        guard let first = points.first else { return }
        let rest = points.dropFirst().map { "L\(Self.number($0.x)) \(Self.number($0.y))" }.joined()
        markup +=
            "<path class=\"\(style)\" d=\"M\(Self.number(first.x)) \(Self.number(first.y))\(rest)\(isClosed ? "Z" : "")\"/>\n"
    }

    mutating func text(
        _ text: String, x: Double, y: Double, anchor: Anchor = .start, style: String = "t", isUpward: Bool = false
    ) {
        let turn = isUpward ? " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" : ""
        markup +=
            "<text class=\"\(style)\"" + Self.attributes(["x": x, "y": y])
            + " text-anchor=\"\(anchor.rawValue)\"\(turn)>\(ScalarHTML.escaped(text.visible))</text>\n"
    }

    private static func attributes(_ values: KeyValuePairs<String, Double>) -> String {
        values.map { " \($0)=\"\(number($1))\"" }.joined()
    }

    static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
    }
}

/// Escapes texts for HTML's content and attributes.
///
/// By Unicode scalars: the template library compares characters and does not escape a quotation mark with a combining accent,
/// which are one character; a browser sees the mark and ends the attribute there.
struct ScalarHTML: MustacheContentType {
    /// The pragma at the start of every template, also of one that another includes.
    static let pragma = "{{% CONTENT_TYPE: SCALARS}}\n"

    /// Registers the name in `pragma`, once.
    static let isKnown: Bool = {
        MustacheContentTypes.register(ScalarHTML(), named: "SCALARS")
        return true
    }()

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    /// The text with `&`, `<`, `>` and both quotation marks as entities.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
