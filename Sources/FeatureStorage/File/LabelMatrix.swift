import CDeflate
import ClipSpool
import FeatureModel
import FileIO
import Platform

/// Writes `/clips/label_matrix`, [clips, labels] of 0 and 1, in deflated chunks of whole rows: one is in memory at a time.
final class LabelMatrix {
    /// A chunk is no larger than this, unless a row is.
    private static let chunkBytes = 1 << 16
    private static let level: Int32 = 4
    /// Bytes that are read at a time.
    private static let readBytes = 1 << 24
    /// The bit of the filter mask for the only filter.
    private static let withoutDeflate: UInt32 = 1

    private let labels: Int
    private let chunkRows: Int
    private let path: String
    /// Nil: the matrix has no values.
    private let chunks: HDF5Chunks?
    private let compressor: OpaquePointer
    private var chunk: [UInt8]
    private var deflated: [UInt8]
    private var rows = 0

    /// Makes the dataset.
    ///
    /// - Throws: `StorageError`.
    init(clips: Int, labels: Int, in hdf5: borrowing HDF5Writer) throws(StorageError) {
        self.labels = labels
        path = hdf5.path
        chunkRows = max(1, min(clips, Self.chunkBytes / max(labels, 1)))
        guard let compressor = libdeflate_alloc_compressor(Self.level) else {
            throw .system(operation: "making room for compression", path: path, code: ENOMEM)
        }
        self.compressor = compressor
        chunk = [UInt8](repeating: 0, count: chunkRows * labels)
        deflated = chunk
        let name = ClipTable.labelMatrix
        guard clips > 0, labels > 0 else {
            chunks = nil
            try hdf5.create(name, of: UInt8.self, extents: [clips, labels])
            return
        }
        try hdf5.createCompressedBytes(
            name, extents: [clips, labels], chunk: [chunkRows, labels], level: Self.level)
        chunks = try hdf5.chunks(of: name)
    }

    deinit { libdeflate_free_compressor(compressor) }

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
        let count = deflated.withUnsafeMutableBytes { target in
            chunk.withUnsafeBytes {
                libdeflate_zlib_compress(compressor, $0.baseAddress, $0.count, target.baseAddress, target.count - 1)
            }
        }
        let stored = count > 0 ? deflated[..<count] : chunk[...]
        try stored.withUnsafeBufferPointer { bytes throws(StorageError) in
            try chunks.write(
                UnsafeRawBufferPointer(bytes), filterMask: count > 0 ? 0 : Self.withoutDeflate, at: [row, 0])
        }
        for index in chunk.indices { chunk[index] = 0 }
    }

    /// The row of a clip with these labels.
    static func row(_ indices: [Int], labels: Int) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: labels)
        for index in indices { row[index] = 1 }
        return row
    }

    /// The indices of the labels of clips.
    ///
    /// - Throws: `StorageError`, `.damaged` where the matrix has not a column for each label.
    static func indices(
        _ range: Range<Int>, labels: Int, from file: borrowing HDF5File
    ) throws(StorageError) -> [[Int]] {
        guard labels > 0 else { return range.map { _ in [] } }
        var indices: [[Int]] = []
        indices.reserveCapacity(range.count)
        let step = max(1, readBytes / labels)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            let part = start..<min(start + step, range.upperBound)
            let values = try rows(part, labels: labels, from: file)
            for row in 0..<part.count {
                indices.append((0..<labels).filter { values[row * labels + $0] != 0 })
            }
        }
        return indices
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
