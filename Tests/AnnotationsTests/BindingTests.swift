import Testing

@testable import Annotations

struct BindingTests {
    private let index = RecordingIndex([
        "/d/a/x.wav", "/d/b/x.wav", "/d/b/y.wav", "/d/b/y.wav", "/d/t.tar::b/z.wav",
    ])

    @Test func `a name is found by its path, or by the folders that agree`() {
        #expect(index.find("x.wav", folders: ["/d/a"]) == .found([0], score: .max))
        #expect(index.find("./../b/x.wav", folders: ["/d/a"]) == .found([1], score: .max))
        #expect(index.find("C:\\data\\b\\x.wav", folders: ["/e"]) == .found([1], score: 2))
        #expect(index.find("x.wav", folders: ["/e"]) == .ambiguous(["/d/a/x.wav", "/d/b/x.wav"]))
        #expect(index.find("x.wav", folders: ["/e"], preferred: [1]) == .found([1], score: 1))
        #expect(index.find("/elsewhere/y.wav", folders: []) == .found([2, 3], score: 1))
        #expect(index.find("b/z.wav", folders: ["/d"]) == .found([4], score: 2))
        #expect(index.find("W.wav", folders: ["/d/a"]) == .none)
    }

    @Test func `capitals and extensions count only between names that differ in nothing else`() {
        #expect(index.find("a/X.WAV", folders: ["/d"]) == .found([0], score: 2))
        #expect(index.find("y.flac", folders: ["/elsewhere"]) == .found([2, 3], score: 0))
        #expect(index.find("y.txt", folders: ["/elsewhere"]) == .none)
        #expect(index.isConverted(2, "y.flac") && !index.isConverted(2, "Y.WAV"))
    }

    @Test func `a file without names belongs to the recording of its stem`() {
        #expect(index.find(forFile: "x.Table.1.selections.txt", folder: "/d/a").match == .found([0], score: 1))
        #expect(index.find(forFile: "y.wav.csv", folder: "/labels").match == .found([2, 3], score: 0))
        #expect(index.find(forFile: "x.txt", folder: "/labels").match == .ambiguous(["/d/a/x.wav", "/d/b/x.wav"]))
        #expect(index.find(forFile: "q.txt", folder: "/d/a").match == .none)
    }

    @Test(arguments: [
        ("day.Table.1.selections.txt", "day"), ("day.selections.txt", "day"), ("day.BirdNET.results.csv", "day"),
        ("day.BirdNET.selection.table.txt", "day"), ("day.TextGrid", "day"), ("day.txt", "day"), ("day.1.csv", "day.1"),
        ("day.wav.csv", "day.wav"), ("b_0721.20144_annotations.csv", "b_0721.20144"), ("day.audacity.txt", "day"),
        ("day_selections.txt", "day"), ("day.Table01.txt", "day"),
        ("day.flac.Table.1.selections.txt", "day.flac"), ("day.BirdNET.results.r.csv", "day"),
    ])
    func `stems of names`(name: String, stem: String) {
        #expect(AnnotationFileName.candidates(of: name).contains { $0.name == stem && !$0.ignoresCase && !$0.isLoose })
        #expect(AnnotationFileName.isPossible(name))
    }

    private func bound(_ text: String, _ locations: [String], path: String = "a.csv", isNamed: Bool = true) throws
        -> AnnotationBinding
    {
        let table = try AnnotationTable(
            document: AnnotationDocument(path: "/d/" + path, bytes: Array(text.utf8)), options: AnnotationOptions())
        return AnnotationBinding(
            [FoundTable(table, folder: "/d", origin: isNamed ? .given : .inFolder)], to: RecordingIndex(locations),
            clipCount: locations.count, root: "/d",
            dataset: "the manifest")
    }

    @Test
    func `rows without a recording's name are of the only recording if their file was named, or is named like it`()
        throws
    {
        let rows = "start,end\n0,1\n"
        let mine = [[AnnotationBinding.Row(table: 0, row: 0)]]
        #expect(try bound(rows, ["/d/y.wav"], path: "x.csv").rows == mine)
        let found = try bound(rows, ["/d/y.wav"], path: "x.csv", isNamed: false)
        #expect(found.rows == [[]] && found.problems.count == 1)
        #expect(try bound(rows, ["/d/x.wav"], path: "x.csv", isNamed: false).rows == mine)
    }

    @Test(arguments: [
        ("audacity", "0.5\t1\tx\n"), ("raven", "Selection\tBegin Time (s)\tEnd Time (s)\n1\t0.5\t1\n"),
    ])
    func `another unit than seconds is refused for formats that have none`(format: String, text: String) throws {
        var options = AnnotationOptions()
        options.timeUnit = .milliseconds
        let document = AnnotationDocument(path: "/d/a.txt", bytes: Array(text.utf8))
        #expect(throws: AnnotationError.self) {
            try AnnotationTable(document: document, options: options, format: format)
        }
        options.timeUnit = .seconds
        #expect(throws: Never.self) { try AnnotationTable(document: document, options: options, format: format) }
    }

    @Test func `unknown recordings are reported once each, with their first line`() throws {
        let rows = "file,start,end\nx.wav,0,1\nq.wav,0,1\nq.wav,1,2\nr.wav,0,1\n"
        let found = try bound(rows, ["/d/x.wav", "/d/y.wav"])
        #expect(found.rows == [[.init(table: 0, row: 0)], []])
        #expect(
            found.problems.map(\.text) == [
                "names the recording 'q.wav' in 2 rows, which is not one of the manifest",
                "names the recording 'r.wav', which is not one of the manifest",
            ])
        #expect(found.problems.map(\.line) == [3, 5])
    }

    @Test func `a recording of the same name in another folder is not taken for one that is missing`() throws {
        let rows = "file,start,end\nsiteA/x.wav,0,1\nsiteB/x.wav,0,1\n"
        let found = try bound(rows, ["/d/siteB/x.wav"])
        #expect(found.rows == [[.init(table: 0, row: 1)]])
        #expect(found.problems.map(\.line) == [2])
    }

    @Test func `rows without names go to the stem's recording, or to the only one`() throws {
        let rows = "start,end\n0,1\n"
        #expect(try bound(rows, ["/d/a.wav", "/d/b.wav"]).rows.map(\.count) == [1, 0])
        #expect(try bound(rows, ["/d/other.wav"]).rows.map(\.count) == [1])
        let lost = try bound(rows, ["/d/b.wav", "/d/c.wav"])
        #expect(
            lost.problems.map(\.text) == ["its rows name no recording, and no recording of the manifest is named 'a'"])
    }
}
