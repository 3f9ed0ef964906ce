import CCairo

/// What a canvas draws on: an image, or an SVG or PDF document of one page.
final class Surface {
    let handle: OpaquePointer
    let width: Int
    let height: Int
    private let format: PictureFormat
    private let dpi: Double
    /// Outlives the handle, whose destruction may write.
    private let sink = ByteSink()

    /// Length of a canvas' pixel: one of an image, or in points of a page.
    var unit: Double { format == .png ? 1 : 72 / dpi }

    /// An empty surface of `width` × `height` pixels of the canvas.
    init(width: Int, height: Int, format: PictureFormat, dpi: Double) throws(PlotError) {
        (self.width, self.height, self.format, self.dpi) = (width, height, format, dpi)
        let size = (Double(width) * 72 / dpi, Double(height) * 72 / dpi)
        let made =
            switch format {
            case .png: cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
            case .svg: cairo_svg_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
            case .pdf: cairo_pdf_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
            }
        handle = try checked(made, "making \(format == .png ? "an image" : "a page") of \(width) × \(height) pixels")
        // A date would make every file different.
        if format == .pdf { cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_CREATE_DATE, nil) }
    }

    deinit { cairo_surface_destroy(handle) }

    /// Draws a raster so that each of its pixels is one of the canvas, never blurred, its upper left corner at `x`, `y`.
    ///
    /// - Precondition: the raster lies within the canvas.
    func draw(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) throws(PlotError) {
        precondition(
            x >= 0 && y >= 0 && x + raster.width <= width && y + raster.height <= height, "a raster leaves its canvas")
        try raster.pixels.withUnsafeBufferPointer { pixels throws(PlotError) in
            let bytes = UnsafeMutableRawPointer(mutating: pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            let image = try checked(
                cairo_image_surface_create_for_data(
                    bytes, CAIRO_FORMAT_RGB24, Int32(raster.width), Int32(raster.height), Int32(4 * raster.width)),
                "making an image of \(raster.width) × \(raster.height) pixels")
            cairo_save(context)
            cairo_translate(context, Double(x), Double(y))
            cairo_set_source_surface(context, image, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
            cairo_rectangle(context, 0, 0, Double(raster.width), Double(raster.height))
            cairo_fill(context)
            cairo_restore(context)
            // A document that needs the pixels until it is written copies them now.
            cairo_surface_finish(image)
            cairo_surface_destroy(image)
        }
    }

    /// The drawing as the content of a file; nothing can be drawn afterwards.
    func bytes() throws(PlotError) -> [UInt8] {
        if format == .png {
            cairo_surface_flush(handle)
            let status = cairo_surface_write_to_png_stream(handle, receiveBytes, sink.closure)
            try status.check("encoding a PNG of \(width) × \(height) pixels")
            return PNGResolution.stated(in: sink.bytes, dpi: dpi)
        }
        cairo_surface_finish(handle)
        try cairo_surface_status(handle).check("writing the page")
        return format == .svg ? StableSVG.text(sink.bytes) : sink.bytes
    }

    /// The pixels of an image; nil for a document.
    func raster() -> Raster? {
        guard format == .png else { return nil }
        var raster = Raster(width: width, height: height, filledWith: RGB(hex: 0))
        cairo_surface_flush(handle)
        guard let data = cairo_image_surface_get_data(handle) else { return raster }
        let stride = Int(cairo_image_surface_get_stride(handle))
        for y in 0..<height {
            let row = UnsafeRawPointer(data + y * stride)
            // The upper 8 bits of a pixel are unused, and undefined.
            for x in 0..<width { raster[x, y] = row.load(fromByteOffset: x * 4, as: UInt32.self) & 0xFF_FFFF }
        }
        return raster
    }
}

package enum PictureFormat: String, CaseIterable, Sendable {
    case png
    /// Lines, areas and letters as shapes (Cairo writes no text there), spectrograms as embedded pixels; for web pages.
    case svg
    /// Lines and spectrograms as in an SVG, on a page of the picture's size, with text as text, its fonts embedded; for papers.
    case pdf

    /// The format by a file's extension, in any case; nil for another extension or none.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), let format = Self(rawValue: name[dot...].dropFirst().lowercased())
        else { return nil }
        self = format
    }

    package var name: String { rawValue.uppercased() }
}

/// Takes the bytes of a file that Cairo writes piece by piece.
final class ByteSink {
    fileprivate(set) var bytes: [UInt8] = []

    /// What Cairo hands to `receiveBytes`; valid as long as the sink lives.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

func receiveBytes(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
}

/// The surface that a call has made; destroys one in an error state.
func checked(_ surface: OpaquePointer?, _ operation: String) throws(PlotError) -> OpaquePointer {
    guard let surface else { throw .cairo(operation: operation, status: "no surface") }
    do throws(PlotError) {
        try cairo_surface_status(surface).check(operation)
    } catch {
        cairo_surface_destroy(surface)
        throw error
    }
    return surface
}

extension cairo_status_t {
    func check(_ operation: @autoclosure () -> String) throws(PlotError) {
        guard self != CAIRO_STATUS_SUCCESS else { return }
        throw .cairo(operation: operation(), status: String(cString: cairo_status_to_string(self)))
    }
}

/// Version of the Cairo in use.
package func drawingLibraryVersion() -> String { String(cString: cairo_version_string()) }
