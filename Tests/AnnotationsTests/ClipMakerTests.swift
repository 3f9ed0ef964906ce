import FeatureModel
import Manifests
import Messages
import TestSupport
import Testing

@testable import Annotations

struct ClipMakerTests {
    /// The clips of one recording of ten seconds and the rows of a table.
    private func made(
        _ rows: [String], header: String = "start,end,label", cut: ClipMaker.Cut = .annotations(ClipRules()),
        row: Clip = Clip(index: 0, id: "r", path: "r.wav"), columns: [String] = [], minimumConfidence: Double? = nil,
        truncated: RecordingPolicy.Truncated = .fail, format: ManifestFormat = .csv, channels: Int = 1,
        cutOff: String? = nil, _ change: (inout AnnotationOptions) -> Void = { _ in }
    ) throws -> MadeClips {
        let folder = try AnnotatedFolder(["r.csv": ([header] + rows).joined(separator: "\n")])
        let source = folder.source([row], columns: columns)
        let maker = ClipMaker(
            source, try folder.tables(of: source, ["r.csv"], change), cut: cut, minimumConfidence: minimumConfidence,
            truncated: truncated, format: format)
        return maker.clips(channels: channels, cut: cutOff)
    }

    private func windows(_ length: Int, step: Int? = nil, _ unlabelled: ClipMaker.UnlabelledWindows) -> ClipMaker.Cut {
        let second = 1_000_000_000
        return .windows(WindowRules(length: length * second, step: (step ?? length) * second), unlabelled)
    }

    // MARK: - The end of a recording

    @Test(arguments: [RecordingPolicy.Truncated.fail, .keep], [nil, "it is cut off"])
    func `an annotation is a clip within its recording, a problem with its line, or a remark`(
        truncated: RecordingPolicy.Truncated, cutOff: String?
    ) throws {
        var random = RandomSource(seed: 7)
        let times = (0..<300).map { _ in
            let (start, length) = (Int.random(in: -20...130, using: &random), Int.random(in: 1...60, using: &random))
            return (start: Double(start) / 10, end: Double(start + length) / 10)
        }
        let made = try made(
            times.enumerated().map { "\($1.start),\($1.end),\($0)" }, truncated: truncated, cutOff: cutOff)
        let problems = Dictionary(
            uniqueKeysWithValues: (made.problems?.problems ?? []).map { (($0.line ?? 0) - 2, $0) })
        let clips = Dictionary(uniqueKeysWithValues: made.clips.map { (Int($0.label) ?? -1, $0) })
        let left = made.account.count(of: .annotationsAfterCut)
        #expect(clips.count + problems.count + left == times.count)
        #expect(clips.count > 100 && problems.count > 10 && (left > 10) == (cutOff != nil && truncated == .keep))
        #expect(made.account.count(of: .endsCut) == clips.keys.count { times[$0].end > 10.001 })
        for (number, (start, end)) in times.enumerated() {
            if let clip = clips[number] {
                #expect(clip.segment == Segment(start: start, end: min(end, 10)))
                #expect(end <= 10 || cutOff == nil || truncated == .keep)
                continue
            }
            let (first, last) = (Nanoseconds.of(start), Nanoseconds.of(end))
            switch problems[number]?.kind {
            case .startsBefore(let time): #expect(start < 0 && time == first)
            case .startsLate(let time, _): #expect(start >= 10 && time == first && cutOff == nil)
            case .endsLate(let time, _): #expect(start < 10 && end - start > 4 * (10 - start) && time == last)
            case .beyondCut(let time, let isStart, _):
                #expect(cutOff != nil && truncated == .fail && end > 10)
                #expect(isStart == (start >= 10) && time == (isStart ? first : last))
            case nil: #expect(cutOff != nil && truncated == .keep && start >= 10)
            default: Issue.record("\(number): \(made.shownProblems)")
            }
        }
    }

    @Test func `the windows of a recording that is cut off are those of what can be read, or a problem`() throws {
        let cut = windows(3, .kept(label: nil))
        let whole = try made([], cut: cut)
        #expect(whole.shown == ["0.0-3.0 ", "3.0-6.0 ", "6.0-9.0 "] && whole.problems == nil)
        let kept = try made([], cut: cut, truncated: .keep, cutOff: "it ends early")
        #expect(kept.shown == whole.shown && kept.problems == nil && kept.notes.contains(.cutRecordings(1)))
        let failed = try made([], cut: cut, cutOff: "it ends early")
        let kinds = (failed.problems?.problems ?? []).map(\.kind)
        guard case .cutOff("it ends early")? = kinds.first, kinds.count == 1 else {
            Issue.record("\(failed.shownProblems)")
            return
        }
        // A row that ends before the end is not concerned.
        let part = Clip(index: 0, id: "r", path: "r.wav", segment: Segment(start: 0, end: 9.5))
        #expect(try made([], cut: cut, row: part, cutOff: "it ends early").problems == nil)
    }

    @Test(arguments: [
        (1000, SourceNote.timesFit(.milliseconds, path: "")), (1000 * 0.999, .timesFit(.milliseconds, path: "")),
        (20, .distantTimes(path: "", ratio: 18, mayBeOfOtherUnit: true)), (2, nil),
    ])
    func `times that are all late say what unit they may be in`(factor: Double, hint: SourceNote?) throws {
        let rows = [(6.03, 6.2), (8.9, 9.01)].map { "\($0 * factor),\($1 * factor),a" }
        let made = try made(rows)
        let problems = try #require(made.problems)
        let file = try #require(problems.problems.first).path
        switch hint {
        case .timesFit(let unit, _): #expect(problems.hints == [.timesFit(unit, path: file)])
        case .distantTimes(_, let ratio, let mayBe):
            #expect(problems.hints == [.distantTimes(path: file, ratio: ratio, mayBeOfOtherUnit: mayBe)])
        default: #expect(problems.hints.isEmpty)
        }
        #expect(made.notes.prefix(problems.hints.count) == problems.hints[...])
        if case .timesFit(let unit, _) = hint {
            #expect(try self.made(rows) { $0.timeUnit = unit }.problems == nil)
        }
    }

    // MARK: - Windows

    @Test func `the windows of a part are those of a recording of its length, moved`() throws {
        for (length, step, start, end) in [(2, 1, 3.0, 9.5), (3, 3, 0.5, 10), (4, 2, 1, 4)] {
            let cut = windows(length, step: step, .kept(label: "none"))
            let folder = try AnnotatedFolder(["r.csv": "start,end,label\n"])
            func clips(_ segment: Segment?, seconds: Double) throws -> [Clip] {
                let source = folder.source([Clip(index: 0, id: "r", path: "r.wav", segment: segment)])
                return ClipMaker(source, try folder.tables(of: source, ["r.csv"]), cut: cut).clips(seconds: seconds)
                    .clips
            }
            let moved = try clips(Segment(start: start, end: end), seconds: 10)
            let whole = try clips(nil, seconds: end - start)
            #expect(!moved.isEmpty || end - start < Double(length))
            #expect(moved.map { ($0.segment?.start ?? 0) - start } == whole.map { $0.segment?.start ?? 0 })
            #expect(moved.map(\.label) == whole.map(\.label))
            #expect(Set(moved.map(\.id)).count == moved.count)
        }
    }

    @Test func `a window is counted with what becomes of it`() throws {
        let rows = ["1,2,a", "4.5,5,b", "9.2,9.9,c"]
        let kept = try made(rows, cut: windows(3, .kept(label: "noise")))
        #expect(kept.shown == ["0.0-3.0 a", "3.0-6.0 b", "6.0-9.0 noise"])
        #expect(
            kept.notes == [
                .remainders(1, length: 1_000_000_000), .inNoWindow(1), .unlabelled(1, label: "noise"),
            ])
        let dropped = try made(rows, cut: windows(3, .dropped))
        #expect(dropped.shown == Array(kept.shown.dropLast()) && dropped.notes.last == .droppedWindows(1))
        #expect(throws: RecordingSourceError.self) {
            try made(["1,2,a"], cut: windows(11, .dropped)).refuseNone(of: "r.wav")
        }
        #expect(throws: Never.self) { try dropped.refuseNone(of: "r.wav") }
    }

    @Test(arguments: [
        ("4,5,", ["0-3 a", "6-9 none"], 1), ("4,5", ["0-3 a"], 2), ("4,y,b", ["0-3 a"], 2),
        ("7.5,60,b", ["0-3 a", "3-6 none"], 1), ("-1,4,b", ["0-3 a", "6-9 none"], 1),
        // A time after the end of the recording is wrong: the call may be anywhere.
        ("12,13,b", ["0-3 a"], 2), ("1,2,a", ["0-3 a", "3-6 none", "6-9 none"], 0),
    ])
    func `a window is of no call only where all annotations of its recording are known`(
        row: String, shown: [String], undecided: Int
    ) throws {
        let rows = ["1,2,a", row]
        let kept = try made(rows, cut: windows(3, .kept(label: "none")))
        #expect(kept.shown.map { $0.replacing(".0", with: "") } == shown)
        #expect(kept.account.count(of: .windowsUndecided) == undecided)
        #expect(kept.account.count(of: .labelsMissing) == (row.hasSuffix(",") ? 1 : 0))
        let dropped = try made(rows, cut: windows(3, .dropped))
        #expect(dropped.shown.map { $0.replacing(".0", with: "") } == shown.filter { !$0.hasSuffix("none") })
        #expect(dropped.account.count(of: .windowsUndecided) == undecided)
        #expect(dropped.notes.contains(.droppedWindows(2 - undecided)) == (undecided < 2))
        let named = try made(rows, cut: windows(3, .kept(label: "none"))) { $0.label = "what" }
        #expect(named.account.count(of: .windowsUndecided) == (row.hasSuffix(",") ? 0 : undecided))
    }

    @Test func `a row that may be of a class is no example of its absence`() throws {
        let made = try made(
            ["1,2,POS,NEG", "4,5,NEG,UNK", "7,8,NEG,NEG"], header: "start,end,Q,R",
            cut: windows(3, .kept(label: "none")))
        #expect(made.shown == ["0.0-3.0 Q", "6.0-9.0 none"] && made.account.count(of: .windowsUndecided) == 1)
    }

    @Test func `an annotation without a label has a remark, except in a table without any`() throws {
        let some = try made(["1,2,a", "4,5,", "7,8,"])
        #expect(some.shown == ["1.0-2.0 a", "4.0-5.0 ", "7.0-8.0 "] && some.account.count(of: .labelsMissing) == 2)
        let none = try made(["1,2,,x", "4,5,,y"], header: "start,end,label,other")
        #expect(none.account.count(of: .labelsMissing) == 0 && none.account.count(of: .labelsNotFound) > 0)
    }

    @Test func `windows are of the channels that annotations name`() throws {
        let header = "start,end,label,channel"
        func channels(_ rows: [String], of channels: Int, row: Int? = nil) throws -> [Int?] {
            let clip = Clip(index: 0, id: "r", path: "r.wav", channel: row)
            return try made(
                rows, header: header, cut: windows(10, .kept(label: nil)), row: clip, channels: channels
            ).clips.map(\.channel)
        }
        #expect(try channels(["1,2,a,1", "3,4,b,0"], of: 2) == [0, 1])
        #expect(try channels(["1,2,a,1"], of: 2) == [1])
        #expect(try channels(["1,2,a,"], of: 2) == [nil])
        #expect(try channels(["1,2,a,0"], of: 1) == [nil])
        #expect(try channels(["1,2,a,1"], of: 2, row: 0) == [0])
    }

    // MARK: - Columns

    @Test func `every clip has a value for every column, and no two columns share a name`() throws {
        let row = Clip(index: 0, id: "r", path: "r.wav", split: "test", extra: ["north", "7"])
        let made = try made(
            ["1,2,a,5,100,0.5,x,y", "3,4,b,,,,z,"],
            header: "start,end,label,low_freq,high_freq,confidence,site,split", row: row,
            columns: ["site", "confidence"])
        #expect(
            made.columns == [
                "site", "low_frequency", "high_frequency", "confidence", "annotation_site", "annotation_split",
            ])
        #expect(made.clips.map(\.extra) == [["north", "5", "100", "0.5", "x", "y"], ["north", "", "", "", "z", ""]])
        #expect(made.clips.allSatisfy { $0.split == "test" && $0.extra.count == made.columns.count })
    }

    @Test func `a list of labels is text in CSV, where no label may hold the separator, and JSON in JSON Lines`() throws
    {
        let rows = ["1,2,a", "1.5,2,b|c"]
        let cut = windows(3, .dropped)
        let csv = try made(rows, cut: cut)
        guard case .inseparable("b|c")? = csv.problems?.problems.first?.kind, csv.problems?.problems.count == 1 else {
            Issue.record("\(csv.shownProblems)")
            return
        }
        let json = try made(rows, cut: cut, format: .jsonLines)
        #expect(json.problems == nil && json.jsonColumn == LabelList.column && json.labelCount == 2)
        #expect(json.clips.map(\.extra) == [[#"["a", "b|c"]"#]])
    }

    // MARK: - Problems

    @Test(arguments: [
        (["1,2,a,0.5", "1,2,a,0.5"], "3: repeated(line: 2)"), (["1,2,a,2"], "2: confidenceOutOfRange(2.0)"),
        (["1,2,a,"], "0: noConfidence(hasDistances: false)"), (["1,1,a,0.5"], "2: point"),
        (["11,12,a,0.5"], "2: startsLate(start: 11000000000, length: 10000000000)"),
    ])
    func `a problem of a row is a case with its data`(rows: [String], problem: String) throws {
        let made = try made(rows, header: "start,end,label,confidence", minimumConfidence: 0.1)
        #expect(made.shownProblems == [problem])
    }

    @Test func `a channel that the recording lacks is a problem, and one that the row lacks a remark`() throws {
        let header = "start,end,label,channel"
        let missing = try made(["1,2,a,2"], header: header, channels: 2)
        #expect(missing.shownProblems == [#"2: noSuchChannel(2, recording: "r.wav", channels: 2)"#])
        let row = Clip(index: 0, id: "r", path: "r.wav", channel: 0)
        let other = try made(["1,2,a,1", "3,4,b,0"], header: header, row: row, channels: 2)
        #expect(other.problems == nil && other.shown == ["3.0-4.0 b"])
        #expect(other.account.count(of: .annotationsUnused) == 1)
        #expect(try made(["1,2,a,2"], header: header, channels: 2) { $0.usesChannels = false }.problems == nil)
    }

    @Test func `detections below the minimum are left out, and those without a confidence are not`() throws {
        let made = try made(
            ["1,2,a,0.1", "2,3,b,0.5", "3,4,c,"], header: "start,end,label,confidence", minimumConfidence: 0.5)
        #expect(made.shown == ["2.0-3.0 b", "3.0-4.0 c"] && made.notes == [.belowConfidence(1)])
    }

    @Test func `a recording in several rows has its annotations' problems once in words`() throws {
        let folder = try AnnotatedFolder(["r.csv": "start,end,label\n8,9,b\n12,13,a\n11,12,a\n"])
        let parts = [(0.0, 5.0), (5.0, 10.0)].enumerated().map { index, part in
            Clip(index: index, id: "\(index)", path: "r.wav", segment: Segment(start: part.0, end: part.1))
        }
        let source = folder.source(parts)
        let made = ClipMaker(source, try folder.tables(of: source, ["r.csv"]), cut: .annotations(ClipRules())).clips()
        let problems = try #require(made.problems)
        #expect(made.shown == ["8.0-9.0 b"])
        let lines = "\(problems)".split(separator: "\n").dropFirst().map(String.init)
        #expect(lines.map { $0.contains("line 3") ? 3 : $0.contains("line 4") ? 4 : 0 } == [3, 4], "\(problems)")
        #expect(problems.account.count(of: .problemsSkipped) == 2)
    }

    @Test func `annotations that lie in no part, or over its edge, have a remark each`() throws {
        let row = Clip(index: 0, id: "r", path: "r.wav", segment: Segment(start: 2, end: 6))
        let made = try made(["0,1,a", "1,3,b", "3,4,c", "5,7,d", "8,9,e"], row: row)
        #expect(made.shown == ["2.0-3.0 b", "3.0-4.0 c", "5.0-6.0 d"])
        #expect(made.account.count(of: .annotationsUnused) == 2 && made.account.count(of: .endsCut) == 2)
    }
}
