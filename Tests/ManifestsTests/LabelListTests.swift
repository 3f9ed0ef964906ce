import FeatureModel
import TestSupport
import Testing

@testable import Manifests

struct LabelListTests {
    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a|b", ["a", "b"]), ("b||a|b|", ["b", "a"]), (" a | b", [" a ", " b"]), ("|", []),
            ("[]", []), (#"["a","b|c"]"#, ["a", "b|c"]), (#" [ "a", 1, true, "" ] "#, ["a", "1", "true"]),
            (#"['a', "b's"]"#, ["a", "b's"]), ("[noise]", ["[noise]"]), ("[a]|[b]", ["[a]", "[b]"]),
            ("e\u{301}|é", ["e\u{301}", "é"]), ("(a)", ["(a)"]), ("{a}|{b}", ["{a}", "{b}"]),
            ("[a, b]|c", ["[a, b]", "c"]),
        ] as [(String, [String])])
    func `names between bars, or a list in JSON; empty names are left out, and each counts once`(
        text: String, names: [String]
    ) throws {
        let found = try LabelList.names(text.utf8)
        #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    @Test(arguments: [
        #"["a"; "b"]"#, "['a', b]", #"[["a"]]"#, #"[{"a":1}]"#, "{'a', 'b'}", "('a', 'c')", "[a, b]", #"{"a"}"#,
        #"["a",1,null]"#, "[null]",
    ])
    func `what looks like a list and is not one is refused`(text: String) {
        #expect(throws: LabelList.Failure.self) { try LabelList.names(text.utf8) }
    }

    @Test func `a list may be long: the time grows with its length, and not with the square`() throws {
        let names = (0..<60_000).map { "name \($0)" }
        #expect(try LabelList.names((names + names).joined(separator: "|").utf8) == names)
    }

    @Test func `the same list in every form gives the same labels and rows`() throws {
        let folder = try TemporaryFolder()
        let csv = try folder.write("path,label,labels\na.wav,x,a|b\nb.wav,,\nc.wav,b,b\n", to: "m.csv")
        let json = try folder.write(
            #"{"path":"a.wav","label":"x","labels":["a","b"]}"# + "\n" + #"{"path":"b.wav"}"# + "\n"
                + #"{"path":"c.wav","label":"b","labels":"b"}"# + "\n", to: "m.jsonl")
        for (path, format) in [(csv, ManifestFormat.csv), (json, .jsonLines)] {
            let manifest = try Manifest.scan(path: path, format: format)
            #expect(manifest.labels == ["a", "b", "x"])
            let reader = try manifest.reader()
            var rows: [[Int]?] = []
            while let clip = try reader.next() { rows.append(try manifest.labelIndices(of: clip)) }
            #expect(rows == [[0, 1], [], [1]])
            #expect(manifest.account.count(of: .labelsUnlisted) == 1)
        }
    }

    @Test func `the longest name of a list counts for the width of labels`() throws {
        let folder = try TemporaryFolder()
        let manifest = try Manifest.scan(
            path: try folder.write("path,label,labels\na.wav,x,x|the longest\n", to: "m.csv"), format: .csv)
        #expect(manifest.widths.label == "the longest".utf8.count)
    }

    @Test func `the column is found except for capitals and blanks, unless another has the name`() throws {
        let folder = try TemporaryFolder()
        let csv = try folder.write("path,label,LABELS\na.wav,x,a|b\n", to: "m.csv")
        let manifest = try Manifest.scan(path: csv, format: .csv)
        #expect(manifest.labels == ["a", "b", "x"] && manifest.extraColumns == ["labels"])
        let json = try folder.write(#"{"path":"a.wav","label":"x","Labels":["a","b"]}"# + "\n", to: "m.jsonl")
        let exact = try Manifest.scan(path: json, format: .jsonLines)
        #expect(exact.labels == ["x"] && exact.account.count(of: .columnsMisspelt) == 1)
        let both = try Manifest.scan(
            path: try folder.write("path,Labels,labels\na.wav,x|y,a|b\n", to: "n.csv"), format: .csv)
        #expect(both.labels == ["a", "b"] && both.extraColumns == ["Labels", "labels"])
    }
}
