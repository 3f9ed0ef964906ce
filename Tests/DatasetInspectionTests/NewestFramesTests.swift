import FeatureModel
import TestSupport
import Testing

@testable import DatasetInspection

struct NewestFramesTests {
    @Test(arguments: [1, 3, 7, 1000], [1, 5, 99, 100, 101])
    func `the last frames are kept unchanged, in their order`(piece: Int, most: Int) {
        var random = RandomSource(seed: 5)
        let bins = 3
        let values = random.samples(100 * bins)
        var newest = NewestFrames(bins: bins, maximumRows: most, maximumValues: 1 << 20)
        for start in stride(from: 0, to: values.count, by: piece * bins) {
            values[start..<min(start + piece * bins, values.count)].withUnsafeBufferPointer { newest.add($0) }
        }
        #expect(newest.frameCount == 100)
        #expect(newest.finish().values == Array(values.suffix(most * bins)))
    }

    @Test func `the memory bounds them, too`() {
        var newest = NewestFrames(bins: 4, maximumRows: 50, maximumValues: 11)
        let values = (0..<40).map { Float($0) }
        values.withUnsafeBufferPointer { newest.add($0) }
        #expect(newest.finish().values == Array(values.suffix(8)))
    }
}
