import CCairo

/// An SVG or PDF document of one page. A pixel of the canvas is 72/dpi points.
final class VectorSurface: Surface {
    let handle: OpaquePointer
    let unit: Double
    private let isSVG: Bool
    private let dpi: Double
    /// Outlives the handle, whose end may write.
    private let sink: ByteSink

    /// An empty page of `width` × `height` pixels of the canvas; an SVG, or else a PDF.
    init(isSVG: Bool, width: Int, height: Int, dpi: Double) throws(PlotError) {
        let unit = 72 / dpi
        let sink = ByteSink()
        let operation = "making a page of \(width) × \(height) pixels"
        let size = (Double(width) * unit, Double(height) * unit)
        let made =
            isSVG
            ? cairo_svg_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
            : cairo_pdf_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
        guard let handle = made else { throw .cairo(operation: operation, status: "no page") }
        do throws(PlotError) {
            try cairo_surface_status(handle).check(operation)
        } catch {
            cairo_surface_destroy(handle)
            throw error
        }
        // A date would make every file another one.
        if !isSVG { cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_CREATE_DATE, nil) }
        self.handle = handle
        self.unit = unit
        self.isSVG = isSVG
        self.dpi = dpi
        self.sink = sink
    }

    deinit { cairo_surface_destroy(handle) }

    var hasPixels: Bool { false }

    func place(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) throws(PlotError) {
        let image = try ImageSurface(raster, dpi: dpi)
        cairo_save(context)
        cairo_translate(context, Double(x), Double(y))
        cairo_set_source_surface(context, image.handle, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
        cairo_rectangle(context, 0, 0, Double(raster.width), Double(raster.height))
        cairo_fill(context)
        cairo_restore(context)
    }

    func bytes() throws(PlotError) -> [UInt8] {
        cairo_surface_finish(handle)
        try cairo_surface_status(handle).check("writing the page")
        return isSVG ? StableSVG.text(sink.bytes) : sink.bytes
    }
}
