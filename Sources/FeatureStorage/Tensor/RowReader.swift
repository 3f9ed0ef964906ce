import ClipSpool
import FeatureModel
import FileIO

/// Reads `StoredRows` to a buffer of its own: each thread has one.
final class RowReader {
    private var stored: StoredRows
    private var file: OpenFile
    private var rows = GrowingRoom()
    /// Rows, one channel after another.
    private var channels = GrowingRoom()
    /// A chunk as it is stored, as it was shuffled, and its rows.
    private var packed = GrowingRoom()
    private var scratch = GrowingRoom()
    private var chunk = GrowingRoom()
    /// The number of the chunk that is unpacked.
    private var current = -1
    private var decompressor: ChunkDecompressor?

    init(_ stored: StoredRows, in file: OpenFile) { (self.stored, self.file) = (stored, file) }

    /// Goes on with the rows of another file.
    func move(to stored: StoredRows, in file: OpenFile) { (self.stored, self.file, current) = (stored, file, -1) }

    /// Rows as they are stored, the channels of each side by side; valid until the next call.
    ///
    /// - Throws: `StorageError`, `.damaged` also where the range lies outside, or the file ends before.
    func bytes(_ range: Range<Int>) throws(StorageError) -> UnsafeRawBufferPointer {
        guard range.lowerBound >= 0, range.upperBound <= stored.rows else {
            throw damaged("the dataset has \(stored.rows) rows, but row \(range.upperBound - 1) is needed")
        }
        let target = rows.room(range.count * stored.rowBytes)
        switch stored.place {
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
            let apart = channels.room(count * stored.rowBytes)
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
        let target = chunk.room(count)
        guard current != number else { return UnsafeRawBufferPointer(target) }
        current = -1
        let (offset, byteCount, mask) = table[number]
        let bytes = packed.room(byteCount)
        try file.descriptor.read(into: bytes, at: offset)
        let decompressor =
            if let known = self.decompressor { known } else {
                try ChunkDecompressor(path: file.descriptor.path)
            }
        self.decompressor = decompressor
        let plain = stored.order == nil ? target : channels.room(count)
        guard
            decompressor.unpack(
                UnsafeRawBufferPointer(bytes), scratch.room(count), shuffledSize: table.shuffledSize, mask: mask,
                into: plain)
        else { throw damaged("the chunk at byte \(offset) cannot be unpacked") }
        stored.order?.join(UnsafeRawBufferPointer(plain), into: target)
        current = number
        return UnsafeRawBufferPointer(target)
    }
}
