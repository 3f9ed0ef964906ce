import Essentials

/// An element of a page that plays a clip.
struct SoundPlayer: Sendable {
    /// The clip's.
    let name: String
    /// A WAV file.
    let wave: [UInt8]
    /// How much of the clip's start it has; nil: all of it.
    let seconds: Int?

    var context: [String: Any] {
        [
            "sound": Data(wave).base64EncodedString(), "soundName": name + (seconds.map { ", first \($0) s" } ?? ""),
        ]
    }
}
