import FeatureModel

extension ManifestBuilder {
    /// Takes note of files in the folders of a dataset that are not used: one listing of each folder.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder, which the paths of its rows start from.
    ///   - searched: The folders in it that are the dataset's.
    ///   - hasRecordings: Whether its recordings are there.
    /// - Throws: `ManifestError.systemError` for a fault of the system.
    package func reportUnused(
        in folder: String, _ searched: [SearchedFolder], hasRecordings: Bool
    ) throws(ManifestError) {
        var walk = try FolderWalk(root: folder, looksIntoArchives: false, folders: searched, used: used ?? UsedFiles())
        try walk.run()
        account.merge(walk.account)
        unclaimed += walk.unclaimed
        guard hasRecordings else { return }
        for (position, recording) in walk.recordings.enumerated() {
            account.add(.recordingsNotListed, source: folder, at: position, quoted(recording.path))
        }
    }
}
