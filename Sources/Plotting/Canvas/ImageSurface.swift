import CCairo

final class ImageSurface: Surface {
    let width: Int
    let height: Int
    let dpi: Double
    let handle: OpaquePointer

    init(width: Int, height: Int, dpi: Double) throws(PlotError) {
        handle = try checked(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            "making an image of \(width) × \(height) pixels")
        self.width = width
        self.height = height
        self.dpi = dpi
    }

    convenience init(_ raster: Raster, dpi: Double) throws(PlotError) {
        try self.init(width: raster.width, height: raster.height, dpi: dpi)
        copy(raster, x: 0, y: 0)
    }

    deinit { cairo_surface_destroy(handle) }

    func draw(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) { copy(raster, x: x, y: y) }

    func bytes() throws(PlotError) -> [UInt8] {
        let sink = ByteSink()
        cairo_surface_flush(handle)
        let status = withExtendedLifetime(sink) {
            cairo_surface_write_to_png_stream(handle, receiveBytes, sink.closure)
        }
        try status.check("encoding a PNG of \(width) × \(height) pixels")
        return PNGResolution.stated(in: sink.bytes, dpi: dpi)
    }

    /// Copies a raster into the image, pixel for pixel, its upper left corner at `x`, `y`.
    ///
    /// - Precondition: the raster lies within the image.
    func copy(_ raster: Raster, x: Int, y: Int) {
        precondition(
            x >= 0 && y >= 0 && x + raster.width <= width && y + raster.height <= height, "a raster leaves its image")
        cairo_surface_flush(handle)
        guard let data = cairo_image_surface_get_data(handle) else { return }
        let stride = Int(cairo_image_surface_get_stride(handle))
        raster.pixels.withUnsafeBytes { pixels in
            for row in 0..<raster.height {
                let source = pixels[row * raster.width * 4..<(row + 1) * raster.width * 4]
                let target = UnsafeMutableRawPointer(data + (y + row) * stride + x * 4)
                UnsafeMutableRawBufferPointer(start: target, count: source.count).copyBytes(from: source)
            }
        }
        cairo_surface_mark_dirty(handle)
    }

    func raster() -> Raster {
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

/// Writes the resolution of a PNG in a chunk `pHYs`, which Cairo omits.
enum PNGResolution {
    /// Length of a PNG's signature and its first chunk, `IHDR`, after which the chunk is inserted.
    private static let headLength = 8 + 25

    /// The file with its resolution, in whole pixels a metre.
    static func stated(in png: [UInt8], dpi: Double) -> [UInt8] {
        guard png.count >= headLength else { return png }
        let perMetre = UInt32((dpi / 0.0254).rounded())
        // Unit 1: metre.
        let content = Array("pHYs".utf8) + bytes(perMetre) + bytes(perMetre) + [1]
        let chunk = bytes(UInt32(content.count - 4)) + content + bytes(checksum(content))
        return Array(png[..<headLength]) + chunk + png[headLength...]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// CRC-32 as PNG, zlib and Ethernet have it: polynomial 0x04C11DB7, bits reflected.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = ~0
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}

/// Version of the Cairo in use.
package func drawingLibraryVersion() -> String { String(cString: cairo_version_string()) }
