import FeatureModel
import Manifests
import Messages
import TestSupport
import Testing

@testable import Annotations

struct AnnotationSearchTests {
    private static let rows = "start,end,label\n1,2,a\n"

    /// The label of each clip with its recording.
    private func clips(
        _ folder: AnnotatedFolder, _ source: RecordingSource, _ tables: AnnotationTables
    ) -> [String] {
        ClipMaker(source, tables, cut: .annotations(ClipRules())).clips().clips.map { "\($0.path) \($0.label)" }
    }

    @Test(arguments: [
        "a.csv", "a.wav.csv", "a.Table.1.selections.txt", "a_annotations.csv", "labels/a.csv", "Selections/a.txt",
        "A.csv",
    ])
    func `a table is of the recording that it is named after`(name: String) throws {
        let raven = "Selection\tBegin Time (s)\tEnd Time (s)\tLabel\n1\t1\t2\ta\n"
        let folder = try AnnotatedFolder([
            "a.wav": "", "b.wav": "", name: name.hasSuffix(".txt") ? raven : Self.rows, "readme.txt": "Read me.",
        ])
        let source = folder.source("b.wav", "a.wav")
        let tables = try folder.tables(of: source)
        #expect(clips(folder, source, tables) == ["a.wav a"] && tables.problems.isEmpty)
        #expect(tables.account.count(of: .recordingsWithoutAnnotations) == 1)
        #expect(tables.account.count(of: .tablesUnclaimed) == 0)
    }

    @Test func `a table whose rows name recordings is of those without a table of their own`() throws {
        let folder = try AnnotatedFolder([
            "a.wav": "", "b.wav": "", "a.csv": Self.rows,
            "all.csv": "file,start,end,label\na.wav,3,4,all\nb.wav,3,4,all\nc.wav,5,6,all\n",
        ])
        let source = folder.source("a.wav", "b.wav")
        let tables = try folder.tables(of: source)
        #expect(clips(folder, source, tables) == ["a.wav a", "b.wav all"] && tables.problems.isEmpty)
        let given = try folder.tables(of: folder.source("b.wav"), ["all.csv"])
        #expect(clips(folder, folder.source("b.wav"), given) == ["b.wav all"])
    }

    @Test func `of several tables of a recording, each is chosen by the pattern that the problem gives for it`() throws
    {
        let files = ["a.csv", "a.Table.1.selections.csv", "a[2].Table.2.selections.csv", "a_labels.csv"]
        for count in 2...4 {
            let names = Array(files.prefix(count))
            var all = ["a.wav": ""]
            for name in names { all[name] = Self.rows.replacing(",a", with: ",\(name)") }
            let folder = try AnnotatedFolder(all)
            let source = folder.source("a.wav")
            let problems = try folder.tables(of: source).problems
            let own = names.filter { !$0.hasPrefix("a[") }
            guard own.count > 1 else { continue }
            guard case .severalTables(let shown, let patterns, 0)? = problems.first?.kind, problems.count == 1 else {
                Issue.record("\(problems)")
                continue
            }
            #expect(shown.sorted() == own.sorted() && patterns.count == own.count)
            for (name, pattern) in zip(shown, patterns) {
                let tables = try folder.tables(of: source, named: pattern)
                #expect(tables.problems.isEmpty && clips(folder, source, tables) == ["a.wav \(name)"], "\(pattern)")
            }
        }
    }

    @Test func `where there is nothing to read, the error says what there is`() throws {
        let folder = try AnnotatedFolder(["a.wav": "", "a.srt": "1\n00:00:00,500 --> 00:00:01,500\nx\n"])
        let source = folder.source("a.wav")
        #expect { try folder.tables(of: source) } throws: { error in
            if case .noReader? = error as? RecordingSourceError { true } else { false }
        }
        #expect(throws: Never.self) { try folder.tables(of: source, isOptional: true) }
        let empty = try AnnotatedFolder(["a.wav": "", "a.csv": Self.rows])
        #expect { try empty.tables(of: empty.source("a.wav"), named: "*.txt") } throws: { error in
            if case .noTables(_, _, let named)? = error as? RecordingSourceError {
                named?.text == "*.txt"
            } else {
                false
            }
        }
        #expect { try folder.tables(of: source, [""]) } throws: { error in
            if case .noReader? = error as? RecordingSourceError { true } else { false }
        }
    }

    @Test func `files that cannot be read are problems of their own, once, and others are read`() throws {
        let folder = try AnnotatedFolder(["a.csv": Self.rows, "bad.csv": "nothing\nof the kind\n", "a.wav": ""])
        let source = folder.source("a.wav")
        let tables = try folder.tables(of: source, ["bad.csv", "a.csv", "gone.csv", "bad.csv"])
        #expect(tables.problems.count == 3 && tables.tables.count == 1)
        #expect(tables.problems.map(\.line) == [1, nil, 1])
        let made = ClipMaker(source, tables, cut: .annotations(ClipRules())).clips()
        #expect(made.clips.count == 1 && made.problems?.account.count(of: .problemsSkipped) == 2)
        for problem in tables.problems {
            // The words of the error begin with the path, which is not repeated.
            #expect("\(problem)".components(separatedBy: problem.path).count == 2, "\(problem)")
        }
    }

    private func windows(_ folder: AnnotatedFolder, _ source: RecordingSource, _ names: [String] = []) throws
        -> MadeClips
    {
        let second = 1_000_000_000
        return ClipMaker(
            source, try folder.tables(of: source, names),
            cut: .windows(WindowRules(length: 5 * second, step: 5 * second), .kept(label: "none"))
        ).clips()
    }

    @Test(arguments: [
        // Two tables, one that cannot be decoded, and one without its columns.
        (["a.Table.1.selections.txt": "1\t2\tx\n", "a.Table.2.selections.txt": "1\t2\tx\n"], ["a.wav"]),
        (["a.txt": "1\t2\tx\u{0}\n"], ["a.wav"]),
        (["a.txt": "Selection\tView\n1\tx\n"], ["a.wav"]),
        // A line that may be of any of the recordings that others name, and one that names its own.
        (["all.csv": "file,start,end,label\na.wav,1,2,x\nb.wav,1,2,x\nb.wav,3,4\n"], ["a.wav", "b.wav"]),
        (["all.csv": "file,start,end,label\na.wav,1,2,x\nb.wav,1,2,x\nb.wav,y,4,x\n"], ["b.wav"]),
        // Times after the end of the recording are wrong, and may be anywhere in it.
        (["all.csv": "file,start,end,label\na.wav,1,2,x\nb.wav,1,2,x\nb.wav,90000,90001,x\n"], ["b.wav"]),
    ])
    func `windows of a recording whose annotations are not all read are not examples of no call`(
        tables: [String: String], hidden: [String]
    ) throws {
        let recordings = ["a.wav", "b.wav", "c.wav"]
        let own = tables.keys.contains("all.csv") ? [] : ["b.txt"]
        let empty = Dictionary(uniqueKeysWithValues: recordings.map { ($0, "") } + own.map { ($0, "1\t2\tx\n") })
        let folder = try AnnotatedFolder(empty.merging(tables) { $1 })
        let made = try windows(folder, folder.source("a.wav", "b.wav", "c.wav"))
        #expect(made.problems != nil)
        let labels = Dictionary(grouping: made.clips, by: \.path).mapValues { $0.map(\.label) }
        for recording in recordings {
            let isHidden = hidden.contains(recording)
            #expect(labels[recording, default: []].contains("none") != isHidden, "\(recording): \(labels)")
        }
        #expect(made.account.count(of: .windowsUndecided) > 0)
    }

    @Test func `a table that is not read may be of any recording, unless its name says of which`() throws {
        let files = ["a.wav": "", "b.wav": "", "b.txt": "1\t2\tx\n", "a.txt": "x\u{0}", "z.txt": "x\u{0}"]
        let folder = try AnnotatedFolder(files)
        let source = folder.source("a.wav", "b.wav")
        #expect(try windows(folder, source, ["a.txt", "b.txt"]).shown == ["0.0-5.0 x", "5.0-10.0 none"])
        #expect(try windows(folder, source, ["z.txt", "b.txt"]).shown == ["0.0-5.0 x"])
    }

    @Test func `of recordings of one name, that in the table's own folder is meant`() throws {
        let header = [
            "Selection", "View", "Begin Time (s)", "End Time (s)", "Begin Path", "File Offset (s)", "Species",
        ]
        let row = ["1", "x", "1", "2", #"D:\old\r.wav"#, "1", "owl"]
        let table = [header, row].map { $0.joined(separator: "\t") + "\n" }.joined()
        let folder = try AnnotatedFolder(["A/r.wav": "", "B/r.wav": "", "A/notes.txt": table])
        let source = folder.source("A/r.wav", "B/r.wav")
        #expect(try windows(folder, source).shown == ["0.0-5.0 owl", "5.0-10.0 none", "0.0-5.0 none", "5.0-10.0 none"])
        // Nothing decides where the table is above both.
        let above = try AnnotatedFolder(["A/r.wav": "", "B/r.wav": "", "notes.txt": table])
        let both = above.source("A/r.wav", "B/r.wav")
        let tables = try above.tables(of: both, ["notes.txt"])
        #expect(ClipMaker(both, tables, cut: .annotations(ClipRules())).clips().clips.isEmpty)
        #expect(try windows(above, both, ["notes.txt"]).clips.isEmpty)
    }

    // MARK: - Sources

    @Test func `an annotation file is a source of the recordings that it names, or of that of its name`() throws {
        let folder = try AnnotatedFolder([
            "a.wav": "", "b.wav": "", "a.csv": Self.rows, "c.csv": Self.rows,
            "all.csv": "file,start,end,label\nb.wav,1,2,x\na.wav,1,2,y\nb.wav,3,4,z\n", "text.md": "No table.",
        ])
        func paths(_ name: String) throws -> [String]? {
            try RecordingSource(annotations: folder.path(name), root: nil, AnnotationOptions(), format: nil)?
                .clips.map(\.path)
        }
        #expect(try paths("a.csv") == ["a.wav"] && paths("all.csv") == ["b.wav", "a.wav"])
        #expect(try paths("text.md") == nil && paths("no.csv") == nil && paths("c.csv") == nil)
        #expect(RecordingSource(recording: folder.path("a.wav"))?.clips.map(\.path) == ["a.wav"])
        #expect(RecordingSource(recording: folder.path("a.csv")) == nil)
    }

    @Test(arguments: [
        ("path,label,from,to\na.wav,x,1,2\nb.wav,y,3,10\n", true),
        ("path,label,from,to\na.wav,x,1,2\nb.wav,y,3,11\n", false),
        ("path,label,from,to\na.wav,x,1,2\nb.wav,y,4,3\n", false), ("path,from,to\na.wav,1,2\n", false),
        ("path,label,from,note,to\na.wav,x,1,b,2\n", true), ("path,label,start,end,n,m\na.wav,x,1,2,1,2\n", false),
    ])
    func `two columns are unread times if every row has a part of its recording there`(text: String, isSo: Bool) throws
    {
        let folder = try AnnotatedFolder(["m.csv": text])
        let manifest = try Manifest.scan(path: folder.path("m.csv"), format: .csv)
        let source = try RecordingSource(manifest, root: "/d", areAnnotations: false)
        let times = UnreadTimes(source)
        var found: (String, String)?
        do { try times?.refuse(RecordingLengths(times?.recordings ?? [])) } catch {
            if case .unreadTimes(_, let start, let end, .csv) = error { found = (start, end) }
        }
        #expect((found?.0 == "from" && found?.1 == "to") == isSo, "\(String(describing: found))")
    }

    // MARK: - Frames

    private func labels(
        _ manifest: String, _ table: String, channel: Int? = nil, channels: Int = 1
    ) throws -> FrameLabelSource.Labels {
        let folder = try AnnotatedFolder(["m.csv": manifest, "t.csv": table])
        let source = try FrameLabelSource(
            Manifest.scan(path: folder.path("m.csv"), format: .csv), root: "/d", channel: channel,
            given: [folder.path("t.csv")], options: AnnotationOptions())
        return try source.labels(RecordingLengths(source.annotated, channels: channels))
    }

    @Test func `frames of parts that may be of a class are not silently without a label`() throws {
        let found = try labels(
            "path,start,end\na.wav,0,1\nb.wav,0,1\n", "file,start,end,Q,R\na.wav,1,2,POS,NEG\nb.wav,1,2,NEG,UNK\n")
        #expect(found.recordings.map(\.path) == ["a.wav"])
        // The line, and the frames.
        #expect(found.account.count(of: .annotationsUnused) == 2)
        #expect(found.account.count(of: .recordingsWithoutAnnotations) == 0)
    }

    @Test func `the labels of frames are those of the rows of each recording, in the order of the file`() throws {
        let found = try labels(
            "path,start,end\na.wav,0,1\nb.wav,0,1\na.wav,1,2\n", "file,start,end,label\na.wav,3,4,x\na.wav,1,2,y\n")
        #expect(found.recordings.map(\.path) == ["a.wav"])
        #expect(found.recordings.first?.rows.map(\.label) == ["x", "y"])
        #expect(found.account.count(of: .recordingsWithoutAnnotations) == 1)
    }

    @Test func `annotations of single channels are refused for a mix`() throws {
        let table = "file,start,end,label,channel\na.wav,1,2,x,1\n"
        #expect { try labels("path\na.wav\n", table, channels: 2) } throws: { error in
            guard let problems = error as? SourceProblems, case .mixedChannels(1)? = problems.problems.first?.kind
            else {
                return false
            }
            return problems.problems.count == 1 && !problems.canSkip
        }
        #expect(try labels("path\na.wav\n", table, channel: 1, channels: 2).recordings.first?.rows.count == 1)
        let other = try labels("path\na.wav\n", table, channel: 0, channels: 2)
        #expect(other.recordings.first?.rows.isEmpty == true && other.account.count(of: .annotationsUnused) == 1)
    }
}
