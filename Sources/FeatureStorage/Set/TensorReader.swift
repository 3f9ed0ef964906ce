import FeatureModel
import FileIO

/// Reads the rows of a tensor past libhdf5; each thread has one.
package final class TensorReader: RowSource {
    package var shape: TensorShape { tensor.shape }
    private let tensor: StoredTensor
    private var reader: RowReader?
    /// Number of the file that `reader` reads.
    private var current = -1

    package init(_ tensor: StoredTensor) { self.tensor = tensor }

    package func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        guard range.lowerBound >= 0, range.upperBound <= shape.rows else {
            throw .damaged(
                path: tensor.path, found: "there are \(shape.rows) rows, but row \(range.upperBound - 1) is needed")
        }
        var file = tensor.starts.fileOf(range.lowerBound)
        var row = range.lowerBound
        var values: [Float] = []
        while row < range.upperBound {
            let (start, count) = (tensor.starts[file], tensor.parts[file].rows)
            let end = min(range.upperBound, start + count)
            if end > row {
                let part = try reader(file).matrix(row - start..<end - start, bins: shape.bins)
                if row == range.lowerBound, end == range.upperBound { return part }
                values += part.values
                row = end
            }
            file += 1
        }
        return FeatureMatrix(bins: shape.bins, values: values)
    }

    private func reader(_ file: Int) throws(StorageError) -> RowReader {
        if let reader, file == current { return reader }
        let (stored, opened) = (tensor.parts[file], try tensor.files.file(file))
        current = -1
        let moved = reader ?? RowReader(stored, in: opened)
        moved.move(to: stored, in: opened)
        (reader, current) = (moved, file)
        return moved
    }
}
