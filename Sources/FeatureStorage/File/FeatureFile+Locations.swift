import FeatureModel
import FileIO

/// What other threads can read without libhdf5. Each is nil where only libhdf5 can read it, because the file has another form
/// than this program writes, or is damaged.
extension FeatureFile {
    /// HDF5's numbers of the filters shuffle and deflate.
    private static let (shuffle, deflate): (Int32, Int32) = (2, 1)
    /// Maximum size of a chunk, unless a single row or patch is larger. A damaged file may claim any size.
    private static let maximumChunkBytes = 16 << 20

    /// The rows of `/features`.
    func storedRows() throws(StorageError) -> StoredRows? {
        try checkSize()
        guard let chunkRows = shape.chunkRows else {
            guard let offset = try file.exactOffset(of: "/features", shape.element.number) else { return nil }
            return StoredRows(shape, .onePiece(offset))
        }
        guard chunkRows <= Self.maximumChunkBytes / shape.rowBytes,
            let (chunks, filters) = try file.exactChunks(of: "/features", shape.element.number),
            filters.map(\.number) == [Self.shuffle, Self.deflate], filters[0].parameter == UInt32(shape.element.size)
        else { return nil }
        let (shape, blockRows) = (shape, shape.layout == .fixed ? shape.frames : shape.rows)
        let perBlock = (blockRows + chunkRows - 1) / chunkRows
        let table = ChunkTable(
            chunks, count: shape.layout == .fixed ? perBlock * shape.clips : perBlock, rows: chunkRows,
            shuffledSize: shape.element.size
        ) { start in
            guard shape.layout == .fixed else { return start[0] * shape.patchRows / chunkRows }
            return start[0] * perBlock + start[shape.isByChannel ? 2 : 1] * shape.patchRows / chunkRows
        }
        return table.map { StoredRows(shape, .chunks($0)) }
    }

    /// The rows of `/frame_label`.
    func storedFrameLabels() throws(StorageError) -> StoredRows? {
        guard let offset = try file.exactOffset(of: FrameLabels.dataset, Int32.self) else { return nil }
        return StoredRows(rows: rows, rowBytes: MemoryLayout<Int32>.size, .onePiece(offset))
    }

    /// The rows of `/clips/label_matrix`.
    func storedLabelRows() throws(StorageError) -> StoredRows? {
        let (name, labels) = (ClipTable.labelMatrix, header.labels.count)
        guard try file.extents(of: name) == [clipCount, labels], let chunk = try file.chunkExtents(of: name),
            chunk.count == 2, chunk[0] > 0, chunk[1] == labels, labels > 0,
            chunk[0] <= Self.maximumChunkBytes / labels,
            let (chunks, filters) = try file.exactChunks(of: name, UInt8.self),
            filters.map(\.number) == [Self.deflate],
            let table = ChunkTable(
                chunks, count: (clipCount + chunk[0] - 1) / chunk[0], rows: chunk[0], shuffledSize: 1,
                number: { $0[0] / chunk[0] })
        else { return nil }
        return StoredRows(rows: clipCount, rowBytes: labels, .chunks(table))
    }
}
