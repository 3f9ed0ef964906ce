import CCairo

protocol Surface: AnyObject {
    var handle: OpaquePointer { get }

    /// Draws a raster so that each of its pixels is one of the canvas, never blurred, its upper left corner at `x`, `y`.
    func draw(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) throws(PlotError)

    /// The drawing as the content of a file; nothing can be drawn afterwards.
    func bytes() throws(PlotError) -> [UInt8]
}

package enum PictureFormat: String, CaseIterable, Sendable {
    case png
    /// Lines, areas and letters as shapes (Cairo writes no text there), spectrograms as embedded pixels; for web pages.
    case svg
    /// The same on a page of the picture's size, with text as text, its fonts embedded; for papers.
    case pdf

    /// The format that a file's extension tells, in any case; nil for another or none.
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
