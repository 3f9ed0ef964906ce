import FeatureModel
import Testing

struct FeatureMatrixTests {
    @Test func `rows lie one behind the other`() {
        var matrix = FeatureMatrix(bins: 3, values: [0, 1, 2, 10, 11, 12])
        #expect(matrix.rows == 2 && matrix.bins == 3)
        #expect(matrix[1, 0] == 10 && matrix[0, 2] == 2 && Array(matrix[row: 1]) == [10, 11, 12])
        matrix[1, 2] = -1
        #expect(matrix.values == [0, 1, 2, 10, 11, -1])
    }

    @Test func `a matrix may have no rows`() {
        let matrix = FeatureMatrix(bins: 80)
        #expect(matrix.rows == 0 && matrix.values.isEmpty && matrix.bins == 80)
    }

    @Test func `a segment ends past its start, or at the end of the recording`() {
        #expect(Segment(start: 0, end: nil) != nil && Segment(start: 1, end: 1.001) != nil)
        let refused: [(Double, Double?)] = [(-0.1, nil), (1, 1), (2, 1), (.nan, nil), (0, .nan), (0, .infinity)]
        for (start, end) in refused { #expect(Segment(start: start, end: end) == nil, "\(start)") }
    }

    @Test func `a failure says the step and the reason`() {
        #expect("\(ClipFailure.isFolder)" == "open: \(ClipFailure.isFolder.reason)")
    }
}
