import Testing

@testable import Annotations

struct BirdsongTests {
    private func sequence(
        _ notes: String, name: String = "<WaveFileName>0.wav</WaveFileName>", at position: String = "1000"
    )
        -> String
    { "<Sequence>\(name)<Position>\(position)</Position><Length>9</Length>\(notes)</Sequence>" }

    private func note(_ position: String, _ length: String, _ label: String = "a") -> String {
        "<Note><Position>\(position)</Position><Length>\(length)</Length><Label>\(label)</Label></Note>"
    }

    private func xml(_ body: String, head: String = "<?xml version='1.0'?>") throws -> AnnotationContent {
        try content("\(head)\n<Sequences>\n\(body)\n</Sequences>", name: "Annotation.xml").content
    }

    @Test func `a note's position counts from its sequence's, in samples`() throws {
        let found = try xml(
            sequence(note("500", "250") + note("750", "250", "b &lt; c")) + sequence(note("0", "1"), at: "9000"))
        #expect(found.problems.isEmpty && found.rows.allSatisfy { $0.times.seconds == nil })
        #expect(
            found.shownRows == [
                "1.5-1.75 a in 0.wav [\"0\"]", "1.75-2.0 b < c in 0.wav [\"0\"]", "9.0-9.001 a in 0.wav [\"1\"]",
            ])
        #expect(found.rows[0].annotation(rate: nil) == nil)
    }

    @Test func `all problems of valid XML are reported`() throws {
        let found = try xml(
            sequence(note("x", "250")) + "\n" + sequence(note("1", "-5") + note("1", "2"), name: "") + "\n"
                + sequence("<Note><Length>5</Length></Note>" + note("1", "-5")))
        #expect(
            found.shownProblems == [
                "3: sequence 1: Position is 'x'; expected a whole number of samples",
                "4: sequence 2: the sequence has no WaveFileName", "5: sequence 3: note 1 has no Position",
                "5: sequence 3: note 2 has the Length -5.0; expected 0 or more samples",
            ])
    }

    @Test func `XML that is not well formed is refused with its line`() throws {
        let open = try xml(String(sequence(note("1", "2")).dropLast(11)))
        #expect(open.shownProblems[0].contains("it is not valid XML: mismatched tag") && open.rows.isEmpty)
        let other = try content("<?xml version='1.0'?>\n<eaf></eaf>", name: "a.xml", format: "birdsong").content
        #expect(other.shownProblems[0].contains("expected <Sequences>"))
        let empty = try content("<?xml version='1.0'?>", name: "a.xml", format: "birdsong").content
        #expect(empty.problems.count == 1)
    }

    @Test func `entities are never expanded`() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
            """
        let found = try xml(sequence(note("1", "2", "&d;&d;&d;")), head: bomb)
        #expect(found.shownProblems == ["1: it declares a document type; expected plain elements"])
        let file = try xml(
            sequence(note("1", "2", "&x;")), head: "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>")
        #expect(file.problems.count == 1 && file.rows.isEmpty)
        let deep = try content(
            "<Sequences>" + String(repeating: "<a>", count: 100_000), name: "Annotation.xml"
        ).content
        #expect(deep.shownProblems[0].contains("nested deeper than 64"))
    }
}
