import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Manifests

struct DelimitedRowTests {
    @Test func `quoted fields hold delimiters, quotation marks and line ends`() throws {
        let text = "path,label,note\n\"a,b.wav\",\"say \"\"hi\"\"\",\"two\r\nlines\"\n\"\",x,y\n".replacing(
            "\"\",x,y\n", with: "")
        let clip = try #require(try clips(text).first)
        #expect(clip.path == "a,b.wav")
        #expect(clip.label == "say \"hi\"")
        #expect(clip.extra == ["two\r\nlines"])
    }

    @Test(arguments: [
        "path,label\na.wav,x\nb.wav,y\n", "path,label\r\na.wav,x\r\nb.wav,y\r\n", "path,label\na.wav,x\r\nb.wav,y",
        "\u{FEFF}path,label\na.wav,x\nb.wav,y\n", "\u{FEFF}\u{FEFF}path,label\na.wav,x\nb.wav,y\n",
        "\n\r\npath,label\n\n\na.wav,x\n\r\nb.wav,y\n\n\r\n",
        "\"path\",\"label\"\n\"a.wav\",\"x\"\n\"b.wav\",\"y\"",
    ])
    func `line ends, byte order mark and blank lines make no difference`(text: String) throws {
        let expected = [
            Clip(index: 0, id: "a", path: "a.wav", label: "x"), Clip(index: 1, id: "b", path: "b.wav", label: "y"),
        ]
        #expect(try clips(text) == expected)
        #expect(try clips(text.replacing(",", with: "\t"), .quotedTSV) == expected)
        guard !text.contains("\"") else { return }
        #expect(try clips(text.replacing(",", with: "\t"), .tsv) == expected)
    }

    @Test func `blanks, apostrophes and equals signs belong to a field; blanks around the name of a column do not`()
        throws
    {
        let clip = try #require(try clips("path,label, note\n'=a b'.wav, x ,y\n").first)
        #expect(clip.path == "'=a b'.wav")
        #expect(clip.label == " x ")
        #expect(try scan("path, note\na,b\n").extraColumns == ["note"])
    }

    @Test func `a row's line is the physical one on which it begins, after fields with line ends and blank lines`() {
        let text = "path,note\n\na.wav,\"1\n2\n\n3\"\r\n\r\nb.wav\nc.wav,x\n\"d\n.wav\"\n"
        #expect(problems(text).map(\.line) == [8, 10])
    }

    @Test(arguments: [
        (
            "b.wav,x,y",
            TableSentence.fields("3 fields", header: 2)
                + "; a field that holds the delimiter has to be in quotation marks"
        ),
        ("b.wav", TableSentence.fields("1 field", header: 2)),
        ("b\"b.wav,x", "a quotation mark inside the unquoted field 1"),
        ("b.wav,12\"", "a quotation mark inside the unquoted field 2"),
        ("\"b\".wav,x", "text after the closing quotation mark of field 1"),
        ("b.wav,\"x\" ", "text after the closing quotation mark of field 2"),
        ("b\rb.wav,x", RowSentence.carriageReturn),
        ("\rb.wav,x", RowSentence.carriageReturn),
        ("b\0.wav,x", RowSentence.nul), (",x", RowSentence.emptyPath), ("\"\",x", RowSentence.emptyPath),
    ])
    func `a row that is not well-formed is refused with its line, and the rows after it are still read`(
        row: String, text: String
    ) {
        let found = problems("path,label\na.wav,x\n\(row)\nc.wav\n")
        #expect(found.map(\.line) == [3, 4])
        #expect(found.first?.text.hasPrefix(text) == true, "\(found)")
    }

    @Test func `a quotation mark that is never closed is refused with the line that opens it`() {
        let found = problems("path,label\na.wav,x\nb.wav,\"x\nc.wav,y\n")
        #expect(
            found == [ShownProblem(line: 3, text: "the quotation mark that opens field 2 in line 3 is never closed")])
    }

    @Test func `a quotation mark that is never closed does not take the whole file into memory`() {
        let rows = (0..<200_000).map { "clip\($0).wav,x\n" }.joined()
        let found = problems("path,label\n\"" + rows)
        #expect(found.count == 1 && found.first?.line == 2)
        #expect(found.first?.text.contains("is the quotation mark in line 2 never closed?") == true)
        #expect(problems("path,label\n" + String(repeating: ",", count: 3_000_000) + "\nx").map(\.line) == [2, 3])
    }

    @Test
    func `bytes that are neither UTF-8 nor Windows-1252 are refused, even where two fields would be valid together`() {
        let latin1 = problems(bytes: Array("path,label\na.wav,gr".utf8) + [0xFC] + Array("n\nb.wav,ü\n".utf8))
        #expect(latin1.map(\.line) == [2])
        #expect(latin1.first?.text.contains("field 2 is not valid UTF-8; is the file Latin-1") == true)
        #expect(problems(bytes: Array("path,label\na".utf8) + [0xC3, 0x2C, 0x81, 0x0A]).map(\.line) == [2])
    }

    @Test(arguments: ["gr\u{FC}n", "\u{20AC}"])
    func `a manifest in Windows-1252 is read, with a remark`(label: String) throws {
        let letter: UInt8 = label == "\u{20AC}" ? 0x80 : 0xFC
        let bytes = label.unicodeScalars.map { $0.value < 0x80 ? UInt8($0.value) : letter }
        let header = Array("path,label,gr".utf8) + [0xFC] + Array("n\n".utf8)
        let text = header + Array("a.wav,".utf8) + bytes + Array(",1\nb.wav,x,2\n".utf8)
        let manifest = try scan(bytes: text)
        #expect(Set(manifest.labels) == [label, "x"])
        #expect(manifest.extraColumns == ["gr\u{FC}n"] && manifest.byteCount == text.count)
        #expect(manifest.account.count(of: .encodingsAssumed) == 1)
    }

    @Test func `a table in Windows-1252 is read from its first letter on, with a remark`() throws {
        let folder = try TemporaryFolder()
        let rows = "Datei;Art\na.wav;Amsel\nb.wav;Kr\u{E4}he\nc.wav;Star\n"
        try Data(rows.unicodeScalars.map { UInt8($0.value) }).write(to: folder.url.appending(path: "t.csv"))
        let table = try TableReader(path: folder.path("t.csv"))
        var found: [String] = []
        while try table.next() { found.append("\(table.line) \(table["Art"] ?? "")") }
        #expect(found == ["2 Amsel", "3 Kr\u{E4}he", "4 Star"])
        var account = Account()
        table.report(to: &account, source: "t.csv")
        #expect(account.count(of: .encodingsAssumed) == 1)
    }

    @Test(arguments: [[0x3D, 0xD8], [0x26, 0xDC], [0x61]] as [[UInt8]])
    func `half a surrogate pair and an odd byte of UTF-16 are damage, not another encoding`(broken: [UInt8]) {
        let text = "path,label\na.wav,x".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let found = problems(bytes: [0xFF, 0xFE] + text + broken)
        #expect(found.map(\.line) == [2])
        #expect(found.first?.text.hasPrefix("field 2 has half of a character in UTF-16: ") == true, "\(found)")
    }

    @Test func `a character in two halves that is not from UTF-16 is another encoding`() {
        let found = problems(bytes: Array("path,label\na.wav,".utf8) + [0xED, 0xA0, 0xBD, 0xED, 0xB0, 0xA6, 0x0A])
        #expect(found.map(\.line) == [2])
        #expect(found.first?.text.hasPrefix("field 2 is not valid UTF-8; is the file Latin-1") == true, "\(found)")
    }

    @Test(arguments: [[0xFF], [0xFE], [0xFF, 0xFF]] as [[UInt8]])
    func `bytes that are rather damage than letters are not taken for Windows-1252`(stray: [UInt8]) throws {
        let text = Array("path,label\na.wav,x".utf8) + stray + Array("y\n".utf8)
        let found = problems(bytes: text)
        #expect(found.first?.text.hasPrefix("field 2 is not valid UTF-8; is the file Latin-1") == true, "\(found)")
        let other = try scan(bytes: text + Array("b.wav,gr".utf8) + [0xFC, 0x6E, 0x0A])
        #expect(Set(other.labels).contains("gr\u{FC}n"))
        #expect(try rowsInOtherEncoding(text) == [true])
    }

    /// `Ü€` in Windows-1252 is a letter in UTF-8.
    @Test(arguments: [20, 21])
    func `two bytes that are a letter in UTF-8 by chance may be Windows-1252`(others: Int) throws {
        let letters = [UInt8](repeating: 0xFC, count: others)
        let rows = Array("path,label\na.wav,".utf8) + letters + Array("\nb.wav,".utf8) + [0xDC, 0x80, 0x0A]
        guard others > 20 else {
            #expect(problems(bytes: rows).map(\.line) == [2])
            return
        }
        let labels = try scan(bytes: rows).labels
        #expect(Set(labels) == [String(repeating: "\u{FC}", count: others), "\u{DC}\u{20AC}"])
    }

    @Test func `a table is not read as Windows-1252 after a row whose letters were UTF-8`() throws {
        let letters = [UInt8](repeating: 0xFC, count: 100)
        let rows = Array("path,label\na.wav,".utf8) + [0xDC, 0x80] + Array("\nb.wav,".utf8) + letters + [0x0A]
        #expect(try rowsInOtherEncoding(rows) == [false, true])
    }

    /// Which rows of a table are refused as text in another encoding.
    private func rowsInOtherEncoding(_ bytes: [UInt8]) throws -> [Bool] {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: folder.url.appending(path: "t.csv"))
        let table = try TableReader(path: folder.path("t.csv"))
        var found: [Bool] = []
        while try table.next() { found.append(table.isInOtherEncoding) }
        return withExtendedLifetime(folder) { found }
    }

    private static let tabs = HeaderDelimiter(byte: UInt8(ascii: "\t"), name: "tabs", format: .tsv)
    private static let bars = HeaderDelimiter(byte: UInt8(ascii: "|"), name: "'|'", format: nil)

    @Test func `a header that cannot be used is refused`() throws {
        let refused: [(String, (String) -> ManifestError)] = [
            ("id,label\na,b\n", { .missingPathColumn(path: $0, columns: ["id", "label"], suggestion: nil) }),
            ("label,pathh\na,b\n", { .missingPathColumn(path: $0, columns: ["label", "pathh"], suggestion: "pathh") }),
            ("Path,Path\na,b\n", { .duplicateColumn(path: $0, name: "Path") }),
            ("path\tlabel\na\tb\n", { .otherDelimiter(path: $0, found: Self.tabs, format: .csv) }),
            ("path|label\na|b\n", { .otherDelimiter(path: $0, found: Self.bars, format: .csv) }),
            ("path,x,x\na,b,c\n", { .duplicateColumn(path: $0, name: "x") }),
            ("path,path\na,b\n", { .duplicateColumn(path: $0, name: "path") }),
            (",path\n0,a\n", { .unnamedColumn(path: $0, position: 1) }), ("path,label\n", { .noRows(path: $0) }),
            ("\n\n", { .empty(path: $0) }), ("", { .empty(path: $0) }),
        ]
        for (text, error) in refused { try expectRefusal(text, with: error) }
    }

    @Test func `a header that cannot be read is refused with its line`() {
        guard case .badHeader(_, line: 1, _)? = refusal("path,\"x\n") else {
            Issue.record("another error")
            return
        }
    }

    @Test(arguments: ["file,label", "filename,label", "Wav,label", "audio,LABEL", "audio_filepath, label"])
    func `the column of paths may have another of the names that people give it`(header: String) throws {
        #expect(try clips(header + "\na.wav,x\n").map { [$0.path, $0.label] } == [["a.wav", "x"]])
        let semicolons = (header + "\na.wav,x\n").replacing(",", with: ";")
        #expect(try clips(semicolons).map { [$0.path, $0.label] } == [["a.wav", "x"]])
    }

    @Test
    func `a known column may be written in capitals or with blanks, unless another one is written as it is known`()
        throws
    {
        let manifest = try scan(" Path ,LABEL\na.wav,x\n")
        #expect(manifest.hasLabelColumn && manifest.extraColumns == [] && manifest.account.isEmpty)
        let both = try scan("path,Label,label\na.wav,x,y\n")
        #expect(both.extraColumns == ["Label"] && both.labels == ["y"])
        #expect(both.account.count(of: .columnsChosen) == 1 && both.account.remarks.count == 1)
        let lines = try scan("{\"path\":\"a.wav\",\"Label\":\"x\"}\n", .jsonLines)
        #expect(lines.extraColumns == ["Label"] && lines.account.count(of: .columnsMisspelt) == 1)
    }

    @Test func `between semicolons a number may have a decimal comma, and only there`() throws {
        let clips = try clips("path;start;end\na.wav;0,5;1.25\n")
        #expect(clips.first?.segment == Segment(start: 0.5, end: 1.25))
        #expect(problems("path,start\na.wav,\"0,5\"\n").first?.text.contains(RowSentence.decimalPoint) == true)
        #expect(problems("path;start\na.wav;1,000,5\n").map(\.line) == [2])
    }

    @Test func `points that may group digits are an error where other numbers have a decimal comma`() throws {
        #expect(try clips("path;start\na.wav;1.234,5\n").first?.segment == Segment(start: 1234.5, end: nil))
        let table = "path;start;end\na.wav;2.000;4.000\nb.wav;0,5;7,25\n"
        #expect(problems(table).map(\.line) == [2])
        #expect(problems(table).first?.text.contains("start is '2.000'") == true)
        // A point is decimal in 0.512 and in 7.25; where there is no comma, nothing says otherwise.
        for other in ["0.512", "7.25"] {
            let clips = try clips(table + "c.wav;\(other);8\n")
            #expect(clips.first?.segment == Segment(start: 2, end: 4))
        }
        #expect(try clips("path;start\na.wav;2.000\n").first?.segment == Segment(start: 2, end: nil))
    }
}
