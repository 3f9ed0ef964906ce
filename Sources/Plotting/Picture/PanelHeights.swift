/// Heights of what stands above and below the spectrograms, in pixels.
struct PanelHeights: Sendable {
    /// Title and subtitle, the same in all panels.
    let head: Int
    /// Ticks of the time axis and their numbers, and the label strip.
    let foot: Int
    /// Ticks of the time axis and their numbers alone.
    let timeTicks: Int
    /// The name of the time axis.
    let timeName: Int
    /// Between rows of panels.
    let space: Int
    private let hasStrip: Bool
    private let leastStrip: Int

    /// - Parameter lanes: Of the label strip; 0: there is none.
    init(_ picture: SpectrogramPicture, _ sizes: PrintSizes, lanes: Int) {
        let hasTitle = picture.panels.contains { !$0.title.isEmpty }
        let hasSubtitle = picture.panels.contains { $0.subtitle != nil }
        head =
            (hasTitle ? sizes.pixels(12) + sizes.pixels(10) : 0)
            + (hasSubtitle ? sizes.pixels(9) + sizes.pixels(10) : 0)
        timeTicks = sizes.tick + sizes.gap + sizes.pixels(11)
        foot = timeTicks + (lanes > 0 ? sizes.gap + lanes * sizes.laneHeight : 0)
        timeName = sizes.pixels(9) + sizes.pixels(11)
        space = sizes.pixels(12)
        hasStrip = picture.panels.contains { $0.envelope != nil }
        leastStrip = sizes.pixels(36)
    }

    /// The strip of the waveform with the distance below it, in a panel of a height; 0: there is none.
    func strip(_ cell: Int) -> Int { hasStrip ? max(cell / 5, leastStrip) : 0 }
}
