/// A table whose form is known, and which is not read.
package enum UnreadTable: Hashable, Sendable {
    /// The first line, of this number, is a row. Its fields, of which one is a recording.
    case noHeader([String], line: Int, isTSV: Bool, StoredText)
    /// The first line is a row of fields between '|', as in the metadata.csv of LJSpeech (keithito.com/LJ-Speech-Dataset); how many. The
    /// first field is a recording, without its extension.
    case pipes(fields: Int, StoredText)
    /// A table of FLEURS (huggingface.co/datasets/google/fleurs), which has no header.
    case fleurs(line: Int, StoredText)
    /// A manifest of fairseq, whose first line is the folder of the recordings.
    case fairseq(root: String, line: Int, StoredText)
    /// One JSON document instead of an object on every line.
    case document(JSONDocument, StoredText)
    /// Cuts of lhotse Shar, with the archive of their recordings; nil: it is not in their folder.
    case shar(archive: String?)

    /// By the first line, as if it were a header, and the line after it; nil: the first line may be a header.
    ///
    /// - Parameters:
    ///   - line: The number of the first line, after comments.
    ///   - text: How the table is stored.
    init?(header: [String], line: Int, next: String, isTSV: Bool, _ text: StoredText) {
        guard !header.contains(where: ColumnNames.isPath) else { return nil }
        let fields = next.split(separator: "\t", omittingEmptySubsequences: false)
        if header.count == 1, header[0].contains("/"), fields.count == 2,
            Int(String(fields[1]).trimmingBlanks()) != nil,
            RecordingName.isRecording(String(fields[0]))
        {
            self = .fairseq(root: header[0], line: line, text)
        } else if isTSV, header.count == 7, Int(header[0]) != nil, RecordingName.isRecording(header[1]),
            Int(header[5]) != nil
        {
            self = .fleurs(line: line, text)
        } else if header.contains(where: RecordingName.isRecording) {
            self = .noHeader(header, line: line, isTSV: isTSV, text)
        } else if let fields = Self.pipes(header.joined(separator: isTSV ? "\t" : ",")) {
            self = .pipes(fields: fields, text)
        } else {
            return nil
        }
    }

    /// By the first line, whatever its delimiter; nil: it may be a header.
    init?(firstLine: [UInt8], _ text: StoredText) {
        guard let fields = Self.pipes(String(decoding: firstLine, as: UTF8.self)) else { return nil }
        self = .pipes(fields: fields, text)
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
        case .noHeader(_, let line, _, _): "it has no header: line \(line) is a row"
        case .pipes: "the table of LJSpeech, which has no header"
        case .fleurs: "a table of FLEURS, which has no header"
        case .fairseq: "a manifest of fairseq, which has no header"
        case .document: "it is one JSON document"
        case .shar: "cuts of lhotse Shar"
        }
    }

    /// By the names of the columns of a table alone; nil: they may be a header.
    package init?(columns: [String], isTSV: Bool) {
        self.init(header: columns, line: 1, next: "", isTSV: isTSV, StoredText(path: nil))
    }
}
