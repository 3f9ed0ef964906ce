import Presentation
import Terminal

/// The line above the picture, and the keys below it.
struct LiveHeading {
    /// What is shown, in parts, the most important first.
    let title: [String]
    let isRecorded: Bool
    /// Whether arrows change a band.
    let hasBand: Bool
    let hasKeys: Bool

    /// A key, what it does, and its rank: if not all fit, the highest rank is left out first, 0 never.
    private typealias Key = (name: String, meaning: String, rank: Int)

    private static let gap = 3

    func draw(into grid: inout CellGrid, seconds: Double, isPaused: Bool, isStopped: Bool, style: LiveStyle) {
        drawTitle(into: &grid, seconds: seconds, isPaused: isPaused, isStopped: isStopped, style)
        guard hasKeys else { return }
        var column = 1
        for key in keys(in: grid.width - 1, isPaused: isPaused, isStopped: isStopped, style) {
            grid.put(key.name, column: column, row: grid.height - 1, foreground: style.bright)
            grid.put(key.meaning, column: column + key.name.count + 1, row: grid.height - 1, foreground: style.faint)
            column += Self.width(key)
        }
    }

    /// Columns of a key with its distance from the next.
    private static func width(_ key: Key) -> Int { key.name.count + 1 + key.meaning.count + gap }

    /// Draws the state at the right, and the title at the left as far as there is room.
    private func drawTitle(
        into grid: inout CellGrid, seconds: Double, isPaused: Bool, isStopped: Bool, _ style: LiveStyle
    ) {
        let word = isStopped ? "stopped" : isPaused ? "paused" : "live"
        let sign = style.hasSymbols ? (isStopped ? "■ " : isPaused ? "‖ " : "● ") : ""
        let state = sign + word + "  " + Wording.clock(seconds)
        let column = grid.width - state.count - 1
        let tapes = !isRecorded || isStopped ? [] : style.hasSymbols ? ["● rec  ", "● "] : ["rec  ", "* "]
        let tape = tapes.first { $0.count <= column } ?? ""
        grid.put(tape, column: column - tape.count, row: 0, foreground: style.depth.color(0xFF5A5A))
        grid.put(state, column: column, row: 0, foreground: isPaused || isStopped ? style.accent : style.bright)
        grid.put(titleText(in: column - tape.count - Self.gap, style), column: 1, row: 0, foreground: style.bright)
    }

    /// As many parts of the title as there is room for, the last of them shortened if that helps.
    private func titleText(in width: Int, _ style: LiveStyle) -> String {
        var text = ""
        for part in title {
            let before = text.isEmpty ? "" : text + (style.hasSymbols ? " · " : " - ")
            let rest = CellText.shortened(part, to: width - CellText.cells(before), style: style)
            guard !rest.isEmpty else { break }
            text = before + rest
            if rest.count < part.count { break }
        }
        return text
    }

    private func keys(in width: Int, isPaused: Bool, isStopped: Bool, _ style: LiveStyle) -> [Key] {
        var keys: [Key] = [
            ("space", isPaused ? "resume" : "pause", 1), ("s", isStopped ? "start" : "stop", 2), ("r", "reset", 5),
            ("q", "quit", 0),
        ]
        if hasBand {
            keys += style.hasSymbols ? [("←→", "move", 3), ("↑↓", "width", 3)] : [("arrows", "band", 3)]
            keys.append(("tab", "pass/stop", 4))
        }
        while keys.reduce(-Self.gap, { $0 + Self.width($1) }) > width, let last = keys.map(\.rank).max(), last > 0 {
            keys.removeAll { $0.rank == last }
        }
        return keys
    }
}
