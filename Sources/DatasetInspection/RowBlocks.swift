import ClipSpool
import FeatureModel
import FeatureStorage

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
    ///
    /// - Parameter before: Called with every block before `body` gets the first: more than one block is read twice.
    package func each(
        _ range: Range<Int>, of reader: FeatureReader, before: ((FeatureMatrix) -> Void)? = nil,
        _ body: (FeatureMatrix) -> Void
    ) throws(StorageError) {
        let step = rows(of: reader.shape)
        guard range.count > step else {
            let block = try reader.frames(0..<reader.frameCount(ofRows: range.count), ofRows: range)
            before?(block)
            return body(block)
        }
        if let before { try pass(range, of: reader, step, before) }
        try pass(range, of: reader, step, body)
    }

    private func pass(
        _ range: Range<Int>, of reader: FeatureReader, _ step: Int, _ body: (FeatureMatrix) -> Void
    ) throws(StorageError) {
        let count = reader.frameCount(ofRows: range.count)
        for start in stride(from: 0, to: count, by: step) {
            body(try reader.frames(start..<min(start + step, count), ofRows: range))
        }
    }
}
