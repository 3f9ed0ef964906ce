import CCairo

/// An SVG or PDF document of one page. A pixel of the canvas is 72/dpi points.
final class VectorSurface: Surface {
    let handle: OpaquePointer
    private let isSVG: Bool
    private let dpi: Double
    /// Outlives the handle, whose destruction may write.
    private let sink: ByteSink

    /// Length of a canvas' pixel in points.
    static func unit(dpi: Double) -> Double { 72 / dpi }

    /// An empty page of `width` × `height` pixels of the canvas; an SVG, or else a PDF.
    init(isSVG: Bool, width: Int, height: Int, dpi: Double) throws(PlotError) {
        let unit = Self.unit(dpi: dpi)
        let sink = ByteSink()
        let size = (Double(width) * unit, Double(height) * unit)
        let made =
            isSVG
            ? cairo_svg_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
            : cairo_pdf_surface_create_for_stream(receiveBytes, sink.closure, size.0, size.1)
        handle = try checked(made, "making a page of \(width) × \(height) pixels")
        // A date would make every file different.
        if !isSVG { cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_CREATE_DATE, nil) }
        self.isSVG = isSVG
        self.dpi = dpi
        self.sink = sink
    }

    deinit { cairo_surface_destroy(handle) }

    func draw(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) throws(PlotError) {
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

/// Makes equal pictures equal SVG texts, and their images sharp.
///
/// Cairo numbers surfaces and images by a counter of the process, so that a picture has other ids when it is drawn again. Cairo
/// 1.16 also omits that an image must not be smoothed.
enum StableSVG {
    /// The text with every numbered id, and what refers to it, counted from 0 in its order, and sharp images.
    static func text(_ svg: [UInt8]) -> [UInt8] {
        let names = newNames(svg)
        var result: [UInt8] = []
        result.reserveCapacity(svg.count + 256)
        var index = 0
        while index < svg.count {
            let byte = svg[index]
            result.append(byte)
            index += 1
            guard byte == hash || (byte == quote && ends(svg, before: index, in: idMark)) else {
                if byte == space, ends(svg, before: index, in: imageMark) { result.append(contentsOf: sharp) }
                continue
            }
            guard let name = numberedName(svg, from: index), let new = names[name] else { continue }
            result.append(contentsOf: new)
            index += name.count
        }
        return result
    }

    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")
    private static let space = UInt8(ascii: " ")
    private static let idMark = Array(" id=\"".utf8)
    private static let imageMark = Array("<image ".utf8)
    private static let sharp = Array("style=\"image-rendering:pixelated\" ".utf8)

    private static func newNames(_ svg: [UInt8]) -> [[UInt8]: [UInt8]] {
        var names: [[UInt8]: [UInt8]] = [:]
        var counts: [[UInt8]: Int] = [:]
        for index in svg.indices where svg[index] == quote && ends(svg, before: index + 1, in: idMark) {
            guard let name = numberedName(svg, from: index + 1), names[name] == nil else { continue }
            let prefix = Array(name.prefix { !isDigit($0) })
            names[name] = prefix + Array("\(counts[prefix, default: 0])".utf8)
            counts[prefix, default: 0] += 1
        }
        return names
    }

    private static func ends(_ svg: [UInt8], before index: Int, in mark: [UInt8]) -> Bool {
        index >= mark.count && svg[index - mark.count..<index].elementsEqual(mark)
    }

    /// Letters and the digits after them; nil: not both are there.
    private static func numberedName(_ svg: [UInt8], from index: Int) -> [UInt8]? {
        var end = index
        while end < svg.count, isLetter(svg[end]) { end += 1 }
        let digits = end
        while end < svg.count, isDigit(svg[end]) { end += 1 }
        return digits > index && end > digits ? Array(svg[index..<end]) : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
