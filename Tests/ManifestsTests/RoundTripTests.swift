import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Manifests

struct RoundTripTests {
    /// Pieces of values that a format has to take care of.
    private static let pieces = [
        "a", "b", "é", "e\u{301}", "名", "🐦", ",", "\t", "\"", "\"\"", "\n", "\r", "\r\n", " ", "'", "=", "-", "#",
        "%41",
        ";", "\\", "/", ".", "\u{FEFF}", "\u{1}", "\u{7F}", "\u{2028}", "null", "{", "}",
    ]

    private func text(
        _ random: inout RandomSource, atLeast count: Int, _ pieces: [String] = Self.pieces
    ) -> String {
        (0..<Int.random(in: count...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    /// The pieces that a format can write.
    private func pieces(_ format: ManifestFormat) -> [String] {
        guard format == .tsv else { return Self.pieces }
        return Self.pieces.filter { $0.utf8.allSatisfy { ![9, 10, 13].contains($0) } }
    }

    /// Whether a clip can be written; where it cannot, a line end is to blame.
    private func isWritable(_ clip: Clip, _ format: ManifestFormat, _ extraColumns: [String]) throws -> Bool {
        let folder = try TemporaryFolder()
        let writer = ManifestWriter(format: format, extraColumns: extraColumns)
        let result = Result<Void, any Error> { try writer.write([clip], to: folder.path("one")) }
        guard case .failure(let error) = result else { return true }
        guard case ManifestError.unwritableClip(let index, let reason) = error else { throw error }
        #expect(format != .jsonLines && index == 0 && reason.contains("line end"))
        let values = [clip.path, clip.id, clip.label, clip.split] + clip.extra
        #expect(values.contains { $0.utf8.contains(10) })
        return false
    }

    private func segment(_ random: inout RandomSource) -> Segment? {
        let start = Double.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return nil
        case 1: return Segment(start: start, end: nil)
        default: return Segment(start: start, end: start + Double.random(in: 0.001..<10, using: &random))
        }
    }

    @Test(arguments: ManifestFormat.allCases, 1...20)
    func `written clips are read back the same, byte for byte`(format: ManifestFormat, seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let pieces = pieces(format)
        let extraColumns = (0..<Int.random(in: 0...3, using: &random)).map {
            "x\($0)" + text(&random, atLeast: 0, pieces.filter { format == .jsonLines || !$0.utf8.contains(10) })
        }
        var clips: [Clip] = []
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let index = clips.count
            let clip = Clip(
                index: index, id: "\(text(&random, atLeast: 0, pieces))#\(index)",
                path: text(&random, atLeast: 1, pieces),
                label: text(&random, atLeast: 0, pieces), split: text(&random, atLeast: 0, pieces),
                segment: segment(&random),
                channel: Bool.random(using: &random) ? Int.random(in: 0...1023, using: &random) : nil,
                extra: extraColumns.map { _ in text(&random, atLeast: 0, pieces) })
            if try isWritable(clip, format, extraColumns) { clips.append(clip) }
        }
        // Few are refused: one of them was always written.
        if clips.isEmpty { clips = [Clip(index: 0, id: "a", path: "a", extra: extraColumns.map { _ in "" })] }
        let folder = try TemporaryFolder()
        let path = folder.path("m.\(format.rawValue)")
        try ManifestWriter(format: format, extraColumns: extraColumns).write(clips, to: path)
        let manifest = try Manifest.scan(path: path, format: format)
        let read = try allClips(manifest)
        #expect(manifest.extraColumns == extraColumns)
        // Only a first path with backslashes and no slash is written as another path to the same file.
        if let first = clips.first, first.path.utf8.contains(Byte.backslash), !first.path.utf8.contains(Byte.slash) {
            clips[0] = Clip(
                index: 0, id: first.id, path: "./" + first.path, label: first.label, split: first.split,
                segment: first.segment, channel: first.channel, extra: first.extra)
        }
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

    @Test(arguments: ["a\tb", "a\nb", "a\r", "\r\n"])
    func `a TSV is refused a value that no literal field can hold, and --quoting csv is named`(value: String) throws {
        let folder = try TemporaryFolder()
        for clip in [
            Clip(index: 0, id: "a", path: value), Clip(index: 0, id: value, path: "a"),
            Clip(index: 0, id: "a", path: "a", label: value),
        ] {
            let error = #expect(throws: ManifestError.self) {
                try ManifestWriter(format: .tsv).write([clip], to: folder.path("m.tsv"))
            }
            guard case .unwritableClip(0, let reason)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("holds a tab or a line end, which no field of a TSV can; write CSV or"))
            #expect(!FileManager.default.fileExists(atPath: folder.path("m.tsv")))
            try ManifestWriter(format: .quotedTSV).write([clip], to: folder.path("q.tsv"), overwriting: true)
            #expect(try allClips(Manifest.scan(path: folder.path("q.tsv"), format: .quotedTSV)) == [clip])
        }
        let named = [Clip(index: 0, id: "a", path: "a", extra: ["x"])]
        #expect(throws: ManifestError.unwritableColumn(name: value)) {
            try ManifestWriter(format: .tsv, extraColumns: [value]).write(named, to: folder.path("m.tsv"))
        }
    }

    @Test func `CSV is refused a value of which a line would be a row`() throws {
        let folder = try TemporaryFolder()
        let clip = Clip(index: 0, id: "a", path: "a.wav", label: "x\nb.wav,b,y")
        let error = #expect(throws: ManifestError.self) {
            try ManifestWriter(format: .csv).write([clip], to: folder.path("m.csv"))
        }
        guard case .unwritableClip(0, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("holds a line end, and what follows it would look like a row; write JSON Lines"))
        try ManifestWriter(format: .jsonLines).write([clip], to: folder.path("m.jsonl"))
        #expect(try allClips(Manifest.scan(path: folder.path("m.jsonl"), format: .jsonLines)) == [clip])
    }

    @Test func `only what needs quotation marks gets them`() throws {
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

    @Test func `an existing manifest is kept unless it may be overwritten, and no other file is left behind`() throws {
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

    @Test func `a folder that does not exist is named`() {
        #expect(throws: ManifestError.systemError(path: "/no/such/m.csv", operation: "create it", ENOENT)) {
            try ManifestWriter(format: .csv).write([Clip(index: 0, id: "a", path: "a")], to: "/no/such/m.csv")
        }
    }
}
