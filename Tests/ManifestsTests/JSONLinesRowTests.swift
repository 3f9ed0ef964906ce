import FeatureModel
import Testing

@testable import Manifests

struct JSONLinesRowTests {
    @Test func `other names become columns in the order in which they first appear, numbers with their digits`() throws
    {
        let text = """
            {"path": "a.wav", "zeta": 1.10, "alpha": true, "label": "x"}

            {"beta": {"b": [1, 2.50, null], "a": "q\\"\\u00e9"}, "alpha": null, "path": "b.wav", "zeta": -1e-7}
            """
        let manifest = try scan(text, .jsonLines)
        #expect(manifest.extraColumns == ["zeta", "alpha", "beta"])
        let clips = try clips(text, .jsonLines)
        #expect(clips.map(\.extra) == [["1.10", "true", ""], ["-1e-7", "", #"{"a":"q\"é","b":[1,2.50,null]}"#]])
        #expect(clips.map(\.label) == ["x", ""])
        #expect(manifest.hasLabelColumn && !manifest.hasSplitColumn)
        #expect(manifest.widths.extra == [5, 4, clips[1].extra[2].utf8.count])
    }

    @Test func `segment and channel are numbers, or strings that hold one; null counts as not given`() throws {
        let text = """
            {"path": "a.wav", "start": 1.5, "end": 3, "channel": 1}\r
            {"path": "a.wav", "start": "1", "duration": "0.5", "channel": null}
            {"path": "b.wav", "start": null, "end": null, "id": null}
            """
        let clips = try clips(text, .jsonLines)
        #expect(clips.map(\.id) == ["a#ch1#1.5-3", "a#1-1.5", "b"])
        #expect(clips.map(\.channel) == [1, nil, nil])
        #expect(clips.map(\.segment) == [Segment(start: 1.5, end: 3), Segment(start: 1, end: 1.5), nil])
    }

    @Test func `escapes are resolved`() throws {
        let text = #"{"path": "\u00fc \ud83d\udc26\/\t\\\"\n.wav"}"#
        #expect(try clips(text, .jsonLines).first?.path == "ü 🐦/\t\\\"\n.wav")
    }

    @Test(
        arguments: [
            (#"["a.wav"]"#, "holds '[' at byte 1 where '{' at the start"), (#""a.wav""#, "holds '\"' at byte 1"),
            (#"{"path": "a.wav""#, "ends where '}' after the row's object"),
            (#"{"path": "a.wav"} {}"#, "continues after"),
            (#"{"path": "a.wav",}"#, "holds '}'"), (#"{path: "a.wav"}"#, "holds 'p' at byte 2"),
            (#"{"path": a.wav}"#, "holds 'a'"), (#"{"path": "a.wav", "x": 01}"#, "holds '1'"),
            (#"{"path": "a.wav", "x": NaN}"#, "holds 'N'"), (#"{"path": "a.wav", "x": .5}"#, "holds '.'"),
            (#"{"path": "a.wav", "x": nul}"#, "holds 'n'"), (#"{"path": "a.wav", "x": "\q"}"#, "unknown escape"),
            (#"{"path": "a.wav", "x": "\u00"}"#, "expected four hexadecimal digits"),
            (#"{"path": "a.wav", "x": "\ud800"}"#, "half a surrogate pair"),
            (#"{"path": "a.wav", "x": "\u0000"}"#, "a NUL character"),
            ("{\"path\": \"a.wav\", \"x\": \"\u{1}\"}", "a control character"),
            (#"{"path": "a.wav", "x": "y}"#, "not closed"),
            (#"{"path": "a.wav", "path": "b.wav"}"#, "gives 'path' twice"),
            (#"{"path": "a.wav", "": 1}"#, "an empty name"),
            (#"{"path": ["a.wav"]}"#, "path is a list, such as of several recordings"),
            (#"{"path": ""}"#, "path is empty"),
            (#"{"label": "x"}"#, "path is empty"), (#"{"path": null}"#, "path is empty"), ("a\0b", "holds a NUL byte"),
            (#"{"path": "a.wav", "start": true}"#, "start is 'true'; expected a finite number of seconds"),
            (#"{"path": "a.wav", "x": "# + String(repeating: "[", count: 100_000), "is nested more than 64 deep"),
        ])
    func `a line that is not a row is refused with its number`(line: String, text: String) {
        let found = problems("{\"path\": \"0.wav\"}\n\n" + line + "\n{\"path\": \"9.wav\"}\n{}\n", .jsonLines)
        #expect(found.map(\.line) == [3, 5])
        #expect(found.first?.text.contains(text) == true, "\(found)")
    }

    @Test(arguments: [
        "# the clips of May", "#path,label", "#{\"path\": \"b.wav\"}", "#\"a\", 1, {\"x\": 2}}.", "sep=;",
        "# a\n# b, 1, \"c\"",
    ])
    func `a first line that a table may have before its header is refused with its number: JSON has no comments`(
        start: String
    ) {
        let found = problems(start + "\n{\"path\": \"a.wav\"}\n", .jsonLines)
        #expect(found.first?.line == 1, "\(found)")
    }

    @Test func `a file without any path says which names there are`() throws {
        let error = try #require(refusal("{\"pathh\": \"a.wav\", \"label\": \"x\"}\n", .jsonLines))
        #expect("\(error)".contains("the columns are: 'label', 'pathh'; rename 'pathh' to 'path'"))
    }

    @Test func `data used as names is refused before it fills the memory`() throws {
        let text = (0..<2000).map { "{\"path\": \"\($0).wav\", \"n\($0)\": 1}\n" }.joined()
        #expect("\(try #require(refusal(text, .jsonLines)))".contains("more than 1000 columns"))
    }
}
