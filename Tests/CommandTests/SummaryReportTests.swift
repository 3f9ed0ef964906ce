import FeatureModel
import Foundation
import Presentation
import TestSupport
import Testing

@testable import DatasetInspection
@testable import veery

struct SummaryReportTests {
    private static func lines(_ summary: DatasetSummary, _ style: ReportStyle = .plain) -> [String] {
        SummaryReport(summary: summary, style: style).text.components(separatedBy: "\n")
    }

    /// How the line begins that compares the most frequent label with the rarest.
    private static let imbalance = "  largest to smallest"

    private static func withoutCodes(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    /// Everything long, wide or out of bounds that a file may hold.
    private static func hostile() throws -> DatasetSummary {
        let long = String(repeating: "ein-langes-wort/", count: 300)
        return try SampleSummary.make(
            file: "/data/" + long + "features.h5",
            labels: [
                (long, 1_234_567), ("日本語のラベル、とても長いもの、とても長いもの、とても長いもの", 40_000),
                (String(repeating: "👩‍👩‍👧🇩🇪", count: 40), 2), ("\u{1B}[31m\nred\u{202E}", 3), ("", 1),
                (String(repeating: "e\u{301}", count: 200), 9),
            ],
            unlabelled: 12, splits: [(long, 5), ("train", 1_274_582)], durations: [0.01, 100_000, 3_000_000],
            failures: [
                .init(
                    stage: .open, kind: "is_folder", reason: long, pattern: long + " " + long, clips: 1_000_000,
                    examples: [long, long]),
                .init(stage: .decode, kind: "damaged", reason: "x", pattern: "日本 " + long, clips: 1, examples: [""]),
            ], extraColumns: [long, "note", "日本"])
    }

    @Test(arguments: [40, 60, 80, 81, 100, 132, 250])
    func `no line is wider than the terminal, for any content`(width: Int) throws {
        for summary in [try Self.hostile(), try SampleSummary.make(), try SampleSummary.make(labels: [], splits: [])] {
            for isUnicode in [true, false] {
                let plain = ReportStyle(width: width, isColored: false, isUnicode: isUnicode)
                let lines = Self.lines(summary, plain)
                for line in lines { #expect(line.columns <= width, "\(line.columns): \(line)") }
                #expect(!lines.joined().contains("\u{1B}") && lines.last == "")
                let colored = SummaryReport(
                    summary: summary, style: ReportStyle(width: width, isColored: true, isUnicode: isUnicode)
                ).text
                #expect(colored.contains("\u{1B}[") && Self.withoutCodes(colored) == lines.joined(separator: "\n"))
            }
        }
    }

    @Test func `where the locale has ASCII alone, so has the report except for names`() throws {
        let style = ReportStyle(width: 80, isColored: false, isUnicode: false)
        let text = SummaryReport(summary: try SampleSummary.make(durations: [1, 1, 2, 5, 900]), style: style).text
        #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.contains("####"))
        #expect(text.contains("392 frames x 80 bins float32"))
    }

    @Test func `columns of numbers line up, and bars start in one column`() throws {
        let lines = Self.lines(
            try SampleSummary.make(labels: [("日本語", 1000), ("owl", 20), ("e\u{301}té", 1)], splits: []))
        let first = try #require(lines.firstIndex { $0.hasPrefix("  Labels (3)") })
        let rows = lines[first + 1...first + 3]
        #expect(rows.map { $0.split(separator: " ").first } == ["日本語", "owl", "e\u{301}té"])
        let starts = rows.map { row in row.prefix { !"█▏▎▍▌▋▊▉".contains($0) }.reduce(0) { $0 + $1.columns } }
        #expect(Set(starts).count == 1 && starts[0] > 30)
        #expect(rows[rows.startIndex].hasSuffix(String(repeating: "█", count: 24)))
        #expect(rows[rows.startIndex + 2].hasSuffix("  ▏"))
    }

    @Test func `largest labels come first; of thousands the others are one line that counts them`() throws {
        // 16 of 1000 and more; 1,980 with 3 to 41; four with one or two.
        var labels = (0..<16).map { ("big\($0)", 1000 + $0) }
        labels += (0..<1980).map { ("mid\($0)", $0 == 0 ? 3 : $0 == 1 ? 41 : 12) }
        labels += [("small0", 2), ("small1", 2), ("small2", 1), ("small3", 1)]
        var random = RandomSource(seed: 1)
        labels.shuffle(using: &random)
        let lines = Self.lines(try SampleSummary.make(labels: labels))
        let first = try #require(lines.firstIndex { $0.hasPrefix("  Labels (2,000)") })
        #expect(lines[first + 1].hasPrefix("  big15 ") && lines[first + 16].hasPrefix("  big0 "))
        #expect(lines[first + 17] == "  … and 1,980 more with 3 to 41 clips, median 12")
        #expect(lines[first + 18].hasPrefix("  small") && lines[first + 21].hasPrefix("  small"))
        #expect(lines[first + 22].hasPrefix("\(Self.imbalance) 1,015 : 1 (big15 1,015, small"))
        #expect(lines.count < 70)
        let equal = (0..<50).map { ("l\($0)", 7) }
        let text = SummaryReport(summary: try SampleSummary.make(labels: equal)).text
        #expect(text.contains("\n  … and 30 more with 7 clips each\n") && text.contains("\(Self.imbalance) 1 : 1\n"))
        let order = text.components(separatedBy: "\n").filter { $0.hasPrefix("  l") }.prefix(16)
        #expect(order.map { $0.split(separator: " ").first } == (0..<16).map { "l\($0)" })
    }

    @Test func `clips without a label or a split have a row with all numbers, so that columns add up to the file`()
        throws
    {
        let summary = try SampleSummary.make(
            labels: [("owl", 3)], unlabelled: 2, splits: [("train", 4)], withoutSplit: 1)
        let rows = Self.lines(summary).filter { $0.hasPrefix("  (none)") }
        #expect(
            rows.map { $0.split(separator: " ").prefix(5) } == [
                ["(none)", "2", "196", "2.00", "s"], ["(none)", "1", "98", "1.00", "s"],
            ])
        let narrow = Self.lines(summary, ReportStyle(width: 40, isColored: false, isUnicode: true))
        #expect(narrow.contains { $0.hasPrefix("  (none)") && $0.contains("2  2.00 s") })
        #expect(try !Self.lines(SampleSummary.make()).contains { $0.contains("(none)") })
    }

    @Test func `an imbalance names both ends; labels without clips are counted`() throws {
        func text(_ labels: [(String, Int)]) throws -> String {
            SummaryReport(summary: try SampleSummary.make(labels: labels, splits: [])).text
        }
        for (labels, words) in [
            ([("a", 25), ("b", 10)], "2.5 : 1 (a 25, b 10)"), ([("a", 5000), ("b", 4)], "1,250 : 1 (a 5,000, b 4)"),
            ([("a", 5), ("b", 5), ("c", 0)], "1 : 1; without clips: 1"),
        ] {
            #expect(try text(labels).contains("\n\(Self.imbalance) \(words)\n"))
        }
        #expect(try !text([("a", 5)]).contains(Self.imbalance))
        let style = ReportStyle(width: 80, isColored: true, isUnicode: true)
        let mild = SummaryReport(summary: try SampleSummary.make(labels: [("a", 99), ("b", 10)]), style: style).text
        let strong = SummaryReport(summary: try SampleSummary.make(labels: [("a", 100), ("b", 10)]), style: style).text
        #expect(!mild.contains("\u{1B}[33m") && strong.contains("\u{1B}[33m\(Self.imbalance) 10 : 1"))
    }

    @Test func `lengths have a curve between the shortest and the longest`() throws {
        let steps = (0...20).map { (step: Int) -> Double in 1.02 + Double(step) / 20 }
        let even = try SampleSummary.make(durations: steps + [2.03])
        let curve = String(repeating: "▅", count: 20) + "█"
        #expect(Self.lines(even).contains("                1.02 s \(curve) 2.03 s"))
        let wide = try SampleSummary.make(durations: [0.1] + Array(repeating: 1, count: 8) + [10])
        let line = try #require(Self.lines(wide).first { $0.hasSuffix("10.00 s, log scale") })
        #expect(line.hasPrefix("                0.100 s ▂") && line.contains("  █  ") && line.contains("▂ 10.00 s"))
        let equal = try SampleSummary.make(durations: [2, 2, 2, 2])
        #expect(Self.lines(equal).contains("Durations       2.00 s each, total 8.00 s"))
        #expect(!SummaryReport(summary: equal).text.contains("█ 2.00 s"))
        let one = try SampleSummary.make(labels: [("owl", 1)], splits: [("train", 1)], durations: [2])
        #expect(Self.lines(one).contains("Durations       2.00 s"))
    }

    @Test func `what a file has none of is shown as none`() throws {
        let text = try SummaryReport(summary: SampleSummary.make(labels: [], splits: [], durations: [])).text
        for name in ["Durations", "Recordings", "Labels", "Splits", "Failures"] {
            #expect(text.contains("\n\(name.padding(toLength: 16, withPad: " ", startingAt: 0))none\n"), "\(name)")
        }
        #expect(try !SummaryReport(summary: SampleSummary.make()).text.contains("Labels          none"))
    }

    @Test func `clips that were cropped or padded are reported, in either layout`() throws {
        var common = CommonLength(seconds: 1)
        for duration in [0.5, 1, 1.00001, 1.5, 2] { common.add(duration: duration, sampleRate: 16_000) }
        #expect(common.shorter == 1 && common.longer == 2)
        let packed = SummaryReport(summary: try SampleSummary.make(commonLength: common)).text
        let cropped = "Stored          1.00 s of each clip, 2 longer ones cropped,"
        #expect(packed.contains("\n\(cropped)\n"))
        #expect(packed.contains("\n                1 shorter ones padded with zeros\n"))
        let fixed = Self.lines(try SampleSummary.make(frames: 98, commonLength: common))
        #expect(fixed.contains(cropped))
        #expect(fixed.contains("                1 shorter ones with fewer frames"))
        #expect(fixed.contains("Tensor          4 clips × 98 frames × 80 bins float32, packed, 123.5 MB"))
    }

    @Test func `the means over the bins are a curve with its ends`() throws {
        let lines = Self.lines(try SampleSummary.make(means: (0..<8).map { Double($0) - 4 }))
        #expect(lines.contains("  mean -4 ▁▂▃▄▅▆▇█ 3") && lines.contains("  std   1 ▁▁▁▁▁▁▁▁ 1"))
        let many = Self.lines(try SampleSummary.make(means: (0..<513).map { sin(Double($0) / 50) }))
        let curve = try #require(many.first { $0.hasPrefix("  mean") })
        #expect(curve.count { "▁▂▃▄▅▆▇█".contains($0) } == 48)
        #expect(Self.lines(try SampleSummary.make(means: [1, .nan, 3])).contains { $0.contains("▁?█") })
    }

    @Test func `failures are grouped with the range of their numbers and some examples`() throws {
        let group = DatasetSummary.FailureGroup(
            stage: .condition, kind: "other_rate", reason: "one", pattern: "some 8000 to 44100 Hz", clips: 1200,
            examples: ["a", "b", "c", "d", "e"])
        let one = DatasetSummary.FailureGroup(
            stage: .open, kind: "is_folder", reason: "gone", pattern: "gone", clips: 1, examples: ["z"])
        let text = SummaryReport(summary: try SampleSummary.make(failures: [group, one])).text
        #expect(
            text.contains(
                """

                Failures (1,201)
                  1,200  condition: some 8000 to 44100 Hz
                         first: a, b, c
                      1  open: gone
                         z

                """))
        let other = DatasetSummary.FailureGroup(
            stage: .condition, kind: "other_rate", reason: "words", pattern: "words", clips: 34, examples: ["x", "y"])
        // Reasons of one kind that differ in more than numbers are under the kind's own line.
        #expect(
            SummaryReport(summary: try SampleSummary.make(failures: [group, other, one])).text.contains(
                """

                Failures (1,235)
                  1,234  condition: other_rate
                         1,200  some 8000 to 44100 Hz
                                first: a, b, c
                            34  words
                                first: x, y
                      1  open: gone
                         z

                """))
        #expect(SummaryReport(summary: try SampleSummary.make()).text.contains("\nFailures        none\n"))
        let many = (0..<25).map {
            DatasetSummary.FailureGroup(
                stage: .open, kind: "is_folder", reason: "r", pattern: "r\($0)", clips: 1, examples: ["e"])
        }
        #expect(
            SummaryReport(summary: try SampleSummary.make(failures: many)).text.contains(
                "\n  … and 5 more reasons: see --json\n"))
    }
}
