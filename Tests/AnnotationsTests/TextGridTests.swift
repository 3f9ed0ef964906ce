import Testing

@testable import Annotations

struct TextGridTests {
    private static let head = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"

    private static func short(_ tiers: [(String, String, [String])]) -> String {
        head + "0\n2\n<exists>\n\(tiers.count)\n"
            + tiers.map { "\"\($0)\"\n\"\($1)\"\n0\n2\n\($2.count)\n" + $2.joined(separator: "\n") }.joined(
                separator: "\n")
    }

    @Test func `the short form, with quotation marks, comments, and line ends in texts`() throws {
        let text = Self.short([
            ("IntervalTier", "w", ["0 1 \"a \"\"b\"\"\" ! a comment \"x\"", "1 1.5 \"  \"", "1.5 2 \" c\n \""])
        ])
        let found = try content(text, name: "a.TextGrid")
        #expect(found.kind == .textGrid && found.content.problems.isEmpty)
        #expect(found.content.shownRows == ["0.0-1.0 a \"b\" [\"w\"]", "1.5-2.0 c [\"w\"]"])
        #expect(found.content.rows.map(\.line) == [13, 15])
    }

    @Test func `of several tiers, one is chosen, by name or by number`() throws {
        let text = Self.short([
            ("IntervalTier", "w", ["0 2 \"x\""]), ("TextTier", "p", ["0.5 \"120\"", "1 \"\""]),
            ("IntervalTier", "w", ["0 1 \"y\""]),
        ])
        let open = try content(text).content
        #expect(
            open.shownProblems == [
                "-: expected one tier, found 3: #1 'w' (1 interval), #2 'p' (2 points), #3 'w' (1 interval); choose one with"
                    + " --tier, by its name or as '#1'"
            ])
        #expect(try content(text) { $0.tier = "p" }.content.shownRows == ["0.5-0.5 120 [\"p\"]"])
        #expect(try content(text) { $0.tier = "#3" }.content.shownRows == ["0.0-1.0 y [\"w\"]"])
        let shared = try content(text) { $0.tier = "w" }.content
        #expect(shared.shownProblems[0].contains("2 tiers are named 'w'") && shared.rows.isEmpty)
        let unknown = try content(text) { $0.tier = "#4" }.content
        #expect(unknown.shownProblems[0].contains("there is no tier '#4'; the tiers are: #1 'w'"))
    }

    @Test func `damage is reported with its line; an interval that ends before it starts is one of several problems`()
        throws
    {
        let whole = Self.short([("IntervalTier", "w", ["0 1 \"a\"", "1 2 \"b\""])])
        let cut = try content(String(whole.dropLast(4))).content
        #expect(cut.shownProblems[0].contains("expected the text of an interval, found the end of the file"))
        let swapped = try content(Self.short([("IntervalTier", "w", ["1 0 \"a\"", "2 1 \"b\"", "1 2 \"c\""])])).content
        #expect(swapped.problems.map(\.line) == [13, 14] && swapped.shownRows == ["1.0-2.0 c [\"w\"]"])
        for (old, new) in [("<exists>", "<absent>"), ("IntervalTier", "Spline"), ("\n2\n0 1", "\n99999999999999\n0 1")]
        {
            let damaged = try content(whole.replacing(old, with: new)).content
            #expect(damaged.problems.count == 1 && damaged.rows.isEmpty, "\(damaged.shownProblems)")
        }
    }

    @Test(arguments: ["0 1 \"x\" y\"", "0 1 \"x\"y\"", "0 1 =\"x\""])
    func `a quotation mark that is not doubled is reported, not skipped with its word`(entry: String) throws {
        let found = try content(Self.short([("IntervalTier", "w", [entry, "1 2 \"z\""])])).content
        #expect(found.rows.isEmpty && found.problems.map(\.line) == [13], "\(found.shownProblems)")
        #expect(found.shownProblems[0].hasSuffix("; quotation marks inside a text are doubled"))
    }

    @Test func `any prefix of a file is read or refused`() throws {
        let whole = Array(Self.short([("IntervalTier", "w", ["0 1 \"a\""]), ("TextTier", "p", ["1 \"b\""])]).utf8)
        for length in whole.indices where length > 60 {
            let document = AnnotationDocument(path: "a.TextGrid", bytes: Array(whole[..<length]))
            let table = try AnnotationTable(document: document, options: AnnotationOptions())
            #expect(!table.content.problems.isEmpty)
        }
    }
}
