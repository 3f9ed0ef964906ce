/// A table whose form is known, and which is not read.
package enum UnreadTable: Hashable, Sendable {
    /// The first line is a row. Its fields, of which one is a recording.
    case noHeader([String], isTSV: Bool)
    /// The first line is a row of fields between '|', as in the metadata.csv of LJSpeech (keithito.com/LJ-Speech-Dataset); how many. The
    /// first field is a recording, without its extension.
    case pipes(fields: Int)
    /// A table of FLEURS (huggingface.co/datasets/google/fleurs), which has no header.
    case fleurs
    /// A manifest of fairseq, whose first line is the folder of the recordings.
    case fairseq(root: String)
    /// One JSON document instead of an object on every line.
    case document(JSONDocument)
    /// Cuts of lhotse Shar. The archive of their recordings; nil: it is not beside them.
    case shar(archive: String?)

    /// By the first line, as if it were a header, and the line after it; nil: the first line may be a header.
    init?(header: [String], next: String, isTSV: Bool) {
        guard !header.contains(where: ColumnNames.isPath) else { return nil }
        let fields = next.split(separator: "\t", omittingEmptySubsequences: false)
        if header.count == 1, header[0].contains("/"), fields.count == 2,
            Int(String(fields[1]).trimmingBlanks()) != nil,
            RecordingName.isRecording(String(fields[0]))
        {
            self = .fairseq(root: header[0])
        } else if isTSV, header.count == 7, Int(header[0]) != nil, RecordingName.isRecording(header[1]),
            Int(header[5]) != nil
        {
            self = .fleurs
        } else if header.contains(where: RecordingName.isRecording) {
            self = .noHeader(header, isTSV: isTSV)
        } else if let fields = Self.pipes(header.joined(separator: isTSV ? "\t" : ",")) {
            self = .pipes(fields: fields)
        } else {
            return nil
        }
    }

    /// By the first line, whatever its delimiter; nil: it may be a header.
    init?(firstLine: [UInt8]) {
        guard let fields = Self.pipes(String(decoding: firstLine, as: UTF8.self)) else { return nil }
        self = .pipes(fields: fields)
    }

    /// The number of fields between '|' in a line that starts with the name of a recording of LJSpeech; nil: it is another one.
    private static func pipes(_ line: String) -> Int? {
        let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        guard fields.count > 1, let name = fields.first, name.utf8.count == 10, name.hasPrefix("LJ"),
            name.dropFirst(2).allSatisfy({ $0.isNumber || $0 == "-" })
        else { return nil }
        return fields.count
    }

    /// What it is, in a few words, for a list of tables that are not read.
    package var summary: String {
        switch self {
        case .noHeader: "it has no header: line 1 is a row"
        case .pipes: "the table of LJSpeech, which has no header"
        case .fleurs: "a table of FLEURS, which has no header"
        case .fairseq: "a manifest of fairseq, which has no header"
        case .document: "it is one JSON document"
        case .shar: "cuts of lhotse Shar"
        }
    }

    /// By the names of the columns of a table alone; nil: they may be a header.
    package init?(columns: [String], isTSV: Bool) { self.init(header: columns, next: "", isTSV: isTSV) }

    /// What it is, and what to do, after the path of the table and a colon.
    func text(path: String) -> String {
        switch self {
        case .noHeader(let fields, let isTSV):
            let recording = fields.firstIndex(where: RecordingName.isRecording) ?? 0
            let names = fields.indices.map { $0 == recording ? "path" : "column\($0 + 1)" }
            return
                "has no header: line 1 is a row, with the recording \(quoted(fields[recording])); write the names of its "
                + "columns above it, such as by: " + Self.withHeader(names, path, isTSV: isTSV)
        case .pipes(let fields):
            let names = (["path", "text", "normalized_text"] + (3..<max(fields, 3)).map { "column\($0 + 1)" }).prefix(
                fields)
            return
                "is the table of LJSpeech, which has no header, and fields between '|': write the names of its columns above line 1, and "
                + "tabs between the fields, such as by: "
                + Self.withHeader(Array(names), path, isTSV: true, from: "tr '|' '\\t' <")
                + "; its recordings are named without their folder and extension: give --root "
                + ShellText.word(ShellText.beside(path, "wavs")) + " --extension wav"
        case .fleurs:
            let names = ["id", "path", "raw_transcription", "text", "characters", "num_samples", "gender"]
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let stem = name.firstIndex(of: ".").map { String(name[..<$0]) } ?? name
            return
                "is a table of FLEURS, which has no header: write the names of its columns above line 1, such as by: "
                + Self.withHeader(names, path, isTSV: true)
                + "; its recordings are in a folder of their own: give --root "
                + ShellText.word(ShellText.beside(path, "audio/" + stem))
        case .fairseq(let root):
            return
                "is a manifest of fairseq, whose line 1 is the folder of its recordings: write a header in its place, such as by: "
                + Self.withHeader(["path", "num_samples"], path, isTSV: true, from: "tail -n +2") + "; and give --root "
                + ShellText.word(root)
        case .document(let document):
            return "is one JSON document; expected an object on every line, such as by: \(document.command(path))"
        case .shar(let archive):
            return
                "are cuts of lhotse Shar, whose recordings are in archives that the cuts do not name: save their audio in "
                + "Python, by lhotse.CutSet.from_shar(in_dir=FOLDER).save_audios(OTHER).to_file(CUTS), and name those cuts"
                + (archive.map { "; or read the recordings alone, without their texts: \($0)" } ?? "")
        }
    }

    private static func withHeader(
        _ names: [String], _ path: String, isTSV: Bool, from program: String = "cat"
    ) -> String {
        let header = names.joined(separator: isTSV ? "\\t" : ",")
        let output = ShellText.beside(path, isTSV ? "with-header.tsv" : "with-header.csv")
        return "(printf '\(header)\\n' && \(program) \(ShellText.word(path))) > \(ShellText.word(output))"
    }
}
