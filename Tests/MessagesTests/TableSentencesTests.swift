import Annotations
import FileIO
import Messages
import Platform
import Testing

@testable import Manifests

/// The sentences about manifests and tables of annotations, each once.
struct TableSentencesTests {
    private static let tabs = HeaderDelimiter(byte: UInt8(ascii: "\t"), name: "tabs", format: .tsv)
    private static let bars = HeaderDelimiter(byte: UInt8(ascii: "|"), name: "'|'", format: nil)

    private static let manifests: [(ManifestError, String)] = [
        (.notFound(path: "m.csv"), "m.csv: there is no such file or folder; check the path"),
        (
            .isFolder(path: "m"),
            "m: is a folder; expected a manifest (CSV, TSV or JSON Lines), which 'veery crawl' makes from a folder"
        ),
        (
            .notRegularFile(path: "m.csv", kind: "a pipe"),
            "m.csv: is a pipe; a manifest is read twice, so it has to be a regular file, or '-' for standard input"
        ),
        (
            .systemError(path: "m.csv", operation: "create it", ENOENT),
            "m.csv: could not create it: \(SystemError(code: ENOENT))"
        ),
        (.empty(path: "m.csv"), "m.csv: is empty; expected a manifest with a column 'path' and a row for every clip"),
        (.noRows(path: "m.csv"), "m.csv: has a header and no rows; expected a row for every clip"),
        (.noClips(path: "m.jsonl"), "m.jsonl: holds no clips"),
        (.badCompression(path: "m.csv.gz", reason: "words"), "m.csv.gz: cannot be unpacked: words"),
        (.notReplaceable(path: "m.csv"), "m.csv: could not replace it: not a regular file"),
        (
            .notFolder(path: "a.wav"),
            "a.wav: is not a folder; expected a folder with recordings, or an archive (.tar, .tar.gz, .tar.zst, .zip)"
        ),
        (
            .unknownFormat(path: "m", isFile: true),
            "m: cannot tell the format by the extension (csv, tsv, jsonl) or the first line: expected names of columns "
                + "between commas, semicolons or tabs, one of them 'path', or a JSON object; if it is one of these, give "
                + "--format csv, tsv or jsonl"
        ),
        (
            .missingColumn(path: "m.csv", name: "category", format: "ESC-50", columns: ["filename"]),
            "m.csv: there is no column 'category', which ESC-50 has; the columns are: 'filename'"
        ),
        (
            .missingMappedColumn(path: "m.csv", name: "nothing", to: "label", columns: ["path", "id"]),
            "m.csv: there is no column 'nothing' to read as 'label'; the columns are: 'path', 'id'"
        ),
        (
            .otherDelimiter(path: "m.csv", found: tabs, format: .csv),
            "m.csv: its columns are separated by tabs; expected commas in a CSV: give --format tsv, or name the file .tsv"
        ),
        (
            .otherDelimiter(path: "m.tsv", found: bars, format: .tsv),
            "m.tsv: its columns are separated by '|'; expected tabs in a TSV: export it with commas, or as TSV"
        ),
        (.badHeader(path: "m.csv", line: 1, text: "words"), "m.csv, line 1: the header cannot be read: words"),
        (
            .missingPathColumn(path: "m.csv", columns: ["id", "label"], suggestion: nil),
            "m.csv: there is no column 'path'; the columns are: 'id', 'label'; rename that of the recordings to 'path', or "
                + "give --column path=NAME"
        ),
        (
            .missingPathColumn(path: "m.csv", columns: ["pathh", "label"], suggestion: "pathh"),
            "m.csv: there is no column 'path'; the columns are: 'pathh', 'label'; rename 'pathh' to 'path', or give --column "
                + "path=pathh"
        ),
        (
            .missingPathColumn(path: "m.tsv", columns: ["\"path\""], suggestion: nil),
            "m.tsv: there is no column 'path'; the columns are: '\"path\"'; they are in quotation marks: give --quoting csv"
        ),
        (
            .duplicateColumn(path: "m.csv", name: "x"),
            "m.csv: there are two columns named 'x'; rename or remove one"
        ),
        (
            .unnamedColumn(path: "m.csv", position: 1),
            "m.csv: column 1 has no name; name it or remove it (pandas: to_csv(…, index=False))"
        ),
        (
            .tooManyColumns(path: "m.jsonl", limit: 1000),
            "m.jsonl: has more than 1000 columns of its own; every name of a column counts once, so a JSON object must not "
                + "use data as names"
        ),
        (
            .invalidRows(
                path: "m.csv", problems: [.init(line: 2, text: "one"), .init(file: "n.csv", line: 3, text: "two")],
                total: 3),
            "m.csv: 3 problems; nothing was done:\n  line 2: one\n  n.csv, line 3: two\n  … and 1 more"
        ),
        (
            .badPattern(pattern: "(", reason: "words"),
            "the pattern '(' cannot be used: words; expected a regular expression with a named group, such as "
                + "'^(?<label>[^/]+)/'"
        ),
        (
            .patternDoesNotMatch(pattern: "x", paths: ["a.wav", "b.wav"], total: 3),
            "the pattern 'x' does not match 3 files; extend it:\n  'a.wav'\n  'b.wav'\n  … and 1 more"
        ),
        (
            .duplicateIdentifier(pattern: "x", id: "a", paths: ["a.wav", "b.wav"]),
            "the pattern 'x' gives the id 'a' to more than one file: 'a.wav', 'b.wav'; ids have to be unique"
        ),
        (.unwritableClip(index: 3, reason: "words"), "clip 3 cannot be written to a manifest: words"),
    ]

    @Test(arguments: manifests) func `an error of a manifest`(error: ManifestError, sentence: String) {
        #expect(error.description == sentence)
    }

    private static let annotations: [(AnnotationError, String)] = [
        (.unreadable(path: "a.txt", reason: "words"), "a.txt: words"),
        (
            .unknownSampleRate(path: "a.txt"),
            "a.txt: its positions are samples, and the sample rate of the recording is not known"
        ),
        (
            .unknownTable(path: "a.txt", line: 1, found: "hello"),
            "a.txt, line 1: expected annotations (a Raven selection table, Audacity labels, a Praat TextGrid, Annotation.xml, "
                + "a CSV with columns such as onset and offset, BirdNET-Analyzer's results, CTM, RTTM, or a manifest with a column "
                + "'path'), found 'hello'"
        ),
        (
            .invalid(path: "a.txt", problems: [.init(line: 2, text: "words")], total: 1),
            "a.txt, line 2: words"
        ),
        (
            .invalid(path: "a.txt", problems: [.init(line: 2, text: "one"), .init(line: nil, text: "two")], total: 3),
            "a.txt: 3 problems; nothing was done:\n  line 2: one\n  two\n  … and 1 more"
        ),
        (
            .otherRecordings(path: "a.txt", recording: "c.wav", found: ["a.wav", "b.wav"], total: 3),
            "a.txt: no row names 'c.wav'; rows name 'a.wav', 'b.wav' and 1 more"
        ),
    ]

    @Test(arguments: annotations) func `an error of annotations`(error: AnnotationError, sentence: String) {
        #expect(error.description == sentence)
    }
}
