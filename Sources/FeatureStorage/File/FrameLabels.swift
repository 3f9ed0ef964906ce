import ClipSpool
import FeatureModel
import FileIO

/// Writes `/frame_label`: an index into `/frame_label_names` for each row of `/features`, −1 for none.
struct FrameLabels {
    static let dataset = "/frame_label"
    static let names = "/frame_label_names"
    /// The digest of the annotations.
    static let provenance = "/provenance/annotations_sha256"
    /// What rows without a label hold.
    static let none: Int32 = -1

    /// Labels that are written at a time.
    private static let maximumWaiting = 1 << 16

    private let shape: TensorShape
    private var waiting: [Int32] = []
    /// Rows that are written.
    private var rows = 0

    init(_ shape: TensorShape) { self.shape = shape }

    /// Makes the datasets, and writes the names.
    ///
    /// - Throws: `StorageError.hdf5`.
    static func create(
        _ names: [String], _ shape: TensorShape, in hdf5: borrowing HDF5Writer
    ) throws(StorageError) {
        try hdf5.create(dataset, of: Int32.self, extents: shape.rowExtents)
        try hdf5.attribute("long_name", "index of the frame's label in \(self.names); -1: none", of: dataset)
        let scales =
            (shape.layout == .packed ? ["/row"] : ["/clip", "/time"]) + (shape.patch == nil ? [] : [PatchTime.dataset])
        for dimension in scales.indices { try hdf5.attachScale(scales[dimension], to: dataset, dimension: dimension) }
        let width = names.map(\.utf8.count).max() ?? 0
        try hdf5.create(self.names, textWidth: width, extents: [names.count])
        try hdf5.write(names, width: width, to: self.names)
        try hdf5.makeScale(self.names, called: "frame_label_names")
    }

    /// Appends the labels of the next rows.
    ///
    /// - Throws: `StorageError.hdf5`.
    mutating func append(
        _ labels: UnsafeBufferPointer<Int32>, to hdf5: borrowing HDF5Writer
    ) throws(StorageError) {
        waiting.append(contentsOf: labels)
        if waiting.count >= Self.maximumWaiting { try flush(to: hdf5) }
    }

    private mutating func flush(to hdf5: borrowing HDF5Writer) throws(StorageError) {
        for block in shape.blocks(of: rows..<rows + waiting.count) {
            let part = block.rows.lowerBound - rows..<block.rows.upperBound - rows
            try waiting.withUnsafeBufferPointer { labels throws(StorageError) in
                try hdf5.write(
                    UnsafeBufferPointer(rebasing: labels[part]), to: Self.dataset, start: block.start,
                    count: block.count)
            }
        }
        rows += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    /// Writes the rest.
    ///
    /// - Throws: `StorageError`, `.damaged` where rows have no label.
    mutating func finish(in hdf5: borrowing HDF5Writer, path: String) throws(StorageError) {
        try flush(to: hdf5)
        guard rows == shape.rows else {
            throw .damaged(path: path, found: "\(rows) labels of frames for \(shape.rows) rows")
        }
    }
}
