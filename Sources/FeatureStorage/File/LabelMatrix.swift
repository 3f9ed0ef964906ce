import FileIO

/// Writes `/clips/label_matrix`, [clips, labels] of 0 and 1, in deflated chunks of whole rows: one is in memory at a time.
final class LabelMatrix {
    /// A chunk is no larger than this, unless a row is.
    private static let chunkBytes = 1 << 16
    private static let level: Int32 = 4

    private let labels: Int
    private let chunkRows: Int
    /// Nil: the matrix has no values.
    private let chunks: HDF5Chunks?
    private let compressor: ChunkCompressor
    private var chunk: [UInt8]
    private var rows = 0

    /// Makes the dataset.
    ///
    /// - Throws: `StorageError`.
    init(clips: Int, labels: Int, in hdf5: borrowing HDF5Writer) throws(StorageError) {
        self.labels = labels
        chunkRows = max(1, min(clips, Self.chunkBytes / max(labels, 1)))
        chunk = [UInt8](repeating: 0, count: chunkRows * labels)
        compressor = try ChunkCompressor(
            elementSize: 1, level: Self.level, chunkBytes: chunk.count, path: hdf5.path)
        let name = ClipTable.labelMatrix
        guard clips > 0, labels > 0 else {
            chunks = nil
            try hdf5.create(name, of: UInt8.self, extents: [clips, labels])
            return
        }
        try hdf5.createCompressed(
            name, of: UInt8.self, extents: [clips, labels], chunk: [chunkRows, labels], level: Self.level)
        chunks = try hdf5.chunks(of: name)
    }

    /// Appends the row of a clip.
    ///
    /// - Throws: `StorageError.hdf5`.
    func append(_ indices: [Int]) throws(StorageError) {
        let first = rows % chunkRows * labels
        for index in indices { chunk[first + index] = 1 }
        rows += 1
        if rows % chunkRows == 0 { try flush(from: rows - chunkRows) }
    }

    /// Writes the rest.
    ///
    /// - Throws: `StorageError.hdf5`.
    func finish() throws(StorageError) {
        if rows % chunkRows > 0 { try flush(from: rows - rows % chunkRows) }
        try chunks?.close()
    }

    private func flush(from row: Int) throws(StorageError) {
        guard let chunks else { return }
        try chunk.withUnsafeBufferPointer { rows throws(StorageError) in
            let stored = compressor.compress(UnsafeRawBufferPointer(rows))
            try chunks.write(stored.bytes, filterMask: stored.filterMask, at: [row, 0])
        }
        for index in chunk.indices { chunk[index] = 0 }
    }

    /// The row of a clip with these labels.
    static func row(_ indices: [Int], labels: Int) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: labels)
        for index in indices { row[index] = 1 }
        return row
    }

    /// Rows as they are stored, one after another.
    ///
    /// - Throws: `StorageError`, `.damaged` where the matrix has not a column for each label.
    static func rows(
        _ range: Range<Int>, labels: Int, from file: borrowing HDF5File
    ) throws(StorageError) -> [UInt8] {
        guard labels > 0, !range.isEmpty else { return [] }
        let values = try file.read(ClipTable.labelMatrix, as: UInt8.self, range: range)
        guard values.count == range.count * labels else {
            throw .damaged(
                path: file.path, found: "\(ClipTable.labelMatrix) has not one value for each of \(labels) labels")
        }
        return values
    }
}
