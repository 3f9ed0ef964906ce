import TestSupport
import Testing

@testable import FeatureModel

struct CollectionsTests {
    @Test func `the index where a condition begins to hold is that of a search from the start, in slices too`() {
        var random = RandomSource(seed: 1)
        for count in 0..<40 {
            let numbers = (0..<count).map { _ in Int.random(in: 0..<20, using: &random) }.sorted()
            let slice = numbers.dropFirst(count / 3)
            for limit in -1...20 {
                #expect(
                    numbers.partitioningIndex { $0 >= limit } == numbers.firstIndex { $0 >= limit } ?? numbers.endIndex)
                #expect(slice.partitioningIndex { $0 >= limit } == slice.firstIndex { $0 >= limit } ?? slice.endIndex)
            }
        }
        #expect((5..<9).partitioningIndex { $0 > 6 } == 7)
    }

    @Test(arguments: [0, 1, 6, 7, 8, 20, 21])
    func `blocks follow each other, of equal size except for the last`(count: Int) {
        let blocks = Array((3..<3 + count).blocks(of: 7))
        #expect(blocks.flatMap { Array($0) } == Array(3..<3 + count))
        #expect(blocks.dropLast().allSatisfy { $0.count == 7 })
        #expect(blocks.allSatisfy { (1...7).contains($0.count) })
    }
}
