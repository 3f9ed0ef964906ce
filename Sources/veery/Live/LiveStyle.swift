import Terminal

/// The colours of everything on the screen.
struct LiveStyle {
    /// What the terminal can show.
    let depth: ColorDepth
    /// The colours of values.
    let palette: LevelPalette

    /// Axes and what else is in the background.
    let faint: TerminalColor
    /// Headings.
    let bright: TerminalColor
    /// What is to be noticed, such as a pause.
    let accent: TerminalColor

    /// - Parameters:
    ///   - depth: What the terminal can show.
    ///   - colors: 256 colours of values, 0xRRGGBB.
    init(depth: ColorDepth, colors: [UInt32]) {
        self.depth = depth
        palette = LevelPalette(depth: depth, colors: colors)
        faint = depth.color(red: 140, green: 140, blue: 140)
        bright = depth.color(red: 235, green: 235, blue: 235)
        accent = depth.color(red: 255, green: 175, blue: 60)
    }

    /// Whether there is more than ASCII.
    var hasSymbols: Bool { depth != .ascii }
}
