import FeatureModel
import FileIO

/// A recording that the crawler found.
struct FoundRecording {
    /// Path relative to the top; that of a member of an archive is `ARCHIVE::member`.
    let path: String
    /// The same, with the archive's name without its extension as the name of a folder: where the recording would be if the
    /// archive were unpacked. Labels and ids come from it.
    let place: String
    /// What members of the same key in a WebDataset shard say of it; nil: it is not part of a shard.
    var sample: ShardSample?

    /// A recording in a file of its own.
    init(file: String) { (path, place) = (file, file) }

    init(path: String, place: String, sample: ShardSample? = nil) {
        (self.path, self.place, self.sample) = (path, place, sample)
    }

    /// Whether a file or a member is a recording by its extension.
    static func isRecording(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: Byte.dot) else { return false }
        return DirectoryCrawler.extensions.contains(name[name.utf8.index(after: dot)...].lowercased())
            || MediaFile.isNamed(name) && FFmpegPrograms.installed != nil
    }
}
