import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Annotations
@testable import Manifests

struct SpeechTablesTests {
    private static let turn = "SPEAKER a 1 0.5 1 <NA> <NA> ann <NA> <NA>\n"

    @Test func `a CTM has words, with channels from 1`() throws {
        let (kind, found) = try content(";; NIST\na 1 0.5 0.25 yes 0.9\n\na B 1 0.5 no\n", name: "x.ctm")
        #expect(kind == .ctm && found.shownProblems == [])
        #expect(found.shownRows == ["0.5-0.75 yes in a (0.9)", "1.0-1.5 no in a"])
        #expect(found.rows.map(\.channel) == [0, 1])
        // By its content, or the name that Kaldi gives it.
        #expect(try content("u-1 1 0.10 0.30 hello\n", name: "words.txt").kind == .ctm)
        #expect(try content("u-1 1 0.10 0.30\n", name: "ctm").content.problems.count == 1)
    }

    @Test func `an RTTM has turns of speakers, and lines of other types are none`() throws {
        let other = "SPKR-INFO a 1 <NA> <NA> <NA> unknown ann <NA>\nNOSCORE a 1 2 1 <NA> <NA> <NA> <NA>\n"
        let (kind, found) = try content(Self.turn + other, name: "rttm")
        #expect(kind == .rttm && found.shownProblems == [] && found.shownRows == ["0.5-1.5 ann in a"])
        #expect(found.account.remarks.map(\.first) == [["line 3 (NOSCORE)"]])
        #expect(try content(Self.turn, name: "x.txt").kind == .rttm)
    }

    @Test(arguments: [
        ("x.ctm", "a 1 0.5 yes\n", "expected RECORDING CHANNEL START DURATION WORD"),
        ("x.ctm", "a 0 0.5 1 yes\n", "the channel is '0'"),
        ("x.ctm", "a 1 x 1 yes\n", "expected a start and a duration"),
        ("x.ctm", "a 1 1 -0.5 yes\n", "before it starts"),
        ("x.rttm", "SPEAKER a 1 0.5\n", "expected SPEAKER RECORDING"),
    ])
    func `a line that is no word or turn is a problem`(name: String, text: String, problem: String) throws {
        let found = try content(text, name: name).content
        #expect(found.rows.isEmpty && found.shownProblems.count == 1)
        #expect(found.shownProblems.first?.contains(problem) == true, "\(found.shownProblems)")
    }

    /// The annotations of a dataset, by their recordings, channels and times.
    private func labels(_ text: String, _ manifest: String, _ names: NamedRecordings = NamedRecordings()) throws
        -> [String]
    {
        let folder = try TemporaryFolder()
        for (name, text) in ["m.csv": manifest, "x.ctm": text] {
            try Data(text.utf8).write(to: folder.url.appending(path: name))
        }
        var source = try Manifest.scan(path: folder.path("m.csv"), format: .csv)
        source.names = names
        let labels = try FrameLabelSource(
            source, root: folder.url.path, channel: nil, given: [folder.path("x.ctm")], options: AnnotationOptions()
        ).labels(RecordingLengths([:]))
        return labels.recordings.flatMap { recording in
            recording.rows.map { "\(recording.path) \($0.channel.map(String.init) ?? "-") \(shown($0))" }
        }.map { String($0.prefix(upTo: $0.range(of: " in ")?.lowerBound ?? $0.endIndex)) }
    }

    @Test
    func `a recording is named by an id, a file of a side, a file without its extension, or a clip with its own times`()
        throws
    {
        var names = NamedRecordings()
        for (side, id) in ["call-A", "call-B"].enumerated() {
            let recording = NamedRecordings.Recording(path: "sw2001.sph", channel: .one(side))
            names.add(recording, named: id)
            names.add(recording, named: "call", side: side)
        }
        let manifest = "path,id,start,end,channel\nsw2001.sph,u1,1,3,0\nsw2001.sph,u2,2,4,1\nd/other.flac,o,5,6,\n"
        #expect(try labels("call-B 1 0.5 0.25 x\n", manifest, names) == ["sw2001.sph 1 0.5-0.75 x"])
        #expect(
            try labels("call A 0.5 0.25 x\ncall B 1 1 y\n", manifest, names) == [
                "sw2001.sph 0 0.5-0.75 x", "sw2001.sph 1 1.0-2.0 y",
            ])
        let ofChannel = "path,channel\nd/other.flac,0\n"
        #expect(try labels("other 1 0.5 0.25 x\n", ofChannel, names) == ["d/other.flac 0 0.5-0.75 x"])
        #expect(
            try labels("u2 1 0.5 0.25 x\no 1 0 1 y\n", manifest, names) == [
                "sw2001.sph 1 2.5-2.75 x", "d/other.flac - 5.0-6.0 y",
            ])
        #expect(throws: SourceProblems.self) { try labels("nobody 1 0.5 0.25 x\n", manifest, names) }
    }

    @Test func `clips are looked for once, however many tables name them`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("m.csv")
        try Data("path,id,start,end\nd/x.flac,u1,5,6\n".utf8).write(to: URL(filePath: path))
        let source = try RecordingSource(
            Manifest.scan(path: path, format: .csv), root: folder.url.path, areAnnotations: false)
        let places = NamedPlaces(source)
        func rows(_ text: String) throws -> [String] {
            let document = AnnotationDocument(path: "x.ctm", bytes: Array(text.utf8))
            let table = try AnnotationTable(document: document, options: AnnotationOptions(), format: nil)
            return try places.located(table).content.shownRows
        }
        #expect(try rows("u1 1 0 1 x\n") == ["5.0-6.0 x in d/x.flac"])
        try FileManager.default.removeItem(atPath: path)
        #expect(try rows("u1 1 0.25 0.5 y\n") == ["5.25-5.75 y in d/x.flac"])
    }
}
