import FeatureModel

/// Values in the two orders that channels have: side by side in each row, as rows are written and read, and one channel after
/// another, as a clip's block of the fixed layout has them.
struct ChannelOrder {
    let channels: Int
    /// Bytes of a channel in a row.
    private let size: Int

    /// - Returns: nil where the dataset has the order of rows.
    init?(_ shape: TensorShape) {
        guard shape.isByChannel, let channels = shape.channels else { return nil }
        (self.channels, size) = (channels, shape.channelBins * shape.element.size)
    }

    /// Lays stored rows out with one channel after another.
    ///
    /// - Precondition: Both have as many bytes.
    func separate(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        copy(source, into: target) { interleaved, separate in (interleaved, separate) }
    }

    /// The inverse.
    func join(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        copy(source, into: target) { interleaved, separate in (separate, interleaved) }
    }

    /// - Parameter offsets: Where a channel of a row is copied from and to, given its offsets in the two orders.
    @inline(__always)
    private func copy(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        offsets: (Int, Int) -> (from: Int, to: Int)
    ) {
        precondition(source.count == target.count, "as many rows in both orders")
        guard let start = source.baseAddress, let end = target.baseAddress else { return }
        let rows = source.count / (channels * size)
        for channel in 0..<channels {
            for row in 0..<rows {
                let (from, to) = offsets((row * channels + channel) * size, (channel * rows + row) * size)
                (end + to).copyMemory(from: start + from, byteCount: size)
            }
        }
    }
}
