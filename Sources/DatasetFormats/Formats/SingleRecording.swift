import Manifests

/// A recording as a dataset of one clip, whose paths start from its folder.
struct SingleRecording: ClipDescribing {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Whether a file that is no manifest is one because it is a recording, by its first bytes.
    static func isReason(_ error: ManifestError) -> Bool {
        guard case .otherContent(_, .recording, let text) = error else { return false }
        return text.isPlainFile
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        var row = DatasetRow()
        // A name with a backslash would be read as a path of Windows.
        row.path = path.lastName.contains("\\") ? "./" + path.lastName : path.lastName
        row.id = DefaultIdentifier.stem(path.lastName)
        try clips.add(row, line: 0, of: "")
    }
}
