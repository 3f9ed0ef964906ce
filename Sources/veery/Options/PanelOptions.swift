import ArgumentParser
import Plotting
import Presentation

/// Several clips in one picture, or values without axes.
struct PanelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many panels are in a row, for several clips or recordings.", valueName: "n"))
    var across = 1

    @Flag(help: "Draw only the values: no axes, one pixel for each value, the lowest bin at the bottom.")
    var plain = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --plain: the picture's width in frames. The last frames are at the right; if there are fewer, the columns at the left have the first colour.",
            valueName: "n"))
    var columns: Int?

    func validate() throws {
        try ValidationError.check("across", across, in: 1...100)
        guard columns == nil || plain else {
            throw ValidationError("--columns is for --plain; --width is the width of other pictures.")
        }
        try ValidationError.check("columns", columns, in: 1...PictureStyle.maximumPixels)
    }

    private var maximumFrames: Int { columns ?? PictureStyle.maximumPixels }

    /// How many of a clip's last frames are kept unchanged; nil: all, for pictures with axes.
    var newest: Int? { plain ? maximumFrames : nil }

    /// Maximum number of values kept of each of `panels` clips: 1 GB for a plain picture.
    func maximumValues(panels: Int) -> Int { plain ? 1 << 28 : (1 << 25) / max(panels, 1) }

    /// Throws if a plain picture would leave out frames without `--columns`.
    ///
    /// - Parameters:
    ///   - kept: How many of the clip's `frames` are kept.
    ///   - drawn: How many of a frame's `bins` are in the band that is drawn.
    ///   - hasFrequencies: Whether there are bands.
    ///   - remedy: How fewer frames are drawn.
    func checkComplete(
        path: String, kept: Int, frames: Int, bins: Int, drawn: Int, hasFrequencies: Bool, remedy: String
    ) throws {
        guard plain, kept < min(columns ?? frames, frames) else { return }
        let most = Wording.count(PictureStyle.maximumPixels, "value")
        let whole =
            drawn <= PictureStyle.maximumPixels
            ? remedy
            : hasFrequencies
                ? "\(remedy), of a band of at most \(most) (--band)"
                : "leave out --plain, which draws at most \(most) of a frame"
        throw FileRefusal(
            path: path,
            reason: "--plain draws a pixel for each value: expected at most \(Wording.count(kept, "frame")), "
                + "found \(Wording.count(min(columns ?? frames, frames), "frame")) of \(Wording.count(bins, "value")): "
                + whole)
    }

    /// The default height of a picture of `panels` panels, in pixels.
    ///
    /// - Parameter lanes: Number of lanes of the label strip.
    func defaultHeight(panels: Int, hasWaveform: Bool, lanes: Int = 0) -> Int {
        let rows = (panels + across - 1) / max(across, 1)
        let panel = (rows == 1 ? 400 : 240) + (hasWaveform ? 80 : 0) + 14 * lanes
        return rows * panel + 20
    }
}
