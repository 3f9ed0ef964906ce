import FeatureModel

/// The names of files that are recordings.
package enum RecordingName {
    /// Extensions, in lower case, of the files that libsndfile reads; those that ffmpeg reads are in `MediaFile`.
    package static let extensions: Set<String> = [
        "wav", "wave", "wavex", "w64", "rf64", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga", "opus",
        "mp3", "sf", "nist", "sph", "voc",
    ]

    /// Whether libsndfile reads a file, by its extension.
    static func isPlain(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: Byte.dot) else { return false }
        return extensions.contains(name[name.utf8.index(after: dot)...].lowercased())
    }

    /// Whether a file is a recording by its extension, also if only ffmpeg reads it.
    static func isRecording(_ name: String) -> Bool { isPlain(name) || MediaFile.isNamed(name) }
}
