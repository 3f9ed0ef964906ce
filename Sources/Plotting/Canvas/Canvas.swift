import CCairo
import FeatureModel
import Presentation

/// Draws lines, areas and text, measured in pixels, on an image or on the page of a document.
///
/// Cairo remembers the first operation that fails and ignores all later ones; `finish()` reports it.
final class Canvas {
    private let surface: Surface
    private let context: OpaquePointer
    private let fallback = FontFallback()
    private var failure: PlotError?

    /// Whether texts can be drawn; on a system without fonts they are left out.
    let hasText: Bool

    init(
        width: Int, height: Int, background: RGB, format: PictureFormat = .png, dpi: Double = 96,
        hasText: Bool = FontFallback.hasFonts
    ) throws(PlotError) {
        let surface = try Surface(width: width, height: height, format: format, dpi: dpi)
        guard let context = cairo_create(surface.handle) else {
            throw .cairo(operation: "making a drawing context", status: "no context")
        }
        self.surface = surface
        self.context = context
        self.hasText = hasText
        // Letters may be hinted to a grid of pixels, which a page lacks.
        Self.setFontOptions(context, fitsPixels: format == .png)
        cairo_scale(context, surface.unit, surface.unit)
        fill(PixelRectangle(x: 0, y: 0, width: width, height: height), with: background)
    }

    deinit { cairo_destroy(context) }

    func finish() throws(PlotError) {
        if let failure { throw failure }
        try cairo_status(context).check("drawing")
        cairo_surface_flush(surface.handle)
    }

    func bytes() throws(PlotError) -> [UInt8] { try surface.bytes() }

    /// The pixels as they are drawn; nil for a document.
    func raster() -> Raster? { surface.raster() }

    /// Draws a raster pixel for pixel, its upper left corner at `x`, `y`.
    ///
    /// - Precondition: the raster lies within the canvas.
    func draw(_ raster: Raster, x: Int, y: Int) {
        guard failure == nil else { return }
        do throws(PlotError) { try surface.draw(raster, x: x, y: y, in: context) } catch { failure = error }
    }

    func fill(_ rectangle: PixelRectangle, with color: RGB) { fill([rectangle], with: color) }

    func fill(_ rectangles: [PixelRectangle], with color: RGB) {
        set(color)
        for rectangle in rectangles {
            cairo_rectangle(
                context, Double(rectangle.x), Double(rectangle.y), Double(rectangle.width), Double(rectangle.height))
        }
        cairo_fill(context)
    }

    func fill(triangle points: [(x: Double, y: Double)], with color: RGB) {
        set(color)
        // Text leaves a current point, from which the first line would start.
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
        cairo_close_path(context)
        cairo_fill(context)
    }

    /// Draws a line through points.
    ///
    /// - Parameter dash: The length of dashes and of the gaps between them; nil: the line is solid.
    func stroke(_ points: [(x: Double, y: Double)], width: Double, color: RGB, dash: Double? = nil) {
        set(color)
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
        cairo_set_line_width(context, width)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        if var dash { cairo_set_dash(context, &dash, 1, 0) }
        cairo_stroke(context)
        if dash != nil { cairo_set_dash(context, nil, 0, 0) }
    }

    /// Draws what a closure draws as one layer of an opacity of 0 … 1; rasters are not supported.
    func draw(opacity: Double, _ content: () -> Void) {
        guard opacity < 1 else { return content() }
        cairo_push_group(context)
        content()
        cairo_pop_group_to_source(context)
        cairo_paint_with_alpha(context, opacity)
    }

    /// Draws lines around a rectangle, outside it, so that they cover nothing of it.
    func frame(_ inner: PixelRectangle, thickness: Int, with color: RGB) {
        let width = inner.width + 2 * thickness
        fill(
            [
                PixelRectangle(x: inner.x - thickness, y: inner.y - thickness, width: width, height: thickness),
                PixelRectangle(x: inner.x - thickness, y: inner.bottom, width: width, height: thickness),
                PixelRectangle(x: inner.x - thickness, y: inner.y, width: thickness, height: inner.height),
                PixelRectangle(x: inner.right, y: inner.y, width: thickness, height: inner.height),
            ], with: color)
    }

    /// - Parameters:
    ///   - y: Pixels from the top, of the baseline.
    ///   - limit: The width that a longer text is shortened to.
    ///   - lost: Which part a longer text loses.
    func draw(
        _ text: String, x: Double, y: Double, style: TextStyle, anchor: TextStyle.Anchor, isUpward: Bool = false,
        limit: Double? = nil, losing lost: LostPart = .middle
    ) {
        guard hasText else { return }
        let text = limit.map { shortened(text, style: style, limit: $0, losing: lost) } ?? text
        let back = anchor.rawValue * width(of: text, style: style)
        set(style.color)
        cairo_save(context)
        cairo_translate(context, x, y)
        if isUpward { cairo_rotate(context, -Double.pi / 2) }
        cairo_move_to(context, -back.rounded(), 0)
        for part in fallback.parts(of: text.drawable) {
            setFont(style, family: part.family)
            // Leaves the pen at the start of the next part.
            cairo_show_text(context, part.text)
        }
        cairo_restore(context)
    }

    func width(of text: String, style: TextStyle) -> Double {
        guard hasText else { return 0 }
        var width = 0.0
        for part in fallback.parts(of: text.drawable) {
            setFont(style, family: part.family)
            var extents = cairo_text_extents_t()
            cairo_text_extents(context, part.text, &extents)
            width += extents.x_advance
        }
        return width
    }

    func digitHeight(_ style: TextStyle) -> Double {
        // As in most fonts, so that the layout is the same without fonts.
        guard hasText else { return (0.73 * style.size).rounded() }
        setFont(style)
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, "0", &extents)
        return extents.height
    }

    /// Draws the marks and numbers of a vertical axis outside a rectangle, at its left or right side.
    func drawTicks(_ ticks: [AxisTick], beside part: PixelRectangle, atRight: Bool, sizes: PrintSizes) {
        let x = atRight ? part.right + sizes.line : part.x - sizes.line - sizes.tick
        for tick in ticks {
            let y = min(part.y + Int((1 - tick.position) * Double(part.height)), part.bottom - sizes.line)
            let mark = PixelRectangle(x: x, y: y, width: sizes.tick, height: sizes.line)
            fill(mark, with: sizes.theme.ink)
            let baseline = (Double(y) + Double(sizes.line) / 2 + digitHeight(sizes.number) / 2).rounded()
            draw(
                tick.label, x: Double(atRight ? mark.right + sizes.gap : mark.x - sizes.gap), y: baseline,
                style: sizes.number, anchor: atRight ? .start : .end)
        }
    }

    /// Draws marks of an axis from `top` down, at the columns of pixels of ticks, and their numbers on a baseline.
    func drawTicks(
        _ ticks: [AxisTick], top: Int, baseline: Double, sizes: PrintSizes, column: (AxisTick) -> Int
    ) {
        for tick in ticks {
            let x = column(tick)
            fill(PixelRectangle(x: x, y: top, width: sizes.line, height: sizes.tick), with: sizes.theme.ink)
            draw(tick.label, x: Double(x), y: baseline, style: sizes.number, anchor: .middle)
        }
    }

    func shortened(_ text: String, style: TextStyle, limit: Double, losing lost: LostPart = .middle) -> String {
        // Bounds the work of a very long text; no picture is wide enough for more.
        let bound = 4000
        let characters =
            text.count <= bound ? Array(text) : Array(text.prefix(bound / 2)) + Array(text.suffix(bound / 2))
        if characters.count == text.count, width(of: text, style: style) <= limit { return text }
        func keeping(_ kept: Int) -> String {
            let first = lost == .end ? kept : (kept + 1) / 2
            return String(characters.prefix(first)) + "…" + String(characters.suffix(kept - first))
        }
        let tooMany = (1..<max(characters.count, 1)).partitioningIndex { width(of: keeping($0), style: style) > limit }
        return keeping(tooMany - 1)
    }

    private func set(_ color: RGB) {
        cairo_set_source_rgb(context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    }

    private func setFont(_ style: TextStyle, family: String = FontFallback.standard) {
        let weight = style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
        cairo_select_font_face(context, family, CAIRO_FONT_SLANT_NORMAL, weight)
        cairo_set_font_size(context, style.size)
    }

    /// Overrides the desktop's settings, so that equal input gives equal pixels.
    private static func setFontOptions(_ context: OpaquePointer, fitsPixels: Bool) {
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, fitsPixels ? CAIRO_HINT_STYLE_SLIGHT : CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, fitsPixels ? CAIRO_HINT_METRICS_ON : CAIRO_HINT_METRICS_OFF)
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }
}

/// How a text is set; the face is the system's "sans-serif".
struct TextStyle: Hashable, Sendable {
    let size: Double
    var isBold = false
    var color = Theme.light.ink

    /// The part of the text's length that lies before its point.
    enum Anchor: Double, Sendable {
        case start = 0
        case middle = 0.5
        case end = 1
    }
}

/// The part of a text that is left out where the text is too wide.
enum LostPart: Sendable {
    /// As of names, whose ends tell them apart.
    case middle
    /// As of sentences, which begin with what matters most.
    case end
}
