import FeatureModel
import Testing

@testable import Plotting

/// U+FDD0 and U+FFFF, which Unicode reserves and which cannot be written in a literal.
private let noncharacters = String(decoding: [0xEF, 0xB7, 0x90, 0xEF, 0xBF, 0xBF] as [UInt8], as: UTF8.self)

struct PictureTextTests {
    private let matrix = Sample.tone(rows: 4, bins: 4, bright: [1])

    /// Columns of the uppermost 30 rows that are not white.
    private func titleColumns(_ title: String) throws -> [Int] {
        let (pixels, _) = try Sample.picture(matrix, title: title).drawn()
        return (0..<pixels.width).filter { x in (0..<30).contains { pixels[x, $0] != 0xFFFFFF } }
    }

    @Test(arguments: ["a", "W", "…", "é", "鳥"])
    func `a title of any length keeps its distance from the edges`(letter: String) throws {
        for count in [1, 40, 100, 1000, 100_000] {
            let columns = try titleColumns(String(repeating: letter, count: count))
            #expect(try #require(columns.last) < 640 - 10)
            #expect(try #require(columns.first) >= 40)
        }
    }

    @Test func `a long title loses its middle, not its ends`() throws {
        let canvas = try Canvas(width: 10, height: 10, background: RGB(hex: 0))
        let style = TextStyle(size: 15)
        let title = "begin-" + String(repeating: "0123456789", count: 30) + "-end"
        let text = canvas.shortened(title, style: style, limit: 300)
        #expect(text.hasPrefix("begin-") && text.hasSuffix("-end") && text.contains("…"))
        let width = canvas.width(of: text, style: style)
        #expect(width <= 300 && width > 270)
        #expect(canvas.shortened("short", style: style, limit: 300) == "short")
        #expect(canvas.shortened(title, style: style, limit: 0) == "…")
    }

    @Test func `a long subtitle loses its end, where the title loses its middle`() throws {
        let canvas = try Canvas(width: 10, height: 10, background: RGB(hex: 0))
        let style = TextStyle(size: 12)
        let words = "whisper with transform.bins=128: mel spectrogram, 14.4 s recorded at 32000 Hz"
        let text = canvas.shortened(words, style: style, limit: 300, losing: .end)
        #expect(
            text.hasSuffix("…") && words.hasPrefix(text.dropLast()) && text.hasPrefix("whisper with transform.bins=128")
        )
        #expect(canvas.width(of: text, style: style) <= 300)
        func drawn(title: String = "t", subtitle: String = "s") throws -> [UInt32] {
            let (pixels, _) = try Sample.picture(matrix, title: title, subtitle: subtitle, width: 400, height: 300)
                .drawn()
            return (0..<60).flatMap { y in (0..<pixels.width).map { x in pixels[x, y] } }
        }
        let long = String(repeating: "settings of the picture, ", count: 10)
        #expect(try drawn(subtitle: long + "up to 8000 Hz") == drawn(subtitle: long + "up to 9 Hz"))
        #expect(try drawn(subtitle: long) != drawn(subtitle: "other " + long))
        #expect(try drawn(title: long + "8000") != drawn(title: long + "9"))
    }

    @Test(arguments: [
        "Parus major ♂ – Nürnberg", "鳥の声 🐦", "line\nbreak\ttab", "null\u{0}inside", noncharacters,
        "\u{202E}right to left", "e\u{301}\u{301}\u{301}", "", " ",
    ])
    func `unusual titles, subtitles and labels draw`(text: String) throws {
        let picture = try SpectrogramPicture(
            matrix: matrix, axis: .coefficients, framePeriod: 0.01, title: text, subtitle: text, valueLabel: text)
        #expect(try picture.pngBytes().count > 1000)
    }

    @Test func `text after a null is drawn too`() throws {
        #expect(try titleColumns("null\u{0}inside").last == titleColumns("null inside").last)
    }

    @Test func `axis numbers do not overlap`() throws {
        for (period, rows) in [(0.01, 100), (0.0003, 700), (10, 9000), (0.5, 239), (123.456, 12_345)] {
            let matrix = Sample.tone(rows: rows, bins: 2, bright: [1])
            for width in [320, 640, 1000] {
                let picture = try Sample.picture(matrix, period: period, width: width)
                let layout = try picture.drawn().layout
                let canvas = try Canvas(width: 10, height: 10, background: RGB(hex: 0))
                #expect(layout.timeTicks.count >= 1)
                for (left, right) in zip(layout.timeTicks, layout.timeTicks.dropFirst()) {
                    let distance = (right.position - left.position) * Double(layout.body.width)
                    let widths = [left, right].map { canvas.width(of: $0.label, style: layout.sizes.number) }
                    #expect(distance > widths.reduce(0, +) / 2 + 4)
                }
            }
        }
    }
}
