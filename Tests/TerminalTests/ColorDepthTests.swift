import Terminal
import Testing

struct ColorDepthTests {
    @Test(
        arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_GB.UTF-8"], .full),
            (["TERM": "xterm", "COLORTERM": "24bit", "LC_ALL": "C.utf8"], .full),
            (["TERM": "xterm-direct", "LC_CTYPE": "de_DE.UTF-8"], .full),
            (["TERM": "screen-256color", "LANG": "C.UTF-8"], .indexed),
            (["TERM": "vt100", "LANG": "C.UTF-8"], .ascii),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .ascii),
            (["TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "LC_ALL": "C"], .ascii),
            (["TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "LC_ALL": ""], .indexed),
            (["TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"], .ascii),
            (["TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": ""], .indexed),
            (["TERM": "dumb", "COLORTERM": "truecolor", "LANG": "C.UTF-8"], .ascii),
            ([:], .ascii),
        ] as [([String: String], ColorDepth)])
    func `the environment says what a terminal can show`(environment: [String: String], expected: ColorDepth) {
        #expect(ColorDepth.best(environment: environment) == expected)
    }

    /// The colours 16 … 255 of xterm.
    private static let table: [(Int, Int, Int)] = {
        let steps = [0, 95, 135, 175, 215, 255]
        var table: [(Int, Int, Int)] = []
        for red in steps {
            for green in steps {
                for blue in steps { table.append((red, green, blue)) }
            }
        }
        for step in 0..<24 { table.append((8 + 10 * step, 8 + 10 * step, 8 + 10 * step)) }
        return table
    }()

    @Test func `of the 256 colours the nearest is taken`() {
        var colors = [(0, 0, 0), (255, 255, 255), (68, 1, 84), (253, 231, 37), (128, 128, 128), (9, 9, 9)]
        for number in 0..<300 { colors.append((number * 37 % 256, number * 91 % 256, number * 53 % 256)) }
        for (red, green, blue) in colors {
            func distance(_ other: (Int, Int, Int)) -> Int {
                let (r, g, b) = (red - other.0, green - other.1, blue - other.2)
                return r * r + g * g + b * b
            }
            let least = Self.table.map(distance).min() ?? 0
            let color = ColorDepth.indexed.color(UInt32(red << 16 | green << 8 | blue))
            guard let index = color.index else {
                Issue.record("no index for \(red) \(green) \(blue)")
                continue
            }
            #expect(distance(Self.table[Int(index) - 16]) == least, "\(red) \(green) \(blue) became \(index)")
        }
    }

    @Test func `24-bit colours are not changed, and ASCII has none`() {
        let full = ColorDepth.full.color(0x010203).components
        #expect(full?.red == 1 && full?.green == 2 && full?.blue == 3)
        #expect(ColorDepth.ascii.color(0x010203) == .standard)
    }
}
