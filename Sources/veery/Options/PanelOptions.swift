import ArgumentParser

/// Several clips in one picture, or values without axes.
struct PanelOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Several clips or recordings: so many side by side.", valueName: "n"))
    var across = 1

    @Flag(help: "The values alone: no axes, one pixel for each, the lowest bin at the bottom.")
    var plain = false

    @Option(
        help: ArgumentHelp(
            "With --plain: the picture's width. The newest frames stand at the right; columns without one have the first colour.",
            valueName: "n"))
    var columns: Int?

    func validate() throws {
        guard (1...100).contains(across) else {
            throw ValidationError("--across: expected 1 to 100, found \(across).")
        }
        guard let columns else { return }
        guard plain else { throw ValidationError("--columns is for --plain; --width is the width of other pictures.") }
        guard (1...32_000).contains(columns) else {
            throw ValidationError("--columns: expected 1 to 32000, found \(columns).")
        }
    }

    /// The height of a picture of so many panels, in pixels, where none was given.
    func defaultHeight(panels: Int, hasWaveform: Bool) -> Int {
        let rows = (panels + across - 1) / max(across, 1)
        let panel = (rows == 1 ? 400 : 240) + (hasWaveform ? 80 : 0)
        return rows * panel + 20
    }
}
