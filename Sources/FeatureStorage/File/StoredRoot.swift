import FileIO

/// The attribute `root` of `/provenance`: the folder that the paths of recordings start from, relative to the file's own folder, so
/// that both can be moved together; and `root_xxh3`, its checksum.
///
/// A file without it has recordings that were in no folder, such as those of a stream, or is older. It is not part of
/// `metadata_xxh3`: the same features have the same metadata, wherever their recordings are.
enum StoredRoot {
    private static let group = "/provenance"
    private static let name = "root"
    private static let checksum = "root_xxh3"

    static func write(_ root: String?, to hdf5: borrowing HDF5Writer) throws(StorageError) {
        guard let root else { return }
        try hdf5.attribute(name, root, of: group)
        try hdf5.attribute(checksum, digest(root), of: group)
    }

    /// The attribute of a file, and what is wrong with it.
    static func read(_ file: borrowing HDF5File) throws(StorageError) -> (root: String?, finding: String?) {
        let root = try file.text(attribute: name, of: group)
        let expected = try file.text(attribute: checksum, of: group)
        let found = root.map(digest)
        guard found != expected else {
            let isRelative = root.map { !$0.isEmpty && !$0.hasPrefix("/") && !$0.contains("\0") } ?? true
            return (root, isRelative ? nil : "\(group) has an attribute \(name) that is no relative path")
        }
        return (
            root, "\(group) has an attribute \(name) with the checksum \(found ?? "of none"), not \(expected ?? "any")"
        )
    }

    private static func digest(_ root: String) -> String {
        Array(root.utf8).withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
    }
}
