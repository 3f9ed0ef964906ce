import Manifests

/// How a dataset is stored.
package enum DatasetFormat: String, CaseIterable, Sendable {
    case csv, tsv
    case jsonLines = "jsonl"
    case lhotse, kaldi, nemo
    case audioFolder = "audiofolder"
    case esc50 = "esc-50"
    case urbanSound8K = "urbansound8k"
    case speechCommands = "speech-commands"
    case libriSpeech = "librispeech"
    case commonVoice = "common-voice"
    case ketos
    case folderTable = "folder-table"
    case folder

    /// What messages call a dataset of the format.
    package var title: String {
        switch self {
        case .csv: "a manifest in CSV"
        case .tsv: "a manifest in TSV"
        case .jsonLines: "a manifest in JSON Lines"
        case .lhotse: "a lhotse manifest"
        case .kaldi: "a Kaldi data directory"
        case .nemo: "a NeMo manifest"
        case .audioFolder: "a Hugging Face audio folder"
        case .esc50: "ESC-50"
        case .urbanSound8K: "UrbanSound8K"
        case .speechCommands: "Speech Commands"
        case .libriSpeech: "a LibriSpeech corpus"
        case .commonVoice: "a Common Voice corpus"
        case .ketos: "a Ketos annotation table"
        case .folderTable: "a folder with a table of its recordings"
        case .folder: "a folder of recordings"
        }
    }

    /// What a dataset of the format has.
    var expectation: String {
        switch self {
        case .csv, .tsv, .jsonLines: "a file with a column 'path'"
        case .lhotse: "cuts, or recordings with or without supervisions, in .jsonl or .jsonl.gz"
        case .kaldi: "a folder with wav.scp, or folders train, dev, test … with one each"
        case .nemo: "JSON Lines with audio_filepath"
        case .audioFolder: "metadata.csv or metadata.jsonl with file_name, or folders train, test … of folders"
        case .esc50: "a folder with meta/esc50.csv and audio, or that table"
        case .urbanSound8K: "a folder with metadata/UrbanSound8K.csv and audio, or that table"
        case .speechCommands: "a folder with validation_list.txt, testing_list.txt and a folder for each word"
        case .libriSpeech: "folders SPEAKER/CHAPTER with SPEAKER-CHAPTER.trans.txt"
        case .commonVoice: "a folder with train.tsv, validated.tsv … and clips, or one of these tables"
        case .ketos: "a CSV with filename, start, end and label"
        case .folderTable:
            "labels.csv, metadata.csv or annotations.csv (or .tsv, .jsonl) with a column 'path', 'file' … that names recordings in the folder, a row for each"
        case .folder: "a folder"
        }
    }

    /// The manifest's format of the same name; nil: it is a dataset in another format.
    package var manifestFormat: ManifestFormat? { ManifestFormat(rawValue: rawValue) }
}
