import Testing

@testable import FeatureModel

struct FeatureAxisTests {
    @Test func `columns of falling frequencies are turned round, others are not`() {
        let falling = FeatureAxis.frequency([300, 200, 100])
        let matrix = FeatureMatrix(bins: 3, values: [1, 2, 3, 4, 5, 6])
        #expect(falling.isFalling && falling.rising == .frequency([100, 200, 300]))
        #expect(matrix.rising(by: falling).values == [3, 2, 1, 6, 5, 4])
        for axis: FeatureAxis in [
            .frequency([100, 200, 300]), .frequency([200, 100, 100]), .coefficient([2, 1, 0]), .frequency([3]),
            .frequency([]), .frequency([3, 2, 1, 3, 2, 1]),
        ] {
            #expect(!axis.isFalling && axis.rising == axis && matrix.rising(by: axis) == matrix)
        }
    }
}
