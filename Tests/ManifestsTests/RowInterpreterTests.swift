import FeatureModel
import Messages
import Testing

@testable import Manifests

struct RowInterpreterTests {
    /// Origin: Python 3.11, `os.path.splitext(p)[0]`.
    @Test(arguments: [
        ("a/b.c/d.wav", "a/b.c/d"), ("a/b.c/d", "a/b.c/d"), (".wav", ".wav"), ("x/.hidden", "x/.hidden"),
        ("x/.hidden.wav", "x/.hidden"), ("..wav", "..wav"), ("a..wav", "a."), ("two.dots.wav", "two.dots"),
        ("a.", "a"), ("../up.wav", "../up"), ("ünï.🐦", "ünï"),
    ])
    func `the default id is the path without the extension of its last component, as Python splits it`(
        path: String, id: String
    ) throws {
        #expect(try clips("path,id\n\(path),\n").first?.id == id)
    }

    @Test(
        arguments: [
            (",,", nil, nil, "a"), ("1.5,3,", 1.5, 3, "a#1.5-3"), ("1.5,,", 1.5, nil, "a#1.5-"), (",2,", 0, 2, "a#0-2"),
            ("0,,0.25", 0, 0.25, "a#0-0.25"), ("0.1,,0.2", 0.1, 0.3, "a#0.1-0.3"), ("1,2,1", 1, 2, "a#1-2"),
            ("1,2.0000005,1", 1, 2.000_000_5, "a#1-2.0000005"), ("-0.0,1,", 0, 1, "a#0-1"),
            ("1e1,2e+1,", 10, 20, "a#10-20"),
            (" 1,\t2 ,", 1, 2, "a#1-2"), ("0,,1e-10", 0, 1e-10, "a#0-1e-10"), (" ,,", nil, nil, "a"),
        ] as [(String, Double?, Double?, String)])
    func `segments and their ids`(cells: String, start: Double?, end: Double?, id: String) throws {
        let clip = try #require(try clips("path,start,end,duration\na.wav,\(cells)\n").first)
        #expect(clip.segment == start.flatMap { Segment(start: $0, end: end) })
        #expect(clip.id == id)
    }

    @Test(arguments: [
        ("-1,,,", ["start is -1.0; expected 0 or more seconds"]),
        ("2,1,,", ["end 1.0 is not after start 2.0"]),
        ("1,1,,", ["end 1.0 is not after start 1.0"]), (",0,,", ["end 0.0 is not after start 0.0"]),
        (",,0,", ["duration is 0.0; expected more than 0"]), ("1,,-1,", ["duration is -1.0"]),
        ("1,2,1.1,", ["end 2.0 and start + duration 2.1 disagree"]),
        ("1,2.0000011,1,", ["end 2.0000011 and start + duration 2.0 disagree"]),
        ("nan,,,", ["start is 'nan'; \(RowSentence.noSeconds)"]), ("0,inf,,", ["end is 'inf'"]),
        ("0,1e999,,", ["end is '1e999'"]), ("0x1,,,", ["start is '0x1'"]), ("1:30,,,", ["start is '1:30'"]),
        ("\"1,5\",,,", ["start is '1,5'; \(RowSentence.noSeconds); \(RowSentence.decimalPoint)"]),
        ("x,y,z,w", ["start is 'x'", "end is 'y'", "duration is 'z'", "channel is 'w'; expected a whole number"]),
        (",,,-1", ["channel is '-1'; expected a whole number from 0 to 1023"]), (",,,1024", ["channel is '1024'"]),
        (",,,0.5", ["channel is '0.5'"]), ("--1,,,", ["start is '--1'"]), ("1e,,,", ["start is '1e'"]),
    ])
    func `values that are not part of a recording are refused, all of a row's at once`(cells: String, texts: [String]) {
        let found = problems("path,start,end,duration,channel\na.wav,0,1,,\nb.wav,\(cells)\n")
        #expect(found.map(\.line) == texts.map { _ in 3 }, "\(found)")
        for (problem, text) in zip(found, texts) { #expect(problem.text.hasPrefix(text)) }
    }

    @Test(arguments: [
        ("0,,", "a#ch0"), ("B,,", "a#ch1"), ("1,0.5,1", "a#ch1#0.5-1"), (",0.5,1", "a#0.5-1"), (" 1.0 ,,", "a#ch1"),
    ])
    func `a channel is a part of the default id, before the times`(cells: String, id: String) throws {
        #expect(try clips("path,channel,start,end\na.wav,\(cells)\n").first?.id == id)
    }

    @Test func `a length alone is not part of the default id, and stays a length`() throws {
        let clip = try #require(try clips("path,start,duration\na.wav,,1.5\n").first)
        #expect(clip.id == "a" && clip.segment == Segment(length: 1.5))
        #expect(try clips("path,start,duration\na.wav,0,1.5\n").first?.segment == Segment(start: 0, end: 1.5))
    }

    @Test func `the declared length of a recording is read, and how late a clip may end`() throws {
        let header =
            "path,start,end,max_overshoot,recording.num_samples,recording.sampling_rate,recording.duration,channel"
        let clip = try #require(try clips("\(header)\na.wav,1,2,0.5,16000,8000,2,1?\n").first)
        #expect(clip.segment == Segment(start: 1, end: 2, overshoot: 0.5))
        #expect(clip.declared == DeclaredRecording(duration: 2, sampleCount: 16_000, sampleRate: 8000))
        #expect(clip.channel == 1 && clip.channel(ofChannels: 1) == nil && clip.channel(ofChannels: 2) == 1)
        let found = problems("\(header)\na.wav,1,2,-1,,,,\nb.wav,1,2,,0.5,0,-1,L\n")
        for text in [
            "max_overshoot is -1.0", "num_samples is 0.5", "sampling_rate is 0.0", "duration is -1.0", "channel is 'L'",
        ] {
            #expect(found.contains { $0.text.contains(text) }, "\(text): \(found)")
        }
    }

    @Test func `channels are integers, also as pandas writes them in a column with empty cells`() throws {
        let text = "path,channel\na,0\nb,1023\nc,1.0\nd,\n"
        #expect(try clips(text).map(\.channel) == [0, 1023, 1, nil])
    }

    @Test func `all problems are counted, the first thousand kept, and twenty reported`() throws {
        let rows = (0..<1500).map { "\($0).wav,x\n" }.joined()
        guard case .invalidRows(_, let problems, let total) = try #require(refusal("path,start\n" + rows)) else {
            Issue.record("expected invalid rows")
            return
        }
        #expect(total == 1500)
        #expect(problems.map(\.line) == Array(2..<1002))
        let text = ManifestError.invalidRows(path: "m.csv", problems: problems, total: total).description
        #expect(text.split(separator: "\n").count == 22)
        #expect(text.split(separator: "\n").dropFirst().first == "  \(problems[0])")
        #expect(text.hasSuffix("… and 1480 more"))
    }
}
