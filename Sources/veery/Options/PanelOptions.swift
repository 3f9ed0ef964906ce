import ArgumentParser
import Plotting
import Presentation

/// Several clips in one picture, or values without axes.
struct PanelOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Several clips or recordings: so many side by side.", valueName: "n"))
    var across = 1

    @Flag(help: "The values alone: no axes, one pixel for each, the lowest bin at the bottom.")
    var plain = false

    @Option(
        parsing: .unconditional,
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

    /// The frames that a plain picture can show.
    private var mostFrames: Int { columns ?? PictureStyle.maximumPixels }

    /// The frames that are to be kept of a clip, the newest ones and none of them a mean; nil where axes are drawn.
    var newest: Int? { plain ? mostFrames : nil }

    /// The most values that are kept of one of so many clips: of a plain picture a gigabyte.
    func maximumValues(panels: Int) -> Int { plain ? 1 << 28 : (1 << 25) / max(panels, 1) }

    /// Refuses to leave frames out of a plain picture that nobody asked to leave out.
    ///
    /// - Parameters:
    ///   - kept: How many of the clip's `frames` are there.
    ///   - remedy: What to do.
    func checkComplete(path: String, kept: Int, frames: Int, bins: Int, remedy: String) throws {
        guard plain, kept < min(columns ?? frames, frames) else { return }
        let limit = frames > mostFrames && columns == nil ? PictureStyle.maximumPixels : kept
        throw PictureError(
            path: path,
            reason: "--plain draws a pixel for each value: expected at most \(Wording.count(limit, "frame")), "
                + "found \(Wording.count(min(columns ?? frames, frames), "frame")) of \(Wording.count(bins, "value")): "
                + remedy)
    }

    /// The height of a picture of so many panels, in pixels, where none was given.
    ///
    /// - Parameter lanes: Of the label strip.
    func defaultHeight(panels: Int, hasWaveform: Bool, lanes: Int = 0) -> Int {
        let rows = (panels + across - 1) / max(across, 1)
        let panel = (rows == 1 ? 400 : 240) + (hasWaveform ? 80 : 0) + 14 * lanes
        return rows * panel + 20
    }
}
