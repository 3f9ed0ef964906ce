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
        try TableRows(location.input, Self.format, "audio_filepath").add(to: clips) {
            values, row throws(TableRows.Refusal) in
            row.path = values["audio_filepath"]
            let (offset, duration) = (values["offset"], values["duration"])
            (row.start, row.duration) = (offset, duration)
            if let channel = try Self.channel(values) {
                _ = values["channel_selector"]
                row.channel = "\(channel)"
            }
            row.label = values["label"]
            if row.label.isEmpty { row.label = values["command"] }
            row.extra = values.others
            if duration.isEmpty, let name = TimeColumns.length(among: row.extra) { unread.insert(name) }
        }
    }

    /// The channel that a row selects; nil: all channels, or that of the column `channel`.
    ///
    /// NeMo takes a number, a list, or the word for the mean of all channels.
    private static func channel(_ values: TableRows.Values) throws(TableRows.Refusal) -> Int? {
        let selector = values.kept("channel_selector").trimmingBlanks()
        guard !selector.isEmpty else { return nil }
        let isList = selector.hasPrefix("[") && selector.hasSuffix("]")
        let channel = ChannelName.channel(isList ? selector.dropFirst().dropLast() : selector[...])
        guard channel != nil || selector.lowercased() == "average" else {
            throw TableRows.Refusal(
                text: "channel_selector is \(quoted(selector)); expected one channel, as 0 or [0], or 'average'")
        }
        let other = values.kept("channel")
        guard other.isEmpty || channel != nil && ChannelName.channel(other) == channel else {
            throw TableRows.Refusal(
                text: "channel_selector is \(quoted(selector)), and channel is \(quoted(other)); expected one of them")
        }
        return channel
    }
}
