import Archives

/// A file that describes a dataset, found among recordings whose labels would only be the names of folders.
package struct DatasetSign: Hashable, Sendable {
    /// Path of the file.
    let path: String
    /// What the dataset is, such as `LibriSpeech`.
    let dataset: String
    let isInArchive: Bool

    /// Nil: the file is no sign.
    init?(_ path: String, isInArchive: Bool) {
        let name = path.utf8.split(separator: Byte.slash).last.map { String(Substring($0)) } ?? path
        guard let dataset = Self.names[name] ?? (name.hasSuffix(".trans.txt") ? "LibriSpeech" : nil) else { return nil }
        (self.path, self.dataset, self.isInArchive) = (path, dataset, isInArchive)
    }

    private static let names = [
        "esc50.csv": "ESC-50", "UrbanSound8K.csv": "UrbanSound8K", "testing_list.txt": "Speech Commands",
        "wav.scp": "a Kaldi directory",
    ]

    /// What to do about it, in a sentence.
    package var advice: String {
        "\(quoted(path)) belongs to \(dataset), whose labels and columns are not read here: "
            + (isInArchive ? "unpack the archive, and give the dataset's folder" : "give the dataset's own folder")
    }
}
