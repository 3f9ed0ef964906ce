import FeatureModel

/// Values in the two orders that channels have: side by side in each row, as rows come and go, and one channel after another, as a
/// clip's block of the fixed layout has them.
struct ChannelOrder {
    let channels: Int
    /// Values of a channel in a row.
    let bins: Int

    /// - Returns: nil where the dataset has the order of rows.
    init?(_ shape: TensorShape) {
        guard shape.isByChannel, let channels = shape.channels else { return nil }
        (self.channels, bins) = (channels, shape.channelBins)
    }

    /// The inverse of `separate`, of stored numbers.
    func join(
        bytes source: UnsafeRawPointer, rows: Int, element: StoreConfiguration.Element,
        into target: UnsafeMutableRawPointer
    ) {
        switch element {
        case .float32:
            join(
                source.assumingMemoryBound(to: UInt32.self), rows: rows,
                into: target.assumingMemoryBound(to: UInt32.self))
        case .float16:
            join(
                source.assumingMemoryBound(to: UInt16.self), rows: rows,
                into: target.assumingMemoryBound(to: UInt16.self))
        }
    }

    /// Writes `rows` rows of stored numbers, one channel after another.
    func separate(
        bytes source: UnsafeRawPointer, rows: Int, element: StoreConfiguration.Element,
        into target: UnsafeMutableRawPointer
    ) {
        switch element {
        case .float32:
            separate(
                source.assumingMemoryBound(to: UInt32.self), rows: rows,
                into: target.assumingMemoryBound(to: UInt32.self))
        case .float16:
            separate(
                source.assumingMemoryBound(to: UInt16.self), rows: rows,
                into: target.assumingMemoryBound(to: UInt16.self))
        }
    }

    /// Writes `rows` rows, one channel after another.
    func separate<Number>(_ source: UnsafePointer<Number>, rows: Int, into target: UnsafeMutablePointer<Number>) {
        for channel in 0..<channels {
            for row in 0..<rows {
                (target + (channel * rows + row) * bins).update(
                    from: source + (row * channels + channel) * bins, count: bins)
            }
        }
    }

    /// The inverse.
    func join<Number>(_ source: UnsafePointer<Number>, rows: Int, into target: UnsafeMutablePointer<Number>) {
        for channel in 0..<channels {
            for row in 0..<rows {
                (target + (row * channels + channel) * bins).update(
                    from: source + (channel * rows + row) * bins, count: bins)
            }
        }
    }
}
