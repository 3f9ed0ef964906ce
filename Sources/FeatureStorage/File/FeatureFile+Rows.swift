import ClipSpool
import FeatureModel
import FileIO

/// Reads rows of `/features` through libhdf5: as values, or as they are stored.
extension FeatureFile {
    /// Rows as values; in the fixed layout counted through all clips' blocks.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        try checkInside(range)
        try checkSize()
        func stored<Number>(_ zero: Number) throws(StorageError) -> [Number] {
            var numbers = [Number](repeating: zero, count: range.count * bins)
            try numbers.withUnsafeMutableBufferPointer { numbers throws(StorageError) in
                try readStored(rows: range, into: UnsafeMutableRawBufferPointer(numbers))
            }
            return numbers
        }
        switch shape.element {
        case .float32: return FeatureMatrix(bins: bins, values: try stored(Float.zero))
        case .float16:
            return FeatureMatrix(bins: bins, values: try stored(UInt16.zero).withUnsafeBytes(HalfPrecision.floats))
        }
    }

    /// Reads rows as they are stored, without conversion; in the fixed layout counted through all clips' blocks.
    ///
    /// - Precondition: `bytes` is as large as `rows.count` rows of the stored type, and aligned for it.
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    package func readStored(
        rows range: Range<Int>, into bytes: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let rowBytes = shape.rowBytes
        precondition(bytes.count == range.count * rowBytes, "a buffer as large as the rows")
        try checkInside(range)
        for block in shape.blocks(of: range) {
            let first = (block.rows.lowerBound - range.lowerBound) * rowBytes
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[first..<first + block.rows.count * rowBytes])
            let (start, count) = shape.selection(block)
            try file.read("/features", as: shape.element.number, start: start, count: count, into: part)
            guard let order = ChannelOrder(shape), !part.isEmpty else { continue }
            let size = part.count / count[0]
            Array(part).withUnsafeBytes { copy in
                for start in stride(from: 0, to: part.count, by: size) {
                    order.join(
                        UnsafeRawBufferPointer(rebasing: copy[start..<start + size]),
                        into: UnsafeMutableRawBufferPointer(rebasing: part[start..<start + size]))
                }
            }
        }
    }

    private func checkInside(_ range: Range<Int>) throws(StorageError) {
        guard range.lowerBound >= 0, range.upperBound <= rows else {
            throw .damaged(path: path, found: "/features has \(rows) rows, but row \(range.upperBound - 1) is needed")
        }
    }
}
