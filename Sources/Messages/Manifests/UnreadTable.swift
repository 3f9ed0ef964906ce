import Manifests

extension UnreadTable {
    /// What it is, and what to do, after the path of the table and a colon.
    var text: String {
        switch self {
        case .noHeader(let fields, let line, let isTSV, let text):
            let recording = fields.firstIndex(where: RecordingName.isRecording) ?? 0
            return
                "has no header: line \(line) is a row, with the recording \(quoted(fields[recording])); write the names of its "
                + "columns above it ('label' is that of the labels), "
                + Self.withHeader(Self.names(of: fields, recording), text, isTSV: isTSV, from: line)
        case .pipes(let fields, let text):
            let names =
                (["path", "text", "normalized_text"] + (3..<max(fields, 3)).map { "\(ColumnNames.unnamed)\($0 + 1)" })
                .prefix(fields)
            let program = #"awk 'BEGIN {FS = "|"; OFS = "\t"} {$1 = $1} 1'"#
            return
                "is the table of LJSpeech, which has no header, and fields between '|': write the names of its columns above line 1, and "
                + "tabs between the fields, "
                + text.advice(program, header: names.joined(separator: "\\t"), to: "with-header.tsv")
                + "; its recordings are named without their folder and extension: give --root "
                + ShellText.word(ShellText.beside(text.shownPath, "wavs")) + " --extension wav"
        case .fleurs(let line, let text):
            let names = ["id", "path", "raw_transcription", "text", "characters", "num_samples", "gender"]
            let path = text.shownPath
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let stem = name.firstIndex(of: ".").map { String(name[..<$0]) } ?? name
            return
                "is a table of FLEURS, which has no header: write the names of its columns above line \(line), "
                + Self.withHeader(names, text, isTSV: true, from: line)
                + "; its recordings are in a folder of their own: give --root "
                + ShellText.word(ShellText.beside(path, "audio/" + stem))
        case .fairseq(let root, let line, let text):
            return
                "is a manifest of fairseq, whose line \(line) is the folder of its recordings: write a header in its place, "
                + Self.withHeader(["path", "num_samples"], text, isTSV: true, from: line + 1) + "; and give --root "
                + ShellText.word(root)
        case .document(let document, let text):
            return "is one JSON document; expected an object on every line, " + document.advice(text)
        case .shar(let archive):
            return
                "are cuts of lhotse Shar, whose recordings are in archives that the cuts do not name: save their audio in "
                + "Python, by lhotse.CutSet.from_shar(in_dir=FOLDER).save_audios(OTHER).to_file(CUTS), and name those cuts"
                + (archive.map { "; or read the recordings alone, without their texts: \($0)" } ?? "")
        }
    }

    /// Names for the columns of a row. If there is one short text apart from the recording, it is the label.
    private static func names(of fields: [String], _ recording: Int) -> [String] {
        fields.indices.map { index in
            if index == recording { return ManifestColumn.path.name }
            let isLabel =
                fields.count == 2 && !fields[index].isEmpty && FieldValue.number(fields[index]) == nil
                && fields[index].split(separator: " ").count <= 4
            return isLabel ? ManifestColumn.label.name : "\(ColumnNames.unnamed)\(index + 1)"
        }
    }

    /// - Parameter line: The first line that is kept.
    private static func withHeader(_ names: [String], _ text: StoredText, isTSV: Bool, from line: Int) -> String {
        text.advice(
            line > 1 ? "tail -n +\(line)" : nil, header: names.joined(separator: isTSV ? "\\t" : ","),
            to: isTSV ? "with-header.tsv" : "with-header.csv")
    }
}
