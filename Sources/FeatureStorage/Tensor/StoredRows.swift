import ClipSpool
import FeatureModel
import FileIO

/// Where the rows of a dataset are in a file, for threads that read them without libhdf5, each by a `RowReader` of its own.
struct StoredRows: Sendable {
    enum Location: Sendable {
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
    let location: Location

    /// The rows of a tensor.
    init(_ shape: TensorShape, _ location: Location) {
        (rows, rowBytes, element) = (shape.rows, shape.rowBytes, shape.element)
        blockRows = shape.layout == .fixed ? shape.frames : shape.rows
        order = ChannelOrder(shape)
        self.location = location
    }

    /// The rows of another dataset, without channels.
    init(rows: Int, rowBytes: Int, _ location: Location) {
        (self.rows, self.rowBytes, blockRows) = (rows, rowBytes, rows)
        (order, element) = (nil, .float32)
        self.location = location
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

/// Reads `StoredRows` to a buffer of its own: each thread has one.
final class RowReader {
    private var stored: StoredRows
    private var file: OpenFile
    private var rows = ScratchBuffer()
    /// Rows, one channel after another.
    private var channels = ScratchBuffer()
    /// A chunk as it is stored, as it was shuffled, and its rows.
    private var packed = ScratchBuffer()
    private var scratch = ScratchBuffer()
    private var chunk = ScratchBuffer()
    /// The number of the chunk that is unpacked.
    private var current = -1
    private var decompressor: ChunkDecompressor?

    init(_ stored: StoredRows, in file: OpenFile) { (self.stored, self.file) = (stored, file) }

    /// Continues with the rows of another file.
    func move(to stored: StoredRows, in file: OpenFile) { (self.stored, self.file, current) = (stored, file, -1) }

    /// Rows as they are stored, the channels of each side by side; valid until the next call.
    ///
    /// - Throws: `StorageError`, `.damaged` also where the range lies outside, or the file ends before.
    func bytes(_ range: Range<Int>) throws(StorageError) -> UnsafeRawBufferPointer {
        guard range.lowerBound >= 0, range.upperBound <= stored.rows else {
            throw damaged("the dataset has \(stored.rows) rows, but row \(range.upperBound - 1) is needed")
        }
        let target = rows.reserve(range.count * stored.rowBytes)
        switch stored.location {
        case .onePiece(let offset):
            if let order = stored.order {
                try readChannels(range, order, from: offset, into: target)
            } else {
                try file.descriptor.read(into: target, at: offset + range.lowerBound * stored.rowBytes)
            }
        case .chunks(let table): try readChunks(range, table, into: target)
        }
        return UnsafeRawBufferPointer(target)
    }

    /// Rows of a tensor as values.
    ///
    /// - Throws: As `bytes`.
    func matrix(_ range: Range<Int>, bins: Int) throws(StorageError) -> FeatureMatrix {
        let bytes = try bytes(range)
        let values =
            stored.element == .float16
            ? HalfPrecision.floats(bytes) : Array(bytes.assumingMemoryBound(to: Float.self))
        return FeatureMatrix(bins: bins, values: values)
    }

    private func damaged(_ found: String) -> StorageError { .damaged(path: file.descriptor.path, found: found) }

    /// Channels follow one another within the block of a clip.
    private func readChannels(
        _ range: Range<Int>, _ order: ChannelOrder, from offset: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let channelBytes = stored.rowBytes / order.channels
        var row = range.lowerBound
        while row < range.upperBound {
            let (block, first) = row.quotientAndRemainder(dividingBy: stored.blockRows)
            let count = min(stored.blockRows - first, range.upperBound - row)
            let apart = channels.reserve(count * stored.rowBytes)
            for channel in 0..<order.channels {
                let start = (block * order.channels + channel) * stored.blockRows + first
                let part = channel * count * channelBytes..<(channel + 1) * count * channelBytes
                try file.descriptor.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: apart[part]), at: offset + start * channelBytes)
            }
            let start = (row - range.lowerBound) * stored.rowBytes
            order.join(
                UnsafeRawBufferPointer(apart),
                into: UnsafeMutableRawBufferPointer(rebasing: target[start..<start + apart.count]))
            row += count
        }
    }

    private func readChunks(
        _ range: Range<Int>, _ table: ChunkTable, into target: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let perBlock = (stored.blockRows + table.rows - 1) / table.rows
        var row = range.lowerBound
        while row < range.upperBound {
            let (block, inBlock) = row.quotientAndRemainder(dividingBy: stored.blockRows)
            let (number, first) = inBlock.quotientAndRemainder(dividingBy: table.rows)
            let count = min(table.rows - first, stored.blockRows - inBlock, range.upperBound - row)
            let bytes = try unpacked(block * perBlock + number, table)
            let start = (row - range.lowerBound) * stored.rowBytes
            UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(
                from: UnsafeRawBufferPointer(
                    rebasing: bytes[first * stored.rowBytes..<(first + count) * stored.rowBytes]))
            row += count
        }
    }

    private func unpacked(_ number: Int, _ table: ChunkTable) throws(StorageError) -> UnsafeRawBufferPointer {
        let count = table.rows * stored.rowBytes
        let target = chunk.reserve(count)
        guard current != number else { return UnsafeRawBufferPointer(target) }
        current = -1
        let (offset, byteCount, mask) = table[number]
        let bytes = packed.reserve(byteCount)
        try file.descriptor.read(into: bytes, at: offset)
        let decompressor =
            if let known = self.decompressor { known } else {
                try ChunkDecompressor(path: file.descriptor.path)
            }
        self.decompressor = decompressor
        let plain = stored.order == nil ? target : channels.reserve(count)
        guard
            decompressor.unpack(
                UnsafeRawBufferPointer(bytes), scratch.reserve(count), shuffledSize: table.shuffledSize, mask: mask,
                into: plain)
        else { throw damaged("the chunk at byte \(offset) cannot be unpacked") }
        stored.order?.join(UnsafeRawBufferPointer(plain), into: target)
        current = number
        return UnsafeRawBufferPointer(target)
    }
}
