import ClipSpool
import FeatureModel
import FileIO

/// Writes the rows of one clip after another; one thread at a time.
///
/// `start`, then `append` any number of times, then `finish`. Where the tensor is compressed, the clips that all workers
/// together take have to be 0, 1, 2 …, each once, and a worker's own have to rise: see `ChunkOrder`.
package final class TensorWorker {
    private let writer: TensorWriter
    private let order: (any ChunkOrder)?
    private let shape: TensorShape
    private var hash = XXH3Hash128()
    private let compressor: ChunkCompressor?
    /// Nil: the dataset has the order of rows.
    private let channelOrder: ChannelOrder?
    /// Rows, one channel after another.
    private var separated: [UInt8] = []
    /// The chunk that is being filled.
    private let chunk: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var pending = PendingChunks()
    private var clip = 0
    private var firstRow = 0
    private var row = 0
    /// Rows that are not written yet, from row `gatheredRow` on.
    private var gathered = ByteBuffer(capacity: 0)
    private var gatheredRow = 0
    private var gathers = false

    /// Bytes of rows that are written together, and of rows that are written at once.
    private static let (gatheredSize, largeSize) = (1 << 18, 1 << 17)
    /// Bytes of a clip that are kept until its turn comes. With more, the worker waits for the turn.
    private static let maximumKept = 4 << 20

    init(_ writer: TensorWriter, order: (any ChunkOrder)?) throws(StorageError) {
        self.writer = writer
        self.order = order
        shape = writer.shape
        let chunkBytes = (writer.chunks == nil ? nil : shape.chunkRows).map { $0 * writer.shape.rowBytes }
        compressor =
            if let chunkBytes {
                try ChunkCompressor(
                    elementSize: writer.shape.element.size, level: ChunkCompressor.level(writer.shape.element),
                    chunkBytes: chunkBytes, path: writer.path)
            } else {
                nil
            }
        chunk = .allocate(byteCount: chunkBytes ?? 0, alignment: 64)
        channelOrder = ChannelOrder(shape)
    }

    deinit { chunk.deallocate() }

    /// Starts a clip.
    ///
    /// - Parameters:
    ///   - clip: Its number among the stored ones.
    ///   - row: Its first row.
    ///   - gathers: Whether its rows may stay in memory until `flush`, to be written with those of adjacent clips.
    package func start(clip: Int, row: Int, gathers: Bool = false) {
        self.gathers = gathers
        self.clip = clip
        firstRow = row
        self.row = row
        filled = 0
        pending.removeAll()
        hash.reset()
    }

    /// Writes the next rows of the clip. The values are changed where they are stored with less precision.
    ///
    /// - Precondition: Whole rows, within the tensor.
    /// - Throws: `StorageError`, for example if the disk is full.
    package func append(_ rows: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
        let bytes = shape.element == .float16 ? HalfPrecision.encode(rows) : UnsafeRawBufferPointer(rows)
        hash.update(bytes)
        guard let compressor else {
            try write(bytes)
            row += rows.count / shape.bins
            return
        }
        var taken = 0
        while taken < bytes.count {
            let count = min(bytes.count - taken, chunk.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: chunk[filled..<filled + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
            filled += count
            taken += count
            if filled == chunk.count { try put(compressor) }
        }
    }

    /// Ends the clip: the rest of its last chunk, and of its block, is padded.
    ///
    /// - Returns: The checksum of its rows as stored, without the padding.
    /// - Throws: `StorageError`.
    package func finish() throws(StorageError) -> Checksum128 {
        let checksum = hash.finish()
        guard let compressor else { return checksum }
        if filled > 0 {
            pad(from: filled)
            try put(compressor)
        }
        let end = firstRow + (shape.layout == .fixed ? shape.frames : 0)
        if row < end {
            pad(from: 0)
            while row < end { try put(compressor) }
        }
        if let order {
            try order.finish(pending, of: clip)
            pending = PendingChunks()
        }
        return checksum
    }

    /// Writes the rows that are in memory.
    ///
    /// - Throws: `StorageError`.
    package func flush() throws(StorageError) {
        guard gathered.count > 0 else { return }
        defer { gathered.truncate(to: 0) }
        try writer.write(gathered.bytes, at: gatheredRow * shape.rowBytes)
    }

    /// Writes rows, or keeps few of them until there are more.
    private func gather(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        if gatheredRow + gathered.count / shape.rowBytes != row || gathered.count + bytes.count > Self.gatheredSize {
            try flush()
        }
        guard gathers, bytes.count < Self.largeSize else {
            try flush()
            return try writer.write(bytes, at: row * shape.rowBytes)
        }
        if gathered.count == 0 { gatheredRow = row }
        gathered.append(bytes)
    }

    /// Writes rows to a tensor in one piece; those of a channel are apart there, if channels follow one another.
    private func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard let channelOrder, shape.frames > 0 else { return try gather(bytes) }
        separate(bytes, channelOrder)
        let count = bytes.count / shape.rowBytes
        let channelBytes = shape.rowBytes / channelOrder.channels
        let (clip, frame) = (row / shape.frames, row % shape.frames)
        for channel in 0..<channelOrder.channels {
            let start = ((clip * channelOrder.channels + channel) * shape.frames + frame) * channelBytes
            let part = channel * count * channelBytes..<(channel + 1) * count * channelBytes
            try separated[part].withUnsafeBufferPointer { part throws(StorageError) in
                try writer.write(UnsafeRawBufferPointer(part), at: start)
            }
        }
    }

    private func separate(_ rows: UnsafeRawBufferPointer, _ order: ChannelOrder) {
        if separated.count != rows.count { separated = [UInt8](repeating: 0, count: rows.count) }
        separated.withUnsafeMutableBytes { order.separate(rows, into: $0) }
    }

    /// Compresses the full chunk, and hands it on.
    private func put(_ compressor: ChunkCompressor) throws(StorageError) {
        if let channelOrder {
            separate(UnsafeRawBufferPointer(chunk), channelOrder)
            separated.withUnsafeBytes { pending.append(compressor.compress($0), row: row) }
        } else {
            pending.append(compressor.compress(UnsafeRawBufferPointer(chunk)), row: row)
        }
        row += chunk.count / shape.rowBytes
        filled = 0
        guard let order else {
            try writer.write(pending)
            return pending.removeAll()
        }
        let isWritten = try order.write(pending, of: clip, mayWait: pending.byteCount > Self.maximumKept)
        // After a stop nothing is written any more, and nothing need be kept.
        if isWritten || order.isStopped { pending.removeAll() }
    }

    /// Rows that belong to no clip are not a number; those after a clip in its block are 0.
    private func pad(from start: Int) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: chunk[start...])
        switch (shape.layout, shape.element) {
        case (.fixed, _): rest.initializeMemory(as: UInt8.self, repeating: 0)
        case (.packed, .float32):
            rest.initializeMemory(as: UInt32.self, repeating: TensorPadding.notANumber.littleEndian)
        case (.packed, .float16):
            rest.initializeMemory(as: UInt16.self, repeating: TensorPadding.quietNaNHalf.littleEndian)
        }
    }
}
