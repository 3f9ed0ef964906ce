import CCairo

/// What a canvas draws on.
protocol Surface: AnyObject {
    /// Cairo's own surface.
    var handle: OpaquePointer { get }
    /// Length of a canvas' pixel in the surface's unit.
    var unit: Double { get }
    /// Whether letters may be moved and bent to the grid of pixels.
    var hasPixels: Bool { get }

    /// Draws a raster so that each of its pixels is one of the canvas, never blurred, its upper left corner at `x`, `y`.
    func place(_ raster: Raster, x: Int, y: Int, in context: OpaquePointer) throws(PlotError)

    /// The content of a file of what was drawn; nothing can be drawn afterwards.
    func bytes() throws(PlotError) -> [UInt8]
}
