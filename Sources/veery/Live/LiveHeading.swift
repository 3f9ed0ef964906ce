import Foundation
import Terminal

/// The line above the picture, and the keys below it.
struct LiveHeading {
    /// What is shown.
    let title: String
    /// Whether it is recorded.
    let isRecorded: Bool
    /// Whether arrows change a band.
    let hasBand: Bool
    /// Whether there are keys.
    let hasKeys: Bool

    /// Draws both into the first and the last row.
    func draw(
        into grid: inout CellGrid, seconds: Double, isPaused: Bool, isStopped: Bool, style: LiveStyle
    ) {
        let word = isStopped ? "stopped" : isPaused ? "paused" : "live"
        let sign = style.hasSymbols ? (isStopped ? "■ " : isPaused ? "‖ " : "● ") : ""
        let tape = isRecorded && !isStopped ? (style.hasSymbols ? "● rec  " : "rec  ") : ""
        let state = sign + word + "  " + Self.clock(seconds)
        let place = grid.width - state.count - 1
        grid.put(title.prefix(max(place - tape.count - 2, 0)).description, column: 1, row: 0, foreground: style.bright)
        grid.put(
            tape, column: place - tape.count, row: 0, foreground: style.depth.color(red: 255, green: 90, blue: 90))
        grid.put(
            state, column: place, row: 0, foreground: isPaused || isStopped ? style.accent : style.bright)
        guard hasKeys else { return }
        var keys = [
            ("space", isPaused ? "go on" : "pause"), ("s", isStopped ? "start" : "stop"), ("r", "reset"), ("q", "quit"),
        ]
        if hasBand {
            keys += style.hasSymbols ? [("←→", "move"), ("↑↓", "width")] : [("arrows", "band")]
            keys.append(("tab", "pass/stop"))
        }
        var column = 1
        for (key, meaning) in keys {
            guard column + key.count + meaning.count + 1 <= grid.width else { break }
            grid.put(key, column: column, row: grid.height - 1, foreground: style.bright)
            grid.put(meaning, column: column + key.count + 1, row: grid.height - 1, foreground: style.faint)
            column += key.count + meaning.count + 4
        }
    }

    /// 0:07, 12:34, 1:02:03
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }
}
