import Manifests

/// NeMo's manifests: JSON Lines with audio_filepath, duration, offset, and text, label or command.
struct NeMoManifest: DatasetReader {
    static let format = DatasetFormat.nemo
    private let location: DatasetLocation

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard let start = location.start, start.firstObject != nil, start.has("audio_filepath"), !start.has("path")
        else {
            return nil
        }
        self.location = location
    }

    /// As NeMo does: relative to the manifest, or else to the current folder.
    var roots: [String] { [location.folder, "."] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        var unread: Set<String> = []
        defer {
            for name in unread { clips.account.add(.timesUnread, source: clips.name, "\(quoted(name)) ('duration')") }
        }
        try TableRows(location.input, Self.format, "audio_filepath").add(to: clips) { values, row in
            row.path = values["audio_filepath"]
            let (offset, duration) = (values["offset"], values["duration"])
            (row.start, row.duration) = (offset, duration)
            // A selector may also be the word for the mean of all channels.
            let selector = values.kept("channel_selector")
            if ChannelName.channel(selector) != nil { row.channel = values["channel_selector"] }
            row.label = values["label"]
            if row.label.isEmpty { row.label = values["command"] }
            row.extra = values.others
            if duration.isEmpty, let name = TimeColumns.length(among: row.extra) { unread.insert(name) }
        }
    }
}
