/// Heights of what stands above and below the spectrograms, in pixels.
struct PanelHeights: Sendable {
    /// Title and subtitle, the same in all panels.
    let head: Int
    /// Ticks of the time axis and their numbers.
    let foot: Int
    /// The name of the time axis.
    let timeName: Int
    /// Between rows of panels.
    let space: Int
    private let hasStrip: Bool
    private let leastStrip: Int

    init(_ picture: SpectrogramPicture, _ sizes: PrintSizes) {
        let hasTitle = picture.panels.contains { !$0.title.isEmpty }
        let hasSubtitle = picture.panels.contains { $0.subtitle != nil }
        head =
            (hasTitle ? sizes.pixels(12) + sizes.pixels(10) : 0)
            + (hasSubtitle ? sizes.pixels(9) + sizes.pixels(10) : 0)
        foot = sizes.tick + sizes.gap + sizes.pixels(11)
        timeName = sizes.pixels(9) + sizes.pixels(11)
        space = sizes.pixels(12)
        hasStrip = picture.panels.contains { $0.envelope != nil }
        leastStrip = sizes.pixels(36)
    }

    /// The strip of the waveform with the distance below it, in a panel of a height; 0: there is none.
    func strip(_ cell: Int) -> Int { hasStrip ? max(cell / 5, leastStrip) : 0 }
}
