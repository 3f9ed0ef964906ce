import FeatureModel
import FileIO

/// A dataset as its bytes lie in the file.
package struct StoredArray: Sendable {
    /// The type of its values.
    package enum Element: Hashable, Sendable {
        case float16, float32, float64, int32, int64, uint8
        /// Texts of this width in bytes, UTF-8, padded with zero bytes.
        case text(Int)

        /// Bytes of a value.
        package var size: Int {
            switch self {
            case .uint8: 1
            case .float16: 2
            case .float32, .int32: 4
            case .float64, .int64: 8
            case .text(let width): width
            }
        }
    }

    /// Path of the dataset in the file.
    package let dataset: String
    /// The type of its values, little-endian.
    package let element: Element
    /// Its extents, row-major.
    package let extents: [Int]
    /// Offset of its first byte in the file; nil: it has no values, or lies in chunks.
    package let offset: Int?

    /// Bytes of all values; nil: more than an `Int` counts.
    package var byteCount: Int? { ([element.size] + extents).product() }
}

/// Where datasets are in the file, for readers that do not use this program.
extension FeatureFile {
    /// The offset of the tensor in the file; nil where it does not lie in one piece.
    ///
    /// - Throws: `StorageError`.
    package func featuresOffset() throws(StorageError) -> Int? { try file.offset(of: "/features") }

    /// The label matrix, and the extents of its chunks; nil: the file has none with values.
    ///
    /// - Throws: `StorageError`.
    package func storedLabelMatrix() throws(StorageError) -> (array: StoredArray, chunk: [Int], chunks: [StoredChunk])?
    {
        guard header.storesLabelMatrix, let chunk = try file.chunkExtents(of: ClipTable.labelMatrix) else { return nil }
        return (try array(ClipTable.labelMatrix, .uint8), chunk, try file.chunks(of: ClipTable.labelMatrix))
    }

    /// The extents of the chunks of `/features`; nil: it is contiguous.
    package var chunkExtents: [Int]? { shape.chunkExtents }

    /// The chunks of `/features`, in no particular order.
    ///
    /// - Throws: `StorageError`, `.damaged` where one lies outside the file.
    /// - Complexity: O(chunks), with 60 bytes of memory for each.
    package func storedChunks() throws(StorageError) -> [StoredChunk] { try file.chunks(of: "/features") }

    /// `/features`.
    ///
    /// - Throws: `StorageError`.
    package func storedFeatures() throws(StorageError) -> StoredArray {
        try array("/features", shape.element == .float16 ? .float16 : .float32)
    }

    /// The contiguous datasets other than `/features`, in a fixed order: axes, columns of `/clips`, labels, statistics.
    ///
    /// - Throws: `StorageError`.
    package func storedArrays() throws(StorageError) -> [StoredArray] {
        var arrays = [try array(header.axisDataset, .float32)]
        if shape.layout == .fixed { arrays.append(try array("/time", .float64)) }
        if shape.patch != nil { arrays.append(try array(PatchTime.dataset, .float64)) }
        if shape.channels != nil { arrays.append(try array(ChannelAxis.dataset, .int32)) }
        for column in table.columns {
            switch column {
            case .text(let column): arrays.append(try text(column.dataset))
            case .integer(let column):
                let element: StoredArray.Element =
                    switch ObjectIdentifier(column.type) {
                    case ObjectIdentifier(Int32.self): .int32
                    case ObjectIdentifier(UInt8.self): .uint8
                    default: .int64
                    }
                arrays.append(try array(column.dataset, element))
            case .seconds(let column): arrays.append(try array(column.dataset, .float64))
            }
        }
        for name in table.extra { arrays.append(try text("\(ClipTable.extraGroup)/\(name)")) }
        arrays.append(try text("/labels"))
        if header.frameLabelNames != nil {
            arrays.append(try array(FrameLabels.dataset, .int32))
            arrays.append(try text(FrameLabels.names))
        }
        for name in FeatureFormat.statistics { arrays.append(try array("/statistics/\(name)", .float64)) }
        if header.normalize.storesClipStatistics {
            for name in FeatureFormat.statistics {
                arrays.append(try array("\(ClipTable.statistics)/\(name)", .float64))
            }
        }
        return arrays
    }

    private func text(_ dataset: String) throws(StorageError) -> StoredArray {
        try array(dataset, .text(try file.width(of: dataset)))
    }

    private func array(_ dataset: String, _ element: StoredArray.Element) throws(StorageError) -> StoredArray {
        let array = StoredArray(
            dataset: dataset, element: element, extents: try file.extents(of: dataset),
            offset: try file.offset(of: dataset))
        guard try file.width(of: dataset) == element.size, array.byteCount != nil else {
            throw .damaged(path: path, found: "\(dataset) does not hold values of \(element.size) bytes")
        }
        return array
    }
}
