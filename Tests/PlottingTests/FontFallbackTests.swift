import Testing

@testable import Plotting

struct FontFallbackTests {
    /// Font 0 has ASCII, 1 Greek and its accents, 2 Greek and Japanese.
    private func font(_ character: Character) -> Int {
        FontRuns.font(of: character, fonts: 3) { font, scalar in
            switch font {
            case 0: scalar.value < 0x7F
            case 1: (0x370..<0x400).contains(scalar.value) || scalar.value == 0x301
            default: (0x370..<0x400).contains(scalar.value) || (0x3040..<0xA000).contains(scalar.value)
            }
        }
    }

    private func runs(_ text: String) -> [FontRuns.Run] { FontRuns(text, font: font).runs }

    @Test func `a text is cut where the first font with the character changes`() {
        #expect(
            runs("ab-αβ 鳥の声α") == [
                FontRuns.Run(font: 0, text: "ab-"), FontRuns.Run(font: 1, text: "αβ"), FontRuns.Run(font: 0, text: " "),
                FontRuns.Run(font: 2, text: "鳥の声"), FontRuns.Run(font: 1, text: "α"),
            ])
        #expect(runs("").isEmpty)
    }

    @Test func `a character is not torn from its accent, and what shows nothing needs no font`() {
        #expect(runs("\u{3B1}\u{301}") == [FontRuns.Run(font: 1, text: "\u{3B1}\u{301}")])
        // Neither 0 nor 1 has both.
        #expect(font("a\u{301}") == 0)
        #expect(runs("鳥\u{FE0F}") == [FontRuns.Run(font: 2, text: "鳥\u{FE0F}")])
    }

    @Test func `a character that no font has is drawn by the usual one`() {
        #expect(runs("a\u{16A0}b") == [FontRuns.Run(font: 0, text: "a\u{16A0}b")])
        #expect(FontRuns.font(of: "鳥", fonts: 0) { _, _ in true } == 0)
    }

    @Test(arguments: ["plain", "Parus major ♂ – Nürnberg", "鳥の声-Привет-हिन्दी 🐦", "", "\u{16A0}\u{12000}"])
    func `the parts of a text are the text`(text: String) {
        let parts = FontFallback().parts(of: text)
        #expect(parts.map(\.text).joined() == text)
        #expect(parts.allSatisfy { !$0.family.isEmpty })
    }

    /// A letter that another of the system's fonts has is drawn by it; on a system with one font there is none.
    @Test func `a letter that the usual font lacks is drawn from another`() throws {
        // A letter each of Japanese, Chinese, Hebrew, Devanagari, Thai, Korean, old scripts, and signs.
        let letters = "鳥の汉אअก한ᚠ𐎀😀𝄞⠿ꙮ"
        let fallback = FontFallback()
        for letter in letters {
            let parts = fallback.parts(of: String(letter))
            guard let part = parts.first, part.family != FontFallback.standard else { continue }
            #expect(try drawn(String(letter)) != drawn("\u{10FFF0}"), "\(letter) of \(part.family)")
        }
    }

    @Test func `without fonts nothing is drawn, and texts have no width`() throws {
        let canvas = try Canvas(width: 40, height: 40, background: RGB(hex: 0xFFFFFF), hasText: false)
        let style = TextStyle(size: 20)
        canvas.draw("ab 鳥", x: 5, y: 30, style: style, anchor: .start)
        try canvas.finish()
        #expect(try Set(#require(canvas.raster()).pixels) == [0xFFFFFF])
        #expect(canvas.width(of: "ab", style: style) == 0 && canvas.digitHeight(style) > 10)
        #expect(canvas.shortened("ab", style: style, limit: 0) == "ab")
    }

    /// The pixels of a text, and of the box that stands for a letter that no font has.
    private func drawn(_ text: String) throws -> [UInt32] {
        let canvas = try Canvas(width: 40, height: 40, background: RGB(hex: 0xFFFFFF))
        canvas.draw(text, x: 5, y: 30, style: TextStyle(size: 20), anchor: .start)
        try canvas.finish()
        return try #require(canvas.raster()).pixels
    }

    @Test func `bundled fonts are in share, next to the folder of the executable`() {
        #expect(BundledFonts.folder(forExecutable: "/opt/veery 1/bin/veery") == "/opt/veery 1/share/veery/fonts")
        #expect(BundledFonts.folder(forExecutable: "/bin/veery") == "/share/veery/fonts")
        #expect(BundledFonts.folder(forExecutable: "bin/veery") == nil)
    }
}
