/// The columns that mean something to the tool. Every other column is kept as it is.
///
/// The raw value is the column's slot in a `ManifestRow`; the slots of other columns follow.
package enum ManifestColumn: Int, CaseIterable, Sendable {
    /// Path of the recording; required.
    case path
    /// Unique name of the clip.
    case id
    /// Label; empty: none.
    case label
    /// Split, such as `train`; empty: none.
    case split
    /// Beginning of the clip in seconds.
    case start
    /// End of the clip in seconds.
    case end
    /// Length of the clip in seconds.
    case duration
    /// Channel, from 0.
    case channel

    /// The greatest number of other columns that a manifest may have.
    static let extraLimit = 1000

    /// Other names that are in use for the column `path`, the likelier first.
    static let pathAliases = [
        "file", "filename", "file_name", "filepath", "file_path", "audio", "audio_path", "audio_filepath", "audio_file",
        "wav", "wav_path", "recording", "sound", "soundfile", "uri", "location", "begin path", "begin file", "name",
    ]

    /// The column's name in a header.
    package var name: String { String(describing: self) }

    /// The column of that name, which is matched exactly.
    package init?(name: some StringProtocol) {
        guard let column = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = column
    }
}
