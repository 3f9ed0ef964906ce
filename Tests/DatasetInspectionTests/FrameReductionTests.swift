import FeatureModel
import TestSupport
import Testing

@testable import DatasetInspection

struct FrameReductionTests {
    private func reduced(_ values: [Float], bins: Int, most: Int, piece: Int) -> (matrix: FeatureMatrix, frames: Int) {
        var reduction = FrameReduction(bins: bins, maximumValues: most)
        for start in stride(from: 0, to: values.count, by: piece * bins) {
            values[start..<min(start + piece * bins, values.count)].withUnsafeBufferPointer { reduction.add($0) }
        }
        #expect(reduction.frameCount == values.count / bins)
        let frames = reduction.framesPerRow
        return (reduction.finish(), frames)
    }

    @Test(arguments: [1, 7, 1000])
    func `rows that fit are kept as they are`(piece: Int) {
        var random = RandomSource(seed: 3)
        let values = random.samples(300)
        let (matrix, frames) = reduced(values, bins: 3, most: 300, piece: piece)
        #expect(matrix.values == values && frames == 1)
    }

    @Test(arguments: [1, 7, 64, 100_000])
    func `more of them become means of neighbours, for any blocks`(piece: Int) {
        var random = RandomSource(seed: 4)
        let bins = 3
        let rows = 1003
        let values = random.samples(rows * bins)
        let (matrix, frames) = reduced(values, bins: bins, most: 200, piece: piece)
        #expect(frames == 16 && matrix.rows == 63)
        for row in 0..<matrix.rows {
            let block = row * frames..<min((row + 1) * frames, rows)
            for bin in 0..<bins {
                let mean = block.map { Double(values[$0 * bins + bin]) }.reduce(0, +) / Double(block.count)
                #expect(abs(Double(matrix[row, bin]) - mean) < 1e-6)
            }
        }
    }

    @Test func `NaN remains NaN, and spreads to no other value`() {
        var values = [Float](repeating: 1, count: 1000)
        values[501] = .nan
        let (matrix, frames) = reduced(values, bins: 1, most: 64, piece: 10)
        #expect(matrix.values.indices.filter { matrix.values[$0].isNaN } == [501 / frames])
    }
}
