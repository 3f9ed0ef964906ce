import Terminal

/// A terminal as far as pictures need one: it understands what `GridPainter` sends, and nothing else.
struct ScreenModel {
    private(set) var grid: CellGrid
    private var column = 0
    private var row = 0
    private var foreground = TerminalColor.standard
    private var background = TerminalColor.standard
    /// What was not understood.
    private(set) var unknown: [String] = []

    init(width: Int, height: Int) { grid = CellGrid(width: width, height: height) }

    mutating func receive(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\u{1B}" else {
                grid.put(
                    Cell(scalar, foreground: foreground, background: background), column: column, row: row)
                column += 1
                continue
            }
            guard scalars.popFirst() == "[" else {
                unknown.append("escape")
                continue
            }
            var parameters = ""
            var last: Unicode.Scalar = "?"
            while let next = scalars.popFirst() {
                guard !("0"..."9").contains(next), next != ";" else {
                    parameters.unicodeScalars.append(next)
                    continue
                }
                last = next
                break
            }
            obey(last, parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 })
        }
    }

    private mutating func obey(_ command: Unicode.Scalar, _ numbers: [Int]) {
        switch command {
        case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case "C": column += numbers[0]
        case "J" where numbers == [2]: grid.clear()
        case "m": color(numbers)
        default: unknown.append("\(command) \(numbers)")
        }
    }

    private mutating func color(_ numbers: [Int]) {
        func named() -> TerminalColor? {
            switch numbers.dropFirst().first {
            case 5: TerminalColor(indexed: UInt8(numbers[2]))
            case 2: TerminalColor(hex: UInt32(numbers[2] << 16 | numbers[3] << 8 | numbers[4]))
            default: nil
            }
        }
        switch numbers.first {
        case 0: (foreground, background) = (.standard, .standard)
        case 38: foreground = named() ?? .standard
        case 48: background = named() ?? .standard
        case 39: foreground = .standard
        case 49: background = .standard
        default: unknown.append("m \(numbers)")
        }
    }
}
