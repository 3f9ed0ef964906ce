import FeatureModel
import FileIO
import Platform

/// Opens the files of a set, and compares them with what the index says of them.
extension FeatureSetIndex {
    /// The path of a file.
    ///
    /// - Parameters:
    ///   - number: Its number, from 0.
    ///   - path: That of the index.
    package func path(ofFile number: Int, _ path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + files[number].name
    }

    /// Looks whether a file is there and of its size, without opening it.
    ///
    /// - Throws: `StorageError`: `.missingMember`, `.changedMember`, `.system`.
    func checkSize(ofFile number: Int, _ index: String) throws(StorageError) {
        let (path, expected) = (path(ofFile: number, index), files[number].bytes)
        guard let status = FileStatus(path: path) else {
            guard errno != ENOENT, errno != ENOTDIR else { throw .missingMember(path: path, index: index) }
            throw .system(operation: "looking for the file", path: path, code: errno)
        }
        guard status.isRegular else {
            throw .changedMember(path: path, index: index, found: "expected a file, found something else")
        }
        guard status.byteCount == expected else {
            throw .changedMember(
                path: path, index: index, found: "expected \(expected) bytes, found \(status.byteCount)")
        }
    }

    /// Opens a file, and compares it with what the index says of it.
    ///
    /// - Throws: `StorageError`: `.missingMember` and `.changedMember`, or why it cannot be read.
    func open(_ number: Int, _ index: String) throws(StorageError) -> FeatureFile {
        try checkSize(ofFile: number, index)
        let path = path(ofFile: number, index)
        let file: FeatureFile
        do {
            file = try FeatureFile(path: path)
        } catch .notFeatures(_, let found) {
            throw .changedMember(path: path, index: index, found: "expected a feature file, found \(found)")
        }
        if let difference = files[number].difference(from: file) {
            throw .changedMember(path: path, index: index, found: difference)
        }
        guard manifestChecksum == file.header.manifestChecksum else {
            throw .changedMember(
                path: path, index: index,
                found: "expected manifest_sha256 \(manifestChecksum), found \(file.header.manifestChecksum)")
        }
        return file
    }
}

extension FeatureSetIndex.Member {
    /// In what a file differs from what is said of it, in words; nil: in nothing that its header tells.
    fileprivate func difference(from file: FeatureFile) -> String? {
        if metadataChecksum != file.metadataChecksum {
            return "expected metadata_xxh3 \(metadataChecksum), found \(file.metadataChecksum)"
        }
        for (expected, found, name) in [
            (clips, file.clipCount, "clips"), (failures, file.header.failureCount, "failures"),
            (rows, file.rows, "rows"),
        ] where expected != found {
            return "expected \(expected) \(name), found \(found)"
        }
        return nil
    }
}
