/// Files that describe a dataset, found among recordings whose labels would only be the names of folders.
enum DatasetSign {
    /// What dataset a file is of, such as `LibriSpeech`; nil: the file is not a sign.
    static func dataset(_ path: String) -> String? {
        let name = path.lastName
        return names[name] ?? (name.hasSuffix(".trans.txt") ? "LibriSpeech" : nil)
    }

    private static let names = [
        "esc50.csv": "ESC-50", "UrbanSound8K.csv": "UrbanSound8K", "testing_list.txt": "Speech Commands",
        "validation_list.txt": "Speech Commands", "wav.scp": "a Kaldi directory",
    ]
}
