import FeatureModel
import FileIO

/// The names of files that are recordings.
package enum RecordingName {
    /// Extensions, in lower case, of the files that libsndfile reads; those that ffmpeg reads are in `MediaFile`.
    package static let extensions: Set<String> = [
        "wav", "wave", "wavex", "bwf", "w64", "rf64", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga",
        "opus",
        "mp3", "sf", "nist", "sph", "voc",
    ]

    /// Whether libsndfile reads a file, by its extension.
    static func isPlain(_ name: String) -> Bool {
        name.nameExtension.map { extensions.contains($0.lowercased()) } ?? false
    }

    /// Extensions, in lower case, of files that may be recordings, and that nothing here reads: samples without a header, and
    /// formats that need a decoder of their own.
    static let likely: Set<String> = [
        "pcm", "raw", "ul", "ulaw", "al", "alaw", "vox", "gsm", "g722", "g723", "g726", "g729", "spx", "wv", "wv1",
        "wv2",
        "shn", "ape", "tta", "dsf", "dff", "mp2", "mpc", "ac3", "eac3", "dts", "ra", "rm", "sd2", "iff", "8svx", "svx",
        "paf", "pvf", "adts", "mpga", "mp1", "m4r", "f4a", "f4v", "dss", "ds2", "dvf", "msv", "aa3", "oma", "at3",
        "tak",
        "ofr", "aax", "sln", "lpcm", "l16", "wac", "zc",
    ]
    /// Compressed files, in which a recording may be.
    private static let compressions = [".gz", ".bz2", ".xz", ".zst"]

    /// Whether a file that is not read may be a recording, by its extension.
    package static func isLikely(_ name: String) -> Bool {
        var name = name.lowercased()
        if let ending = compressions.first(where: name.hasSuffix) {
            name.removeLast(ending.count)
            if isRecording(name) { return true }
        }
        return name.nameExtension.map(likely.contains) ?? false
    }

    /// Whether there is a file of this path that is a recording by its extension.
    package static func isFile(_ path: String) -> Bool {
        path != "-" && isRecording(path) && FileStatus(path: path)?.isRegular == true
    }

    /// Whether a file is a recording by its extension, also if only ffmpeg reads it.
    package static func isRecording(_ name: String) -> Bool { isPlain(name) || MediaFile.isNamed(name) }
}
