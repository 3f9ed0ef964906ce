import FeatureModel
import FileIO

extension FeatureReader {
    /// The labels of a clip's frames in time; nil: the file has none.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    package func labelsInTime(of clip: StoredClip) throws(StorageError) -> [Int32]? {
        guard let labels = try frameLabels(of: clip), let patch = shape.patch, patch.overlaps else {
            return try frameLabels(of: clip)
        }
        let patches = labels.count / patch.length
        return (0..<frameCount(ofRows: labels.count)).map { labels[patch.row(ofFrame: $0, patches: patches)] }
    }
}
