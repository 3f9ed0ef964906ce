import FeatureModel
import FeatureStorage
import FileIO

/// Reads stored rows block by block, in bounded memory for clips of any length.
package struct RowBlocks: Hashable, Sendable {
    /// Maximum number of values of a block, unless one row has more.
    package let maximumValues: Int

    /// Blocks of 2 MiB.
    package static let standard = RowBlocks(maximumValues: 1 << 19)

    /// Blocks of at most `maximumValues` values, at least 1.
    package init(maximumValues: Int) { self.maximumValues = max(maximumValues, 1) }

    /// The rows of a block: whole chunks of a compressed tensor if one fits, so that each is decompressed once.
    func rows(of shape: TensorShape) -> Int {
        let rows = max(maximumValues / max(shape.bins, 1), 1)
        guard let chunk = shape.chunkRows, chunk > 0, chunk <= rows else { return rows }
        return rows / chunk * chunk
    }

    /// The frames of a clip with the rows `range`, block by block.
    package func each(
        _ range: Range<Int>, of source: some RowSource, _ body: (FeatureMatrix) -> Void
    ) throws(StorageError) {
        try pass(range, of: source, body)
    }

    /// The frames of a clip twice: first all blocks for `before`, then all for `body`. A single block is read once.
    package func each(
        _ range: Range<Int>, of source: some RowSource, before: (FeatureMatrix) -> Void,
        _ body: (FeatureMatrix) -> Void
    ) throws(StorageError) {
        guard range.count > rows(of: source.shape) else {
            return try pass(range, of: source) { block in
                before(block)
                body(block)
            }
        }
        try pass(range, of: source, before)
        try pass(range, of: source, body)
    }

    private func pass(
        _ range: Range<Int>, of source: some RowSource, _ body: (FeatureMatrix) -> Void
    ) throws(StorageError) {
        let (count, step) = (source.frameCount(ofRows: range.count), rows(of: source.shape))
        // A clip without rows has one block without any.
        for start in stride(from: 0, to: max(count, 1), by: step) {
            body(try source.frames(start..<min(start + step, count), ofRows: range))
        }
    }
}
