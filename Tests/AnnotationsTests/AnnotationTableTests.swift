import FeatureModel
import Manifests
import Messages
import TestSupport
import Testing

@testable import Annotations

struct AnnotationTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func table(_ text: String, _ name: String = "a.txt") throws -> AnnotationTable {
        try AnnotationTable(path: folder.write(text, to: name))
    }

    private func annotation(
        _ start: Double, _ end: Double, _ low: Double? = nil, _ high: Double? = nil, _ label: String = ""
    ) -> Annotation? { Annotation(start: start, end: end, low: low, high: high, label: label) }

    private static let raven = """
        Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies
        1\tWaveform 1\t1\t1.5\t2.25\t0.0\t8000.0\twren
        1\tSpectrogram 1\t1\t1.5\t2.25\t1200.5\t4100.0\twren
        2\tSpectrogram 1\t1\t3.0\t3.5\t900\t1800\t

        """

    @Test func `Raven's selection tables: one box for each selection`() throws {
        let table = try table(Self.raven)
        #expect(table.kind == .raven)
        let expected = [annotation(1.5, 2.25, 1200.5, 4100, "wren"), annotation(3, 3.5, 900, 1800)]
        #expect(try table.annotations(of: "any.wav") == expected.compactMap { $0 })
        let windows = try self.table("\u{FEFF}" + Self.raven.replacing("\n", with: "\r\n"), "b.txt")
        #expect(try windows.annotations(of: "any.wav") == expected.compactMap { $0 })
        let twice = try self.table("\u{FEFF}\u{FEFF}" + Self.raven, "c.txt")
        #expect(try twice.annotations(of: "any.wav") == expected.compactMap { $0 })
    }

    @Test func `a byte order mark may start any line, as where files were put together`() throws {
        let table = try table("\u{FEFF}1\t2\ta\n\u{FEFF}2\t3\tb\u{FEFF}\n")
        #expect(try table.annotations(of: "any.wav").map(\.label) == ["a", "b\u{FEFF}"])
    }

    @Test func `Raven's tables of several files: the rows of one, at its times`() throws {
        let table = try table(
            """
            Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tFile Offset (s)\tAnnotation
            1\t5\t6\tone.wav\t5\ta
            2\t65.5\t66\ttwo.wav\t5.5\tb
            """)
        #expect(try table.annotations(of: "/data/two.wav") == [try #require(annotation(5.5, 6, nil, nil, "b"))])
        let error = #expect(throws: AnnotationError.self) { try table.annotations(of: "three.wav") }
        guard case .otherRecordings(_, "three.wav", ["one.wav", "two.wav"], 2)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `Labels hold quotation marks and any characters but tabs and line ends; with quoting they are CSV's`()
        throws
    {
        let text = "1\t2\t\"no\n2\t3\tyes\" he \u{2028}\u{B}said\n"
        #expect(try table(text).annotations(of: "a").map(\.label) == ["\"no", "yes\" he \u{2028}\u{B}said"])
        let raven =
            "\"Selection\"\t\"Begin Time (s)\"\t\"End Time (s)\"\t\"Species\"\n\"1\"\t0\t\"1.5\"\t\"a \"\"wren\"\"\"\n"
        let quoted = try AnnotationTable(path: folder.write(raven, to: "r.txt"), quoting: .csv)
        #expect(quoted.kind == .raven)
        #expect(try quoted.annotations(of: "a").map(\.label) == ["a \"wren\""])
        #expect {
            try AnnotationTable(path: folder.write("1\t2\t\"no\n", to: "b.txt"), quoting: .csv)
        } throws: {
            guard case .invalid(folder.path("b.txt"), let problems, 1)? = $0 as? AnnotationError else { return false }
            return problems[0].line == 1
                && "\(problems[0].text)".hasPrefix(AnnotationSentence.notCSV(delimiter: "tabs"))
        }
        let rows = "path\tstart\tend\tlabel\na.wav\t0\t1\t\"x\na.wav\t1\t2\ty\"\n"
        let manifest = try table(rows, "m.tsv")
        #expect(try manifest.annotations(of: "a.wav").map(\.label) == ["\"x", "y\""])
        #expect(throws: ManifestError.self) {
            try AnnotationTable(path: folder.write(rows, to: "n.tsv"), quoting: .csv)
        }
    }

    @Test func `Audacity's labels, with and without frequencies`() throws {
        let table = try table(
            """
            1.000000\t1.000000\ta point
            \\\t6928.456055\t6928.456055
            2.000000\t2.500000\tno low edge
            \\\t-1.000000\t6334.588867
            4.000000\t4.500000\tboth edges
            \\\t1484.669312\t2969.338523
            5.5\t6
            """)
        #expect(table.kind == .audacity)
        let expected = [
            annotation(1, 1, 6928.456055, 6928.456055, "a point"), annotation(2, 2.5, nil, 6334.588867, "no low edge"),
            annotation(4, 4.5, 1484.669312, 2969.338523, "both edges"), annotation(5.5, 6),
        ]
        #expect(try table.annotations(of: "x.wav") == expected.compactMap { $0 })
    }

    @Test func `a manifest: the rows of the recording, with frequencies where it has them`() throws {
        let csv = try table(
            """
            path,start,end,label,low,high
            a.wav,1,2,wren,100,200
            b.wav,1,2,robin,100,200
            a.wav,3,4,,,
            """, "m.csv")
        #expect(csv.kind == .manifest)
        let expected = [annotation(1, 2, 100, 200, "wren"), annotation(3, 4)].compactMap { $0 }
        #expect(try csv.annotations(of: folder.path("a.wav")) == expected)
        #expect(try csv.annotations(of: "a.wav") == expected)
        #expect(try csv.annotations(of: "elsewhere/a.wav") == expected)
        let lines = try table(
            """
            {"path": "a.wav", "start": 1, "duration": 1, "label": "wren", "low_frequency": 100, "high_frequency": 200}
            """, "m.jsonl")
        #expect(try lines.annotations(of: "a.wav") == [expected[0]])
        let tabs = try table("path\tstart\tend\tlabel\na.wav\t0\t1\tx\n", "m.tsv")
        #expect(tabs.kind == .manifest)
        #expect(try table(Self.raven, "raven.tsv").kind == .raven)
    }

    @Test func `what is wrong is reported with its line`() throws {
        guard
            case .unknownTable(_, line: 1, found: "hello")? = #expect(
                throws: AnnotationError.self, performing: { try table("hello\n") })
        else {
            Issue.record("another error")
            return
        }
        typealias Sentence = AnnotationSentence
        let cases = [
            ("1\t2\tx\nnonsense\n", 2, Sentence.noLabel(found: "nonsense")),
            ("2\t1\tx\n", 1, Sentence.backwards("label", end: "1.0 s", start: "2.0 s")),
            ("Begin Time (s)\tLow Freq (Hz)\n1\t2\n", 1, Sentence.noColumn("End Time (s)")),
            ("Begin Time (s)\tEnd Time (s)\n1\tx\n", 2, "End Time (s) is 'x'; \(Sentence.noSeconds)"),
            ("Begin Time (s)\tEnd Time (s)\n3\t1\n", 2, Sentence.backwards("selection", end: "1.0 s", start: "3.0 s")),
        ]
        for (text, line, sentence) in cases {
            let error = #expect(throws: AnnotationError.self) { try self.table(text) }
            guard case .invalid(_, let problems, 1)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(problems[0].line == line && "\(problems[0].text)".contains(sentence), "\(problems[0])")
        }
        let missing = #expect(throws: AnnotationError.self) { try AnnotationTable(path: folder.path("none.txt")) }
        guard case .unreadable(folder.path("none.txt"), let reason, false)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(reason.hasPrefix("there is no such file"))
        #expect(throws: AnnotationError.self) { try AnnotationTable(path: folder.url.path) }
    }

    @Test(arguments: [
        #"{"id": "c", "start": 0, "duration": 1, "supervisions": [{"id": "s"}], "recording": {"id": "r"}}"#,
        #"{"id": "s", "recording_id": "r", "start": 0, "duration": 1, "text": "hello"}"#,
        #"{"type": "fbank", "start": 0, "duration": 1, "storage_type": "lilcom_chunky", "storage_path": "f"}"#,
    ])
    func `a manifest of lhotse has no annotations, and none of its members is suggested as a path`(row: String) throws {
        let error = #expect(throws: AnnotationError.self) { try self.table("\(row)\n\(row)\n", "m.jsonl") }
        guard case .ofLhotse? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `edges that are not frequencies are ignored, and those in the wrong order are exchanged`() throws {
        #expect(annotation(1, 2, -1, .infinity) == annotation(1, 2))
        #expect(annotation(1, 2, 500, 100) == annotation(1, 2, 100, 500))
        #expect(annotation(2, 1) == nil && annotation(.nan, 1) == nil)
        #expect(annotation(1, 2, 3, 4, "x")?.shifted(by: 1) == annotation(2, 3, 3, 4, "x"))
    }
}
