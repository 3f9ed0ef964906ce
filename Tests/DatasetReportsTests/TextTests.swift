import Manifests
import Testing

@testable import DatasetReports

struct TextTests {
    @Test func `a name below a picture keeps its end, from a folder on if that leaves enough`() {
        #expect(DisplayName.ending(of: "a/b/c", maximum: 34) == "a/b/c")
        let path = "bengalese_finch_Bird0/Wave/129#2.816-2.893"
        #expect(DisplayName.ending(of: path, maximum: 34) == "…/Wave/129#2.816-2.893")
        #expect(DisplayName.ending(of: path, maximum: 12) == "…2.816-2.893")
        #expect(DisplayName.ending(of: String(repeating: "日", count: 5000), maximum: 5) == "…日日日日")
        #expect(DisplayName.ending(of: "line\nbreak", maximum: 34) == "line␊break")
    }

    @Test func `names show what cannot be seen, and are limited in length`() {
        #expect(DisplayName.text("a\nb\tc") == "a␊b␉c" && DisplayName.text("x\u{202E}y\u{2066}") == "xy")
        let long = DisplayName.text("begin" + String(repeating: "x", count: 5000) + "end")
        #expect(long.count == DisplayName.maximumCharacters && long.hasPrefix("begin") && long.hasSuffix("end"))
        for most in 2..<20 {
            #expect(DisplayName.text("abcdefghijklmnopqrst", maximum: most).count == most)
            #expect(DisplayName.text(String(repeating: "a", count: most), maximum: most).count == most)
        }
    }

    @Test func `a mark is an entity before any character`() {
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
