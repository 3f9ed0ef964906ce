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
        var values = [Float](repeating: 0, count: range.count * bins)
        try values.withUnsafeMutableBufferPointer { values throws(StorageError) in try read(range, into: values) }
        return FeatureMatrix(bins: bins, values: values)
    }

    /// Reads rows as they are stored, without conversion; in the fixed layout counted through all clips' blocks.
    ///
    /// - Precondition: `bytes` has room for `rows.count` rows of the stored type, and is aligned for it.
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    package func readStored(
        rows range: Range<Int>, into bytes: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let rowBytes = shape.rowBytes
        precondition(bytes.count == range.count * rowBytes, "room for the rows")
        try checkInside(range)
        for block in shape.blocks(of: range) {
            let first = (block.rows.lowerBound - range.lowerBound) * rowBytes
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[first..<first + block.rows.count * rowBytes])
            let (start, count) = shape.selection(block)
            switch shape.element {
            case .float32:
                try file.read(
                    "/features", as: Float.self, start: start, count: count, into: part.bindMemory(to: Float.self))
            case .float16:
                try file.read(
                    "/features", as: Half.self, start: start, count: count, into: part.bindMemory(to: Half.self))
            }
            guard let order = ChannelOrder(shape), let target = part.baseAddress, count[0] > 0 else { continue }
            let copy = Array(part)
            let size = part.count / count[0]
            copy.withUnsafeBytes { copy in
                guard let source = copy.baseAddress else { return }
                for clip in 0..<count[0] {
                    order.join(
                        bytes: source + clip * size, rows: size / rowBytes, element: shape.element,
                        into: target + clip * size)
                }
            }
        }
    }

    private func checkInside(_ range: Range<Int>) throws(StorageError) {
        guard range.lowerBound >= 0, range.upperBound <= rows else {
            throw .damaged(path: path, found: "/features has \(rows) rows, but row \(range.upperBound - 1) is needed")
        }
    }

    /// Reads rows of the tensor to memory, converting them.
    private func read(_ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
        for block in shape.blocks(of: range) {
            let first = (block.rows.lowerBound - range.lowerBound) * bins
            let (start, count) = shape.selection(block)
            let part = UnsafeMutableBufferPointer(rebasing: values[first..<first + block.rows.count * bins])
            try read(start: start, count: count, into: part)
            if let order = ChannelOrder(shape) { join(order, part, clips: count[0]) }
        }
    }

    /// Lays the channels of whole or partial blocks side by side.
    private func join(_ order: ChannelOrder, _ values: UnsafeMutableBufferPointer<Float>, clips: Int) {
        guard let target = values.baseAddress, clips > 0 else { return }
        let copy = Array(values)
        let size = values.count / clips
        copy.withUnsafeBufferPointer { copy in
            guard let source = copy.baseAddress else { return }
            for clip in 0..<clips { order.join(source + clip * size, rows: size / bins, into: target + clip * size) }
        }
    }

    private func read(start: [Int], count: [Int], into values: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
        guard shape.element == .float16 else {
            return try file.read("/features", as: Float.self, start: start, count: count, into: values)
        }
        var failure: StorageError?
        withUnsafeTemporaryAllocation(of: Half.self, capacity: values.count) { halves in
            do throws(StorageError) {
                try file.read("/features", as: Half.self, start: start, count: count, into: halves)
                halves.withMemoryRebound(to: UInt16.self) {
                    HalfPrecision.decode(UnsafeBufferPointer($0), into: values)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
