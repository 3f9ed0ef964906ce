import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Manifests

@Suite("Writing manifests")
struct RoundTripTests {
    /// Pieces of values that a format has to take care of.
    private static let pieces = [
        "a", "b", "é", "e\u{301}", "名", "🐦", ",", "\t", "\"", "\"\"", "\n", "\r", "\r\n", " ", "'", "=", "-", "#",
        "%41",
        ";", "\\", "/", ".", "\u{FEFF}", "\u{1}", "\u{7F}", "\u{2028}", "null", "{", "}",
    ]

    private func text(_ random: inout RandomSource, atLeast count: Int) -> String {
        (0..<Int.random(in: count...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private func segment(_ random: inout RandomSource) -> Segment? {
        let start = Double.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return nil
        case 1: return Segment(start: start, end: nil)
        default: return Segment(start: start, end: start + Double.random(in: 0.001..<10, using: &random))
        }
    }

    @Test("what was written reads back as the same clips, byte for byte", arguments: ManifestFormat.allCases, 1...20)
    func roundTrip(format: ManifestFormat, seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let extraColumns = (0..<Int.random(in: 0...3, using: &random)).map { "x\($0)" + text(&random, atLeast: 0) }
        let clips = (0..<Int.random(in: 1...60, using: &random)).map { index in
            Clip(
                index: index, id: "\(text(&random, atLeast: 0))#\(index)", path: text(&random, atLeast: 1),
                label: text(&random, atLeast: 0), split: text(&random, atLeast: 0), segment: segment(&random),
                channel: Bool.random(using: &random) ? Int.random(in: 0...1023, using: &random) : nil,
                extra: extraColumns.map { _ in text(&random, atLeast: 0) })
        }
        let folder = try TemporaryFolder()
        let path = folder.path("m.\(format.rawValue)")
        try ManifestWriter(format: format, extraColumns: extraColumns).write(clips, to: path)
        let manifest = try Manifest.scan(path: path, format: format)
        let read = try allClips(manifest)
        #expect(manifest.extraColumns == extraColumns)
        #expect(read == clips)
        // Strings are equal to Swift in either Unicode form; the bytes have to be, too.
        #expect(
            read.map { Array($0.id.utf8) + Array($0.path.utf8) }
                == clips.map { Array($0.id.utf8) + Array($0.path.utf8) })

        // Writing is a function of the clips alone.
        let again = folder.path("again.\(format.rawValue)")
        try ManifestWriter(format: format, extraColumns: manifest.extraColumns).write(read, to: again)
        #expect(try Data(contentsOf: URL(filePath: again)) == Data(contentsOf: URL(filePath: path)))
    }

    @Test("only what needs quotation marks gets them")
    func plain() throws {
        let folder = try TemporaryFolder()
        let clips = [
            Clip(index: 0, id: "a b", path: "a b.wav", label: "it's"),
            Clip(index: 1, id: "c,d", path: "c,d.wav", label: " x", segment: Segment(start: 1.5, end: 3)),
        ]
        try ManifestWriter(format: .csv).write(clips, to: folder.path("m.csv"))
        let text = try String(contentsOfFile: folder.path("m.csv"), encoding: .utf8)
        #expect(text == "path,id,label,start,end\na b.wav,a b,it's,,\n\"c,d.wav\",\"c,d\",\" x\",1.5,3.0\n")
        try ManifestWriter(format: .jsonLines).write(clips, to: folder.path("m.jsonl"))
        let lines = try String(contentsOfFile: folder.path("m.jsonl"), encoding: .utf8).split(separator: "\n")
        #expect(lines.last == #"{"path": "c,d.wav", "id": "c,d", "label": " x", "start": 1.5, "end": 3.0}"#)
    }

    @Test("an existing manifest stays unless it may be overwritten, and no other file is left behind")
    func overwriting() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("precious", to: "m.csv")
        let clips = [Clip(index: 0, id: "a", path: "a.wav")]
        let writer = ManifestWriter(format: .csv)
        #expect(throws: ManifestError.outputExists(path: path)) { try writer.write(clips, to: path) }
        let bad = [Clip(index: 0, id: "a", path: "a\0.wav")]
        #expect(throws: ManifestError.unwritableClip(index: 0, reason: "a value holds a NUL character")) {
            try writer.write(bad, to: path, overwriting: true)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        try writer.write(clips, to: path, overwriting: true)
        #expect(try Manifest.scan(path: path, format: .csv).clipCount == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["m.csv"])
    }

    @Test("a folder that does not exist is named")
    func noFolder() {
        #expect {
            try ManifestWriter(format: .csv).write([Clip(index: 0, id: "a", path: "a")], to: "/no/such/m.csv")
        } throws: { error in
            "\(error)".hasPrefix("/no/such/m.csv") && "\(error)".contains("could not create it: No such file")
        }
    }
}
