import FeatureModel

/// How `/features` lies in a file: its extents, its numbers, its chunks.
///
/// In either layout, its values are rows of `bins` numbers, one after another: those of the packed layout, or, in the
/// fixed one, `frames` for each clip. So row numbers mean the same in both. Where rows are grouped into patches, they are the rows
/// of all patches, one after another.
public struct TensorShape: Hashable, Sendable {
    /// How clips share the rows.
    public let layout: StoreConfiguration.Layout
    /// The stored number.
    public let element: StoreConfiguration.Element
    /// Number of clips.
    public private(set) var clips: Int
    /// Number of all rows, those that belong to no clip included.
    public private(set) var rows: Int
    /// Number of rows of every clip's block in the fixed layout; 0 in the packed one.
    public let frames: Int
    /// Values in a row.
    public let bins: Int
    /// Number of rows of a chunk where the tensor is compressed; nil: it lies in one piece.
    public private(set) var chunkRows: Int?
    /// The patches that rows are grouped into; nil: they are not.
    public let patch: PatchShape?
    /// The channels whose values are side by side in a row; nil: the dataset has no axis for them.
    public let channels: Int?

    /// The compression.
    public var compression: StoreConfiguration.Compression { chunkRows == nil ? .none : .deflate }

    /// A packed tensor of these rows, whole patches where there are such.
    public static func packed(
        rows: Int, clips: Int, bins: Int, element: StoreConfiguration.Element = .float32, chunkRows: Int? = nil,
        patch: PatchShape? = nil, channels: Int? = nil
    ) -> TensorShape {
        TensorShape(
            layout: .packed, element: element, clips: clips, rows: rows, frames: 0, bins: bins, chunkRows: chunkRows,
            patch: patch, channels: channels)
    }

    /// A fixed tensor; nil where the number of its rows cannot be counted.
    public static func fixed(
        frames: Int, clips: Int, bins: Int, element: StoreConfiguration.Element = .float32, chunkRows: Int? = nil,
        patch: PatchShape? = nil, channels: Int? = nil
    ) -> TensorShape? {
        guard let rows = [frames, clips].product() else { return nil }
        return TensorShape(
            layout: .fixed, element: element, clips: clips, rows: rows, frames: frames, bins: bins,
            chunkRows: chunkRows, patch: patch, channels: channels)
    }

    /// The same in one piece.
    var withoutChunks: TensorShape {
        var shape = self
        shape.chunkRows = nil
        return shape
    }

    /// The same of other clips, with so many rows where it is packed; nil where the number of rows cannot be counted.
    func with(clips: Int, rows: Int, chunkRows: Int?) -> TensorShape? {
        guard let blockRows = [frames, clips].product() else { return nil }
        var shape = self
        (shape.clips, shape.chunkRows) = (clips, chunkRows)
        shape.rows = layout == .packed ? rows : blockRows
        return shape
    }

    /// Extents of arrays with one value for each column: [bins], or [channels, bins].
    public var columnExtents: [Int] { (channels.map { [$0] } ?? []) + [channelBins] }

    /// Values in a row of one channel.
    public var channelBins: Int { bins / max(channels ?? 1, 1) }

    /// Whether the dataset has all frames of a channel of a clip before those of the next one.
    var isByChannel: Bool { layout == .fixed && channels != nil }

    /// Rows of a patch; 1: rows are not grouped.
    public var patchRows: Int { patch?.length ?? 1 }

    /// Extents of the dataset without those of a row: of a dataset with a number for each row.
    public var rowExtents: [Int] {
        let grouped = patch.map { [$0.length] } ?? []
        return switch layout {
        case .packed: [rows / patchRows] + grouped
        case .fixed: [clips, frames / patchRows] + grouped
        }
    }

    /// Extents of the dataset.
    public var extents: [Int] {
        guard isByChannel, let channels else { return extents(ofRows: rowExtents) }
        return [clips, channels, frames, channelBins]
    }

    /// Extents of a chunk; nil where there are none.
    var chunkExtents: [Int]? {
        chunkRows.map { chunk in
            if isByChannel, let channels { return [1, channels, chunk, channelBins] }
            return extents(
                ofRows: (layout == .packed ? [] : [1]) + [chunk / patchRows] + (patch.map { [$0.length] } ?? []))
        }
    }

    /// Extents of an array of some rows, whole patches where there are such: [rows, bins], or those of the patches.
    public func extents(rows count: Int) -> [Int] {
        extents(ofRows: [count / patchRows] + (patch.map { [$0.length] } ?? []))
    }

    /// The same of an array with a number for each row.
    public func rowExtents(rows count: Int) -> [Int] { [count / patchRows] + (patch.map { [$0.length] } ?? []) }

    /// Extents in the dataset of a number of rows in each dimension: the values of a stacked patch are one row of the dataset.
    private func extents(ofRows rows: [Int]) -> [Int] {
        guard let patch, patch.isStacked, let last = rows.last else {
            return rows + (channels.map { [$0] } ?? []) + [channelBins]
        }
        return rows.dropLast() + [last * bins]
    }

    /// Bytes of a row.
    var rowBytes: Int { bins * element.size }

    /// Bytes of the tensor without compression; nil where they are too many to be counted.
    var byteCount: Int? { [rows, bins, element.size].product() }

    /// Rows of the block of a clip with `frameCount` frames: as many in a packed tensor, a number of whole chunks where that is
    /// compressed, the block of the fixed layout.
    public func blockRows(frameCount: Int) -> Int {
        switch layout {
        case .fixed: frames
        case .packed: chunkRows.map { (frameCount + $0 - 1) / $0 * $0 } ?? frameCount
        }
    }

    /// Whether `count` rows from `start` can be those of a clip: within the tensor and, in the fixed layout, within one block.
    func contains(rows count: Int, from start: Int) -> Bool {
        guard start >= 0, count >= 0, start <= rows, count <= rows - start else { return false }
        return layout == .packed || count <= frames - start % frames || count == 0
    }

    /// The rows of a clip by the numbers that a file holds of it: the only way from these to rows that are read.
    ///
    /// - Parameters:
    ///   - path: Path of the file.
    ///   - clip: Names the clip.
    /// - Throws: `StorageError.damaged` where they lie outside the tensor.
    func rows(
        _ count: Int, from start: Int, in path: String, clip: @autoclosure () -> String
    ) throws(StorageError) -> Range<Int> {
        guard contains(rows: count, from: start) else {
            throw .damaged(path: path, found: "\(clip()) has rows from \(start), \(count) of them, of \(rows)")
        }
        return start..<start + count
    }

    /// Rows that are a block of a dataset with a number for each row: where it starts there, and its extents.
    struct Block {
        let rows: Range<Int>
        let start: [Int]
        let count: [Int]
    }

    /// The blocks that rows lie in: as few as whole clips of the fixed layout, whole patches and parts of either allow.
    func blocks(of range: Range<Int>) -> [Block] { Self.blocks(of: range, rowExtents[...]) }

    private static func blocks(of range: Range<Int>, _ extents: ArraySlice<Int>) -> [Block] {
        let inner = extents.dropFirst()
        // The rows for each index of the first dimension.
        let size = inner.reduce(1, *)
        guard !inner.isEmpty, size > 0 else {
            return [Block(rows: range, start: [range.lowerBound], count: [range.count])]
        }
        var blocks: [Block] = []
        var row = range.lowerBound
        while row < range.upperBound {
            let (index, offset) = (row / size, row % size)
            let whole = offset == 0 ? (range.upperBound - row) / size : 0
            if whole > 0 {
                blocks.append(
                    Block(
                        rows: row..<row + whole * size, start: [index] + inner.map { _ in 0 },
                        count: [whole] + inner))
                row += whole * size
                continue
            }
            let end = min(range.upperBound, (index + 1) * size)
            for part in Self.blocks(of: offset..<offset + end - row, inner) {
                blocks.append(
                    Block(
                        rows: part.rows.lowerBound + index * size..<part.rows.upperBound + index * size,
                        start: [index] + part.start, count: [1] + part.count))
            }
            row = end
        }
        return blocks
    }

    /// The values of a block of rows in the dataset.
    func selection(_ block: Block) -> (start: [Int], count: [Int]) {
        if isByChannel, let channels {
            return ([block.start[0], 0, block.start[1], 0], [block.count[0], channels, block.count[1], channelBins])
        }
        guard let patch, patch.isStacked, let start = block.start.last, let count = block.count.last else {
            let inner = (channels.map { [$0] } ?? []) + [channelBins]
            return (block.start + inner.map { _ in 0 }, block.count + inner)
        }
        return (block.start.dropLast() + [start * bins], block.count.dropLast() + [count * bins])
    }

    /// Offset in the dataset of the chunk that starts with a row.
    func chunkOffset(row: Int) -> [Int] {
        if isByChannel { return [row / max(frames, 1), 0, row % max(frames, 1), 0] }
        let offsets =
            (layout == .packed ? [row / patchRows] : [row / max(frames, 1), row % max(frames, 1) / patchRows])
            + (patch == nil ? [] : [0])
        return patch?.isStacked == true ? offsets : offsets + (channels == nil ? [0] : [0, 0])
    }
}

/// How many rows a chunk of a compressed tensor has.
package enum ChunkSize {
    /// Chunks are no larger than this, in bytes, if they can have more than `minimumRows` rows: small enough that reading a clip
    /// unpacks little else.
    static let preferredBytes = 65_536
    /// And no larger than this in any case: libhdf5's cache holds as much, and unpacks a larger chunk again for each row.
    static let maximumBytes = 1 << 20
    /// Rows of a chunk where no larger number is good.
    static let minimumRows = 8
    /// Maximum number of rows of a chunk.
    static let maximumRows = 256
    /// The share of rows that may be padding.
    static let maximumPadding = 0.05

    /// The number of rows of a chunk.
    ///
    /// Every clip starts a chunk of its own, so the rows after its last one are padding. The number is the largest of
    /// 8, 16, 32 … 256 with which a chunk has at most 64 KiB and the padding is at most 5 % of the rows of all clips; 8
    /// where none is. Only where 8 rows are more than 1 MiB is it less: 4, 2 or 1.
    ///
    /// - Parameters:
    ///   - rowBytes: Bytes of a row.
    ///   - lengths: For each length that clips have, in rows, the number of those clips. In the fixed layout: that of a
    ///     block, once.
    ///   - patchRows: Rows of a patch. A chunk has whole patches: patches are counted instead of rows.
    package static func rows(rowBytes: Int, lengths: [Int: Int], patchRows: Int) -> Int {
        let patches = Dictionary(lengths.map { ($0.key / patchRows, $0.value) }, uniquingKeysWith: +)
        return rows(rowBytes: rowBytes * patchRows, lengths: patches) * patchRows
    }

    /// The same for rows that are not grouped.
    package static func rows(rowBytes: Int, lengths: [Int: Int]) -> Int {
        let rows = lengths.reduce(0.0) { $0 + Double($1.key) * Double($1.value) }
        func padding(_ chunk: Int) -> Double {
            lengths.reduce(0.0) { $0 + Double((chunk - $1.key % chunk) % chunk) * Double($1.value) }
        }
        var size = maximumRows
        while size > minimumRows {
            if size <= preferredBytes / max(rowBytes, 1), padding(size) <= maximumPadding * rows { return size }
            size /= 2
        }
        while size > 1, size > maximumBytes / max(rowBytes, 1) { size /= 2 }
        return size
    }
}

/// The values of rows that are not a clip's frames.
enum TensorPadding {
    /// The bits of the float32 between packed clips: a quiet NaN without a payload.
    static let notANumber: UInt32 = 0x7FC0_0000
    /// The same in half precision.
    static let quietNaNHalf: UInt16 = 0x7E00

    /// Whether a value, as read, is that of padding, to the bit.
    static func isPadding(_ value: Float, _ layout: StoreConfiguration.Layout) -> Bool {
        value.bitPattern == (layout == .packed ? notANumber : 0)
    }
}
