import FeatureModel
import FeatureStorage

/// The manifest's columns that formats for speech have a field for: the index of each, nil: there is none.
struct SpeechColumns {
    /// The words.
    let text: Int?
    let speaker: Int?
    let gender: Int?
    let language: Int?
    /// lhotse's alignment of words or phones, in JSON.
    let alignment: Int?

    /// Names of the column with the words, likelier ones first. Hugging Face and Common Voice have `transcription` and `sentence`.
    static let textNames = ["text", "transcript", "transcription", "sentence", "sentence_text"]

    /// Finds the columns by their names.
    init(_ reader: FeatureReader) {
        func column(_ names: [String]) -> Int? {
            names.lazy.compactMap { reader.extraColumns.firstIndex(of: $0) }.first
        }
        text = column(Self.textNames)
        speaker = column(["speaker", "speaker_id"])
        gender = column(["gender"])
        language = column(["language"])
        alignment = column(["alignment"])
    }

    /// That the words are missing, unless clips have labels, which may be the words.
    func notes(_ reader: FeatureReader) -> [ExportNote] {
        text == nil && reader.labels.isEmpty ? [.textMissing(columns: Self.textNames)] : []
    }
}

/// The manifest's columns whose values are all JSON other than texts: numbers, true and false, lists and objects. A feature file
/// has them as texts.
struct JSONColumns {
    private let are: [Bool]

    init(_ source: ExportSource) throws {
        var are = [Bool](repeating: true, count: source.reader.extraColumns.count)
        var areEmpty = are
        try source.eachBlock(while: { are.contains(true) }) { block in
            for index in are.indices where are[index] {
                for clip in block where !clip.stored.extra[index].isEmpty {
                    areEmpty[index] = false
                    are[index] = are[index] && Self.isValue(clip.stored.extra[index])
                }
            }
        }
        self.are = zip(are, areEmpty).map { $0 && !$1 }
    }

    /// Whether the values of a column are JSON; a clip without one has null.
    func contains(_ column: Int) -> Bool { are[column] }

    private static func isValue(_ text: String) -> Bool {
        switch JSONValue(json: text.utf8) {
        case .number, .boolean, .array, .object: true
        case .string, .null, nil: false
        }
    }
}
