import ClipSpool
import FeatureModel

/// Where the rows of a dataset are in a file, for threads that read them without libhdf5, each by a `RowReader` of its own.
struct StoredRows: Sendable {
    enum Place: Sendable {
        /// In one piece from this byte on.
        case onePiece(Int)
        case chunks(ChunkTable)
    }

    /// Number of rows.
    let rows: Int
    /// Bytes of a row.
    let rowBytes: Int
    /// Rows of a clip's block in the fixed layout, or all rows: no chunk spans two blocks.
    let blockRows: Int
    /// Nil: the dataset has the order of rows.
    let order: ChannelOrder?
    let element: StoreConfiguration.Element
    let place: Place

    /// The rows of a tensor.
    init(_ shape: TensorShape, _ place: Place) {
        (rows, rowBytes, element) = (shape.rows, shape.rowBytes, shape.element)
        blockRows = shape.layout == .fixed ? shape.frames : shape.rows
        order = ChannelOrder(shape)
        self.place = place
    }

    /// The rows of a dataset beside it, without channels.
    init(rows: Int, rowBytes: Int, _ place: Place) {
        (self.rows, self.rowBytes, blockRows) = (rows, rowBytes, rows)
        (order, element) = (nil, .float32)
        self.place = place
    }
}

/// Where the chunks of a dataset are, by the rows that they hold.
struct ChunkTable: Sendable {
    /// Rows of a chunk.
    let rows: Int
    /// Bytes of a number that shuffle takes apart; 1: chunks are not shuffled.
    let shuffledSize: Int
    private let offsets: [Int]
    private let byteCounts: [Int32]
    /// A bit for each filter that was left out.
    private let masks: [UInt8]

    /// Chunks that are each stored once; nil: some are not.
    ///
    /// - Parameters:
    ///   - count: Number of chunks of the whole dataset.
    ///   - rows: Rows of a chunk.
    ///   - number: The number of the chunk, in the order of rows, that starts at these values.
    init?(_ chunks: [StoredChunk], count: Int, rows: Int, shuffledSize: Int, number: ([Int]) -> Int) {
        guard chunks.count == count else { return nil }
        (self.rows, self.shuffledSize) = (rows, shuffledSize)
        var offsets = [Int](repeating: -1, count: count)
        var byteCounts = [Int32](repeating: 0, count: count)
        var masks = [UInt8](repeating: 0, count: count)
        for chunk in chunks {
            let index = number(chunk.start)
            guard offsets.indices.contains(index), offsets[index] < 0,
                let byteCount = Int32(exactly: chunk.byteCount), let mask = UInt8(exactly: chunk.filterMask)
            else { return nil }
            (offsets[index], byteCounts[index], masks[index]) = (chunk.offset, byteCount, mask)
        }
        (self.offsets, self.byteCounts, self.masks) = (offsets, byteCounts, masks)
    }

    /// Where a chunk is, and which filters it did not go through.
    subscript(index: Int) -> (offset: Int, byteCount: Int, mask: UInt8) {
        (offsets[index], Int(byteCounts[index]), masks[index])
    }
}
