import FeatureModel
import Testing

@testable import FeatureStorage

/// Rows with their channels side by side, and blocks with one channel after another.
struct ChannelOrderTests {
    private func order(_ layout: StoreConfiguration.Layout) throws -> ChannelOrder? {
        let shape =
            layout == .packed
            ? TensorShape.packed(rows: 8, clips: 2, bins: 6, channels: 3)
            : try #require(TensorShape.fixed(frames: 4, clips: 2, bins: 6, chunkRows: 2, channels: 3))
        #expect(shape.extents == (layout == .packed ? [8, 3, 2] : [2, 3, 4, 2]))
        #expect(shape.chunkExtents == (layout == .packed ? nil : [1, 3, 2, 2]))
        #expect(shape.columnExtents == [3, 2])
        return ChannelOrder(shape)
    }

    @Test func `only blocks have channels one after another`() throws {
        #expect(try order(.packed) == nil)
        #expect(try order(.fixed) != nil)
    }

    @Test(arguments: [1, 2, 5])
    func `channels are separated and joined again`(rows: Int) throws {
        let order = try #require(try order(.fixed))
        // Row r, channel c, bin b holds 100 r + 10 c + b.
        var (joined, separated): ([Float], [Float]) = ([], [])
        for row in 0..<rows {
            for channel in 0..<3 {
                for bin in 0..<2 { joined.append(Float(100 * row + 10 * channel + bin)) }
            }
        }
        for channel in 0..<3 {
            for row in 0..<rows {
                for bin in 0..<2 { separated.append(Float(100 * row + 10 * channel + bin)) }
            }
        }
        var (one, other) = ([Float](repeating: 0, count: 6 * rows), [Float](repeating: 0, count: 6 * rows))
        joined.withUnsafeBytes { source in one.withUnsafeMutableBytes { order.separate(source, into: $0) } }
        #expect(one == separated)
        one.withUnsafeBytes { source in other.withUnsafeMutableBytes { order.join(source, into: $0) } }
        #expect(other == joined)
    }

    @Test func `a matrix gives its channels and their mean`() {
        let matrix = FeatureMatrix(bins: 4, values: [1, 2, 3, 6, 5, 6, 9, 8])
        #expect(matrix.channel(1, of: 2) == FeatureMatrix(bins: 2, values: [3, 6, 9, 8]))
        #expect(matrix.mean(ofChannels: 2) == FeatureMatrix(bins: 2, values: [2, 4, 7, 7]))
        #expect(matrix.mean(ofChannels: 1) == matrix && matrix.channel(0, of: 1) == matrix)
    }
}
