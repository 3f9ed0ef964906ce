import FeatureModel
import FileIO

/// A recording that the crawler found.
struct FoundRecording {
    /// Path relative to the top; that of a member of an archive is `ARCHIVE::member`.
    let path: String
    /// The same, with the archive's name without its extension as the name of a folder: where the recording would be if the
    /// archive were unpacked. Labels and ids come from it.
    let unpackedPath: String
    /// What members with its key in a WebDataset shard say of it; nil: it is not part of a shard.
    var sample: WebDatasetSample?

    /// A recording in a file of its own.
    init(file: String) { (path, unpackedPath) = (file, file) }

    init(path: String, unpackedPath: String, sample: WebDatasetSample? = nil) {
        (self.path, self.unpackedPath, self.sample) = (path, unpackedPath, sample)
    }

    /// What is known without a pattern: the folder's name is the label, except in a WebDataset shard.
    ///
    /// - Parameters:
    ///   - level: The level of the folder whose name is the label: 1 is the first, −1 that which holds the recording. Nil: the last that is no
    ///     split.
    ///   - splits: The folders that are splits.
    func match(level: Int?, _ splits: SplitFolders) -> LabelPattern.Match {
        if let sample { return LabelPattern.Match(label: sample.label ?? "", split: sample.split ?? "") }
        let found = splits.match(unpackedPath)
        guard let level else { return LabelPattern.Match(label: found.label, split: found.split) }
        let label = folderName(level)
        // A folder of a split that is wanted as the label is not a split.
        return LabelPattern.Match(label: label, split: SplitName.ofFolder(label) == found.split ? "" : found.split)
    }

    /// The name of the folder of a level; empty where there is none.
    private func folderName(_ level: Int) -> String {
        let folders = unpackedPath.utf8.split(separator: Byte.slash).dropLast()
        let index = level > 0 ? level - 1 : folders.count + level
        return folders.indices.contains(index) ? String(Substring(folders[index])) : ""
    }

    /// Whether this one comes first: by the bytes of `unpackedPath`, then of `path`.
    func precedes(_ other: FoundRecording) -> Bool {
        unpackedPath.utf8.elementsEqual(other.unpackedPath.utf8)
            ? path.utf8.lexicographicallyPrecedes(other.path.utf8)
            : unpackedPath.utf8.lexicographicallyPrecedes(other.unpackedPath.utf8)
    }

    /// Whether a file or a member is a recording that can be read, by its extension.
    static func isRecording(_ name: String) -> Bool {
        RecordingName.isPlain(name) || MediaFile.isNamed(name) && FFmpegPrograms.installed != nil
    }
}
