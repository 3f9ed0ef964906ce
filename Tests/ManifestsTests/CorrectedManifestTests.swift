import Archives
import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import Manifests

struct CorrectedManifestTests {
    private let folder: TemporaryFolder
    private static let header = "id,path,start,end,audio_xxh3,action,label\n"

    init() throws { folder = try TemporaryFolder() }

    private func scanned(_ text: String, _ name: String = "m.csv") throws -> Manifest {
        try Manifest.scan(path: folder.write(text, to: name), format: ManifestFormat(path: name) ?? .csv)
    }

    private func corrected(_ manifest: String, _ lines: String, name: String = "m.csv") throws -> Manifest {
        let file = try CorrectionFile(path: folder.write(Self.header + lines, to: "c.csv"))
        return try CorrectedManifest(scanned(manifest, name), file, root: folder.url.path).made()
    }

    private func refusal(_ manifest: String, _ lines: String) -> CorrectionError? {
        do {
            _ = try corrected(manifest, lines)
            return nil
        } catch { return error as? CorrectionError }
    }

    private func labels(_ manifest: Manifest) throws -> [String] {
        try allClips(manifest).map { clip in
            "\(clip.index) \(clip.id) \(clip.label) " + (try manifest.labelIndices(of: clip).map { "\($0)" } ?? "-")
        }
    }

    private static let plain = "path,id,label,split,site\na.wav,a,x,train,s\nb.wav,b,y,test,t\nc.wav,c,,train,u\n"

    @Test func `labels and excluded clips`() throws {
        let made = try corrected(Self.plain, "a,,,,,relabel,z\nb,,,,,exclude,\nc,,,,,add,w\n")
        #expect(try labels(made) == ["0 a z -", "1 c w -"])
        #expect(made.clipCount == 2 && made.labels == ["w", "z"] && made.splits.map(\.clipCount) == [2])
        #expect(made.widths == TextWidths(id: 1, path: 5, label: 1, split: 5, extra: [1]))
        #expect(try made.sha256 == scanned(Self.plain).sha256 && made.correctionsSHA256?.count == 64)
        #expect(made.account.count(of: .clipsExcluded) == 1 && made.account.count(of: .labelsCorrected) == 2)
        #expect(made.rowsAccount == (try scanned(Self.plain)).rowsAccount)
    }

    @Test func `corrections without an effect leave everything but their checksum`() throws {
        for lines in [
            "", "a,,,,,checked,\n", "a,,,,,relabel,x\n", "a,,,,,relabel,z\na,,,,,undo,\n", "a,,,,,remove,q\n",
            "b,,,,,exclude,\nb,,,,,include,\n",
        ] {
            let (made, plain) = (try corrected(Self.plain, lines), try scanned(Self.plain))
            #expect(try allClips(made) == allClips(plain), "\(lines)")
            #expect(made.labels == plain.labels && made.widths == plain.widths && made.account == plain.account)
        }
    }

    @Test func `a second label makes a column of all labels`() throws {
        let made = try corrected(Self.plain, "a,,,,,add,\"b|c\"\n")
        #expect(made.extraColumns == ["site", "labels"] && made.labels == ["b|c", "x", "y"])
        #expect(try labels(made) == ["0 a x [0, 1]", "1 b y [2]", "2 c  []"])
        #expect(made.widths.label == 3)
    }

    @Test func `the first of several labels is the label`() throws {
        let both = "path,id,label,labels\na.wav,a,x,x|y\nb.wav,b,,x|y\n"
        #expect(try labels(corrected(both, "a,,,,,remove,x\n")) == ["0 a y [1]", "1 b  [0, 1]"])
        #expect(try labels(corrected(both, "b,,,,,add,z\n")) == ["0 a x [0, 1]", "1 b  [0, 1, 2]"])
        #expect(try labels(corrected(both, "b,,,,,relabel,z\n")) == ["0 a x [0, 1]", "1 b z [2]"])
        let alone = "path,id,labels\na.wav,a,\"[\"\"x\"\", \"\"y\"\"]\"\nb.wav,b,x\n"
        #expect(try labels(corrected(alone, "a,,,,,remove,x\n")) == ["0 a  [1]", "1 b  [0]"])
        #expect(try labels(corrected(alone, "a,,,,,relabel,\n")) == ["0 a  []", "1 b  [0]"])
    }

    @Test func `a manifest without labels gets them`() throws {
        let made = try corrected("path,id\na.wav,a\nb.wav,b\n", "a,,,,,relabel,z\n")
        #expect(try labels(made) == ["0 a z -", "1 b  -"] && made.hasLabelColumn && made.labels == ["z"])
    }

    @Test(arguments: 0..<30) func `the manifest that is written out reads back as the same clips`(seed: UInt64) throws {
        var generator = CorrectionGenerator(seed: seed)
        let actions = (0..<12).map { _ in generator.action() }
        let ids = ["a", "b", "c"]
        let lines = actions.map { action in
            let correction = Correction(id: generator.pick(ids), action: action)
            return String(
                decoding: ManifestWriter.csv(
                    ["id", "path", "start", "end", "audio_xxh3", "action", "label"].compactMap {
                        CorrectionColumn(rawValue: $0)?.value(correction)
                    }), as: UTF8.self)
        }
        let manifest = generator.pick([Self.plain, "path,id,labels\na.wav,a,x|y\nb.wav,b,\nc.wav,c,z\n"])
        let made: Manifest
        do { made = try corrected(manifest, lines.joined()) } catch CorrectionError.everythingExcluded { return }
        for format in [ManifestFormat.csv, .jsonLines] {
            let path = folder.path("out.\(format.rawValue)")
            let clips = try made.reader()
            try ManifestWriter(format: format, extraColumns: made.extraColumns).write(
                columns: made.columns, to: path, overwriting: true
            ) { () throws(ManifestError) in try clips.next() }
            let again = try Manifest.scan(path: path, format: format)
            #expect(try allClips(again) == allClips(made), "\(lines)")
            #expect(again.labels == made.labels && again.extraColumns == made.extraColumns)
            #expect(again.widths == made.widths && again.splits == made.splits)
            #expect(again.rowsAccount == made.rowsAccount)
        }
    }

    @Test func `what has changed is refused by name`() throws {
        let parts = "path,id,label,start,end\nx/a.wav,a,x,1,2.5\nb.wav,b,y,,\n"
        for line in [
            "a,a.wav,1,2.5,,relabel,z", "a,old/x/a.wav,1.0,,,relabel,z", "a,../x/a.wav,,2.501,,relabel,z",
            "b,b.wav,0,3.25,,relabel,z", "a,,,,,relabel,z",
        ] {
            #expect(refusal(parts, line + "\n") == nil, "\(line)")
        }
        func difference(_ line: String) -> CorrectedPart.Difference? {
            guard case .otherClips(_, _, let clips, 1)? = refusal(parts, line + "\n") else { return nil }
            return clips.first?.difference
        }
        #expect(difference("a,y/a.wav,1,2.5,,relabel,z") == .path(corrected: "y/a.wav", now: "x/a.wav"))
        #expect(difference("a,b.wav,1,2.5,,exclude,") == .path(corrected: "b.wav", now: "x/a.wav"))
        #expect(difference("a,a.wav,1.001,2.5,,relabel,z") == .start(corrected: 1.001, now: 1))
        #expect(difference("b,b.wav,1,2,,relabel,z") == .start(corrected: 1, now: 0))
        #expect(difference("a,a.wav,1,2.4,,relabel,z") == .end(corrected: 2.4, now: 2.5))
        // The last line that counts says what was looked at.
        #expect(difference("a,y/a.wav,,,,relabel,z\na,x/a.wav,1,2.5,,checked,") == nil)
        #expect(difference("a,x/a.wav,,,,relabel,z\na,y/a.wav,,,,checked,\na,,,,,undo,") == nil)
        #expect(difference("a,y/a.wav,,,,relabel,z\na,x/a.wav,,,,checked,\na,,,,,undo,") != nil)
    }

    @Test func `a clip is the part that is made of it`() throws {
        try folder.writeWave([[0.5, 0.5]], sampleRate: 8000, to: "a.wav")
        let text =
            "path,id,start,end,duration\na.wav,a,,,\na.wav,b,0.1,,\na.wav,c,0.1,0.3,\na.wav,d,,,1.5\nx/b.wav,e,0,1,\n"
        for clip in try allClips(scanned(text)) {
            let part = CorrectedPart(clip, root: folder.url.path)
            #expect(part.difference(from: clip, root: folder.url.path) == nil)
            #expect((part.audio != nil) == (clip.path == "a.wav"))
            let start = clip.segment?.start ?? 0
            // Durations are rounded to samples.
            for duration in [(clip.segment?.end ?? 2) - start, (clip.segment?.end ?? 2) - start + 6e-5] {
                let stored = CorrectedPart(
                    path: clip.path, start: start, duration: duration, isShortened: false,
                    checksum: String(repeating: "0", count: 32))
                #expect(stored.difference(from: clip, root: "") == nil)
            }
            let shorter = CorrectedPart(path: clip.path, start: start, duration: 0.05, isShortened: true, checksum: "")
            #expect(shorter.difference(from: clip, root: "") == nil)
        }
    }

    @Test func `size and time of a recording are compared`() throws {
        let path = try folder.write("sound", to: "a.wav")
        let stamp = FileStamp(recording: path)
        func line(_ stamp: FileStamp, _ id: String = "a") -> String {
            "\(id),,,,\(CorrectedAudio.recording(stamp).text),relabel,z\n"
        }
        #expect(refusal(Self.plain, line(stamp)) == nil)
        for other in [
            FileStamp(byteCount: stamp.byteCount + 1, modified: stamp.modified),
            FileStamp(byteCount: stamp.byteCount, modified: stamp.modified + 1),
        ] {
            guard case .otherClips(_, _, let clips, 1)? = refusal(Self.plain, line(other)) else {
                Issue.record("it is not refused")
                return
            }
            #expect(clips.first?.difference == .recording(path: "a.wav"))
        }
        // That b.wav is missing is said elsewhere.
        #expect(refusal(Self.plain, line(stamp, "b")) == nil)
    }

    @Test func `the checksum of samples goes with the clip`() throws {
        let sum = String(repeating: "Ab", count: 16)
        let made = try corrected(Self.plain, "a,,,,\(sum),checked,\n")
        #expect(try allClips(made).map(\.expectedAudio) == [sum.lowercased(), nil, nil])
    }

    @Test func `a clip that the manifest lacks is an error unless nothing is lost`() throws {
        for line in [
            "q,,,,,exclude,\n", "q,,,,,checked,\n", "q,,,,,relabel,x\nq,,,,,undo,\n",
            "q,,,,,relabel,x\nq,,,,,exclude,\n",
        ] {
            #expect(refusal(Self.plain, line) == nil, "\(line)")
        }
        let lines = (0..<8).map { "q\($0),,,,,relabel,x\n" }.joined()
        guard case .unknownClips(_, _, let clips, 8)? = refusal(Self.plain, lines) else {
            Issue.record("it is not refused")
            return
        }
        #expect(clips.first == .init(id: "q0", line: 2) && clips.count == CorrectionError.named)
        // Ids are equal if their bytes are.
        #expect(refusal("path,id\na.wav,é\n", "e\u{301},,,,,relabel,x\n") != nil)
    }

    @Test func `a manifest of which nothing is left is refused`() throws {
        guard case .everythingExcluded? = refusal("path,id\na.wav,a\n", "a,,,,,exclude,\n") else {
            Issue.record("it is not refused")
            return
        }
    }

    @Test func `other formats are corrected, too`() throws {
        let made = try corrected(
            "{\"path\": \"a.wav\", \"label\": \"x\"}\n{\"path\": \"b.wav\", \"label\": \"y\", \"n\": 1}\n",
            "a,,,,,exclude,\nb,,,,,add,z\n", name: "m.jsonl")
        #expect(try labels(made) == ["0 b y [0, 1]"] && made.extraColumns == ["n", "labels"])
        let tsv = try corrected("path\tlabel\na.wav\t\"x\"\nb.wav\ty\n", "b,,,,,relabel,z\n", name: "m.tsv")
        #expect(tsv.labels == ["\"x\"", "z"] && tsv.ambiguousQuoting == .literal)
    }
}
