import FileIO

extension FeatureReader {
    /// The folder that the paths of recordings start from: the one that the file names, or its own where it names none.
    ///
    /// - Throws: `StorageError.damaged` where the file's name of it is.
    public func recordingsFolder() throws(StorageError) -> String {
        if let finding = files.first.rootFinding { throw .damaged(path: path, found: finding) }
        let folder = Folder.containing(RelativeFolder.resolved(path) ?? path)
        guard let root = header.root, root != "." else { return folder }
        return folder + "/" + root
    }
}
