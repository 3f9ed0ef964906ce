import ClipSpool
import FeatureModel
import FileIO

/// Reads rows of a tensor.
package protocol RowSource {
    /// How the tensor lies in the file.
    var shape: TensorShape { get }

    /// Rows as stored; in the fixed layout counted through all clips' blocks.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix
}

/// The frames of a clip in time, where rows may be those of patches that overlap: what pictures show.
extension RowSource {
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
        values.reserveCapacity(frames.count * shape.bins)
        var frame = frames.lowerBound
        while frame <= last {
            // The rest of a patch's own frames: those before the next patch starts.
            let index = min(frame / patch.hop, patches - 1)
            let end = index == patches - 1 ? last + 1 : min((index + 1) * patch.hop, last + 1)
            let row = rows.lowerBound + patch.row(ofFrame: frame, patches: patches)
            values += try self.rows(row..<row + end - frame).values
            frame = end
        }
        return FeatureMatrix(bins: shape.bins, values: values)
    }
}

extension PatchShape {
    /// The row, among those of all patches, of a frame: in the first patch that has it, or in the last one.
    func row(ofFrame frame: Int, patches: Int) -> Int {
        let index = min(frame / hop, patches - 1)
        return index * length + frame - index * hop
    }
}
