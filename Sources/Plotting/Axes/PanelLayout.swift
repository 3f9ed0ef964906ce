import Presentation

/// The areas of one panel in pixels, and the ticks of its axes.
struct PanelLayout: Sendable {
    /// The whole panel, its axes' print included.
    let cell: PixelRectangle
    /// The pixels of the spectrogram, as wide as the longest of the picture.
    let body: PixelRectangle
    /// The pixels of the panel's own frames, which may start right of the body's left edge: frames may start later than the signal.
    let filled: PixelRectangle
    /// The strip of the waveform; nil: none.
    let strip: PixelRectangle?
    let stripTicks: [AxisTick]
    let peak: Double
    let lanes: PixelRectangle?
    let bins: BinScale
    let time: TimeAxis
    let timeTicks: [AxisTick]
    let namesTime: Bool

    /// The column of a time in seconds, which may lie outside the body, as a number from the left edge of the picture.
    func column(of seconds: Double) -> Double {
        let span = time.range.upperBound - time.range.lowerBound
        return Double(body.x) + (seconds - time.range.lowerBound) / span * Double(body.width)
    }

    /// The row of a frequency in hertz, from the top of the picture; nil: bins have no frequency.
    func row(of hertz: Double) -> Double? {
        bins.position(clamping: hertz).map { Double(body.y) + (1 - $0) * Double(body.height) }
    }
}
