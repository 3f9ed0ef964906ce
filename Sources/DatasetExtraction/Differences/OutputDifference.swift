import FileIO

/// How a file with the output's name differs from what a run would write.
package enum OutputDifference: Hashable, Sendable {
    /// It was made from something else, or otherwise; never empty. `follows`: it may be brought to its manifest, which a set may not.
    case made([Difference], follows: Bool)
    /// It is the index of a set of another number of files.
    case numberOfFiles(Int, wanted: Int)
    /// The content of a clip, or of the file, is not what was written, in words.
    case damaged(String)
    case unreadable(StorageError)
    /// It is cut off, or no feature file.
    case incomplete
    /// The recording of this path has changed since.
    case changedRecording(path: String, follows: Bool)
    /// The recording of this path was missing, or could not be opened, and can be read now.
    case readableRecording(path: String, follows: Bool)
    /// The recording of this path, of which it has clips, is not there.
    case missingRecording(path: String)
    /// Its clips are not those of the shards.
    case otherClips
    /// It is not the live recording that is to be completed.
    case otherRecording
    /// It cannot be compared with a stream.
    case unknown

    /// - Returns: Nil where there are no differences.
    init?(_ differences: [Difference], follows: Bool) {
        guard !differences.isEmpty else { return nil }
        self = .made(differences, follows: follows)
    }
}

/// Why files do not form a set, although all are there.
package enum SetObstacle: Hashable, Sendable {
    /// A file is not one that this run would write: it is of an older set, which another task is about to replace, or the tasks
    /// were not given the same options.
    case otherFile(path: String, OutputDifference, number: Int, count: Int)
    case storage(StorageError)
    /// They have another number of clips than the manifest.
    case clips(Int, wanted: Int)
}
