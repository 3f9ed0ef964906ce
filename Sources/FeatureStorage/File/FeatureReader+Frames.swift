import ClipSpool
import FeatureModel

/// The frames of a clip in time, where rows may be those of patches that overlap: what pictures show.
extension FeatureReader {
    /// The number of frames that rows of one clip are; those that two patches share count once.
    ///
    /// - Parameter rows: The number of all rows of the clip.
    package func frameCount(ofRows rows: Int) -> Int {
        guard let patch = shape.patch, patch.overlaps, rows > 0 else { return rows }
        return (rows / patch.length - 1) * patch.hop + patch.length
    }

    /// Some frames of a clip.
    ///
    /// - Parameters:
    ///   - frames: Their indices, from 0 to `frameCount(ofRows:)`.
    ///   - rows: All rows of the clip.
    /// - Throws: `StorageError`, `.damaged` where the rows lie outside the tensor.
    package func frames(_ frames: Range<Int>, ofRows rows: Range<Int>) throws(StorageError) -> FeatureMatrix {
        guard let patch = shape.patch, patch.overlaps, let last = frames.last else {
            return try self.rows(rows.lowerBound + frames.lowerBound..<rows.lowerBound + frames.upperBound)
        }
        let patches = rows.count / patch.length
        var values: [Float] = []
        values.reserveCapacity(frames.count * bins)
        var frame = frames.lowerBound
        while frame <= last {
            // The rest of a patch's own frames: those before the next patch starts.
            let index = min(frame / patch.hop, patches - 1)
            let end = index == patches - 1 ? last + 1 : min((index + 1) * patch.hop, last + 1)
            let row = rows.lowerBound + Self.row(frame, patch, patches: patches)
            values += try self.rows(row..<row + end - frame).values
            frame = end
        }
        return FeatureMatrix(bins: bins, values: values)
    }

    /// The labels of a clip's frames in time; nil: the file has none.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    package func labelsInTime(of clip: StoredClip) throws(StorageError) -> [Int32]? {
        guard let labels = try frameLabels(of: clip), let patch = shape.patch, patch.overlaps else {
            return try frameLabels(of: clip)
        }
        let patches = labels.count / patch.length
        return (0..<frameCount(ofRows: labels.count)).map { labels[Self.row($0, patch, patches: patches)] }
    }

    /// The row, among those of all patches, of a frame: in the first patch that has it, or in the last one.
    private static func row(_ frame: Int, _ patch: PatchShape, patches: Int) -> Int {
        let index = min(frame / patch.hop, patches - 1)
        return index * patch.length + frame - index * patch.hop
    }
}
