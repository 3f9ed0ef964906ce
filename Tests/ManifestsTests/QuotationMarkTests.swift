import FeatureModel
import TestSupport
import Testing

@testable import Manifests

/// No row vanishes, whatever quotation marks the fields hold.
struct QuotationMarkTests {
    /// Written as Common Voice writes its tables: tabs, no quoting, sentences as people typed them.
    private static let commonVoice = """
        client_id\tpath\tsentence_id\tsentence\tup_votes\tdown_votes\tage\tgender\taccents
        8f1c\tcommon_voice_en_1.mp3\t0a\tShe said "no".\t2\t0\ttwenties\tfemale\t
        8f1c\tcommon_voice_en_2.mp3\t0b\t"Never," she said\t2\t0\ttwenties\tfemale\t
        77ab\tcommon_voice_en_3.mp3\t0c\tand left, shouting "never again"\t3\t1\t\t\tEngland "RP"
        77ab\tcommon_voice_en_4.mp3\t0d\t"It's," he whispered, "over."\t2\t0\t\t\t
        5d00\tcommon_voice_en_5.mp3\t0e\t"\t2\t0\t\t\t
        5d00\tcommon_voice_en_6.mp3\t0f\tSix inches (6") and a quote: "\t2\t0\t\t\t

        """

    @Test func `a table as Common Voice's keeps every row and every quotation mark`() throws {
        let manifest = try scan(Self.commonVoice, .tsv)
        #expect(manifest.account.isEmpty)
        let clips = try clips(Self.commonVoice, .tsv)
        #expect(clips.map(\.path) == (1...6).map { "common_voice_en_\($0).mp3" })
        let sentence = try #require(manifest.extraColumns.firstIndex(of: "sentence"))
        #expect(
            clips.map { $0.extra[sentence] } == [
                "She said \"no\".", "\"Never,\" she said", "and left, shouting \"never again\"",
                "\"It's,\" he whispered, \"over.\"", "\"", "Six inches (6\") and a quote: \"",
            ])
        // With the line ends of Windows, and with CSV's quoting, which refuses it.
        #expect(try self.clips(Self.commonVoice.replacing("\n", with: "\r\n")) == clips)
        #expect(!problems(Self.commonVoice, .quotedTSV).isEmpty)
    }

    private func clips(_ text: String) throws -> [Clip] { try ManifestsTests.clips(text, .tsv) }
    private func clips(_ text: String, _ format: ManifestFormat) throws -> [Clip] {
        try ManifestsTests.clips(text, format)
    }

    @Test
    func `three rows of which the first and the last hold one quotation mark are three clips, or a refusal with lines`()
        throws
    {
        let rows = [["path", "label"], ["a.wav", "\"x"], ["b.wav", "y"], ["c.wav", "z\""]]
        let tsv = rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
        #expect(try clips(tsv, .tsv).map(\.label) == ["\"x", "y", "z\""])
        for (separator, format) in [("\t", ManifestFormat.quotedTSV), (",", .csv)] {
            let found = problems(rows.map { $0.joined(separator: separator) }.joined(separator: "\n"), format)
            #expect(found.map(\.line) == [2])
            let text = try #require(found.first?.text)
            #expect(text.contains("line 3 \(RowSentence.innerRow) (2 fields, as in the header)"), "\(text)")
            #expect(text.contains("write the manifest as JSON Lines"))
            #expect(text.contains("--quoting literal") == (format == .quotedTSV))
        }
    }

    @Test(arguments: [ManifestFormat.csv, .quotedTSV, .tsv], 1...40)
    func `rows of one line each are as many clips, or refused, wherever quotation marks are`(
        format: ManifestFormat, seed: UInt64
    ) throws {
        var random = RandomSource(seed: seed)
        let pieces = ["a", "b", "\"", "\"", "\"\"", " ", "c"]
        let delimiter = format == .csv ? "," : "\t"
        for _ in 0..<50 {
            let columns = Int.random(in: 1...4, using: &random)
            let header = (["path"] + (1..<max(columns, 1)).map { "x\($0)" }).shuffled(using: &random)
            let count = Int.random(in: 1...6, using: &random)
            let lines = (0..<count).map { row in
                header.map { name in
                    let text = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        pieces.randomElement(using: &random) ?? ""
                    }.joined()
                    return name == "path" ? text + "\(row)" + (Bool.random(using: &random) ? "\"" : "") : text
                }.joined(separator: delimiter)
            }
            let text = ([header.joined(separator: delimiter)] + lines).joined(separator: "\n") + "\n"
            let refusal = refusal(text, format)
            if format == .tsv { #expect(refusal == nil, "\(text)") }
            guard refusal == nil else { continue }
            #expect(try clips(text, format).count == count, "\(text)")
        }
    }

    @Test func `a header whose quoted name takes in rows is refused`() throws {
        guard case .badHeader(_, line: 1, let text)? = refusal("path,\"label\na.wav,x\nb.wav,y\"\nc.wav,z\n") else {
            Issue.record("another error")
            return
        }
        #expect("\(text)".contains("line 2 \(RowSentence.innerRow)"), "\(text)")
    }

    @Test func `fields that span lines are read where no line in them looks like a row`() throws {
        let text = "note,path,label\n\"hello\nworld\",a.wav,x\n\"1\n\n2, 3\n\",b.wav,\"y\nz\"\n"
        #expect(try clips(text, .csv).map(\.extra) == [["hello\nworld"], ["1\n\n2, 3\n"]])
        #expect(try clips("path\n\"a.wav\"\n\"b\"\".wav\"\n", .csv).count == 2)
    }

    @Test func `fields of a literal TSV that look quoted as in CSV are kept, with a warning that says what to do`()
        throws
    {
        let text = "path\tlabel\tnote\n\"a.wav\"\tx\t\"say \"\"hi\"\"\"\nb.wav\t\"y\"\t\"a\" b \"c\"\n"
        let manifest = try scan(text, .tsv)
        let remark = try #require(manifest.account.remarks.first)
        #expect(remark.kind == .quotesKept && remark.count == 2 && remark.first == ["'\"a.wav\"' (line 2)"])
        #expect(try clips(text, .tsv).map(\.path) == ["\"a.wav\"", "b.wav"])
        try expectRefusal("\"path\"\t\"label\"\n\"a.wav\"\t\"x\"\n", .tsv) {
            .missingPathColumn(path: $0, columns: ["\"path\"", "\"label\""], suggestion: "\"path\"")
        }
        let broken = problems("path\tlabel\na.wav\t\"two\nlines\"\n", .tsv)
        #expect(broken.map(\.line) == [3] && broken.first?.text.contains(RowSentence.quotingCSV) == true, "\(broken)")
        let wide = problems("path\tlabel\na.wav\ttwo\ttabs\n", .tsv)
        #expect(wide.first?.text.hasSuffix("a field of a TSV cannot hold a tab") == true, "\(wide)")
    }
}
