import Checksums
import FeatureModel

/// How `/features` lies in a file: its extents, its numbers, its chunks.
///
/// In either layout, its values are rows of `bins` numbers, one after another: those of the packed layout, or, in the
/// fixed one, `frames` for each clip. So row numbers, such as `frame_start`, mean the same in both.
public struct TensorShape: Hashable, Sendable {
    /// How clips share the rows.
    public let layout: StoreConfiguration.Layout
    /// The stored number.
    public let element: StoreConfiguration.Element
    /// Number of clips.
    public let clips: Int
    /// Number of all rows, those that belong to no clip included.
    public let rows: Int
    /// Number of rows of every clip's block in the fixed layout; 0 in the packed one.
    public let frames: Int
    /// Values in a row.
    public let bins: Int
    /// Number of rows of a chunk where the tensor is compressed; nil: it lies in one piece.
    public let chunkRows: Int?

    /// The compression.
    public var compression: StoreConfiguration.Compression { chunkRows == nil ? .none : .deflate }

    /// A packed tensor of these rows.
    public static func packed(
        rows: Int, clips: Int, bins: Int, element: StoreConfiguration.Element = .float32, chunkRows: Int? = nil
    ) -> TensorShape {
        TensorShape(
            layout: .packed, element: element, clips: clips, rows: rows, frames: 0, bins: bins, chunkRows: chunkRows)
    }

    /// A fixed tensor; nil where the number of its rows cannot be counted.
    public static func fixed(
        frames: Int, clips: Int, bins: Int, element: StoreConfiguration.Element = .float32, chunkRows: Int? = nil
    ) -> TensorShape? {
        let (rows, overflow) = frames.multipliedReportingOverflow(by: clips)
        guard !overflow else { return nil }
        return TensorShape(
            layout: .fixed, element: element, clips: clips, rows: rows, frames: frames, bins: bins,
            chunkRows: chunkRows)
    }

    /// The same in one piece.
    var withoutChunks: TensorShape {
        TensorShape(
            layout: layout, element: element, clips: clips, rows: rows, frames: frames, bins: bins, chunkRows: nil)
    }

    /// Extents of the dataset.
    public var extents: [Int] { layout == .packed ? [rows, bins] : [clips, frames, bins] }

    /// Extents of a chunk; nil where there are none.
    var chunkExtents: [Int]? { chunkRows.map { layout == .packed ? [$0, bins] : [1, $0, bins] } }

    /// Bytes of a row.
    var rowBytes: Int { bins * element.size }

    /// Bytes of the tensor without compression; nil where they are too many to be counted.
    var byteCount: Int? {
        let (values, tooMany) = rows.multipliedReportingOverflow(by: bins)
        let (bytes, tooLarge) = values.multipliedReportingOverflow(by: element.size)
        return tooMany || tooLarge ? nil : bytes
    }

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

    /// The blocks of a dataset with a number for each row, [rows] or [clips, frames], that rows lie in: whole clips of the fixed
    /// layout at once, and parts of clips.
    func blocks(of range: Range<Int>) -> [(rows: Range<Int>, start: [Int], count: [Int])] {
        guard layout == .fixed, frames > 0 else { return [(range, [range.lowerBound], [range.count])] }
        var blocks: [(rows: Range<Int>, start: [Int], count: [Int])] = []
        var row = range.lowerBound
        while row < range.upperBound {
            let (clip, frame) = (row / frames, row % frames)
            let whole = frame == 0 ? (range.upperBound - row) / frames : 0
            let end = min(range.upperBound, (clip + max(whole, 1)) * frames)
            blocks.append((row..<end, [clip, frame], whole > 0 ? [whole, frames] : [1, end - row]))
            row = end
        }
        return blocks
    }

    /// Offset in the dataset of a row, or of the chunk that starts with it.
    func chunkOffset(row: Int) -> [Int] { layout == .packed ? [row, 0] : [row / frames, row % frames, 0] }
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

/// What stands in rows that are no clip's frames.
enum TensorFilling {
    /// The bits of the float32 between packed clips: a quiet NaN without a payload.
    static let notANumber: UInt32 = 0x7FC0_0000
    /// The same in half precision.
    static let quietNaNHalf: UInt16 = 0x7E00

    /// Whether a value, as read, is what has to stand there, to the bit.
    static func isFilling(_ value: Float, _ layout: StoreConfiguration.Layout) -> Bool {
        value.bitPattern == (layout == .packed ? notANumber : 0)
    }

    /// Adds the first `count` values to a checksum, as they are stored. They may be changed.
    static func update(
        _ hash: inout XXH3Hash128, with values: inout [Float], count: Int, as element: StoreConfiguration.Element
    ) {
        values.withUnsafeMutableBufferPointer { values in
            let own = UnsafeMutableBufferPointer(rebasing: values[..<count])
            hash.update(element == .float16 ? HalfPrecision.encode(own) : UnsafeRawBufferPointer(own))
        }
    }
}
