import Manifests
import Testing

@testable import DatasetReports

struct TextTests {
    @Test func `a name below a picture keeps its end, from a folder on if that leaves enough`() {
        #expect(DisplayName.ending(of: "a/b/c", most: 34) == "a/b/c")
        let path = "bengalese_finch_Bird0/Wave/129#2.816-2.893"
        #expect(DisplayName.ending(of: path, most: 34) == "…/Wave/129#2.816-2.893")
        #expect(DisplayName.ending(of: path, most: 12) == "…2.816-2.893")
        #expect(DisplayName.ending(of: String(repeating: "日", count: 5000), most: 5) == "…日日日日")
        #expect(DisplayName.ending(of: "line\nbreak", most: 34) == "line␊break")
    }

    @Test func `figures read as a person writes them`() {
        #expect(
            Numerals.value(0.012345) == "0.01235" && Numerals.value(-12.345678) == "−12.35"
                && Numerals.value(-0.0) == "0")
        // 0 / 0 has a sign on some machines.
        #expect([Double.nan, -Double.nan, .infinity, -.infinity].map(Numerals.value) == ["nan", "nan", "∞", "−∞"])
        #expect(Numerals.frequency(440) == "440 Hz" && Numerals.frequency(1250) == "1.25 kHz")
    }

    @Test func `a share is 0 or 100 percent only where it is`() {
        #expect(Numerals.share(0) == "0 %" && Numerals.share(1) == "100 %" && Numerals.share(0.1234) == "12.3 %")
        #expect(Numerals.share(1e-9) == "< 0.01 %" && Numerals.share(0.999_99) == "> 99.9 %")
        #expect(Numerals.share(0.0005) == "0.05 %")
    }

    @Test func `names show what cannot be seen, and end after so many characters`() {
        #expect(DisplayName.text("a\nb\tc") == "a␊b␉c" && DisplayName.text("x\u{202E}y\u{2066}") == "xy")
        #expect(DisplayName.text("\u{7F}\u{85}\u{FFFE}") == "␡\u{FFFD}\u{FFFD}")
        let long = DisplayName.text("begin" + String(repeating: "x", count: 5000) + "end")
        #expect(long.count == DisplayName.mostCharacters && long.hasPrefix("begin") && long.hasSuffix("end"))
        for most in 2..<20 {
            #expect(DisplayName.text("abcdefghijklmnopqrst", most: most).count == most)
            #expect(DisplayName.text(String(repeating: "a", count: most), most: most).count == most)
        }
        #expect(DisplayName.fitting("鳥鳥鳥鳥", columns: 8) == "鳥鳥鳥鳥" && DisplayName.fitting("鳥鳥鳥鳥", columns: 6) == "鳥鳥…")
        #expect(DisplayName.fitting("abcdef", columns: 4) == "abc…")
    }

    @Test func `a mark is an entity whatever stands behind it`() {
        for (mark, entity) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")] {
            for accent in ["", "\u{301}", "\u{338}", "\u{20DD}", "\u{FE0F}", "\u{200D}"] {
                #expect(ScalarHTML.escaped("a" + mark + accent + "b") == "a" + entity + accent + "b")
            }
        }
        #expect(ScalarHTML.escaped("é🐦\r\n") == "é🐦\r\n")
    }

    @Test func `a text in Python is quoted as Python reads it`() {
        #expect(PythonSnippet.literal(#"a"b\c/é"#) == #""a\"b\\c/é""# && PythonSnippet.literal("a\nb") == #""a\nb""#)
    }
}
