import Manifests

/// The readers of all formats that are not manifests.
extension DatasetFormat {
    /// Those with clearer signs first.
    private static let readers: [any (DatasetReader & SendableMetatype).Type] = [
        KaldiDirectory.self, LhotseManifest.self, NeMoManifest.self, ESC50.self, UrbanSound8K.self, CommonVoice.self,
        SpeechCommands.self, LibriSpeech.self, KetosTable.self, AudioFolder.self, FolderTable.self, PlainFolder.self,
    ]

    /// The reader of a dataset whose format is not known; nil: it is a manifest, or nothing that is known.
    static func reader(of location: DatasetLocation) throws(ManifestError) -> (any DatasetReader)? {
        for type in readers { if let reader = try type.init(location) { return reader } }
        return nil
    }

    /// The reader of a dataset in this format.
    ///
    /// - Throws: `ManifestError.notInFormat` where it is not in this format.
    func reader(of location: DatasetLocation) throws(ManifestError) -> any DatasetReader {
        if let type = Self.readers.first(where: { $0.format == self }), let reader = try type.init(location) {
            return reader
        }
        throw .notInFormat(path: location.path, format: title, expected: expectation)
    }
}
