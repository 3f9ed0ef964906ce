import DatasetInspection
import FeatureModel
import TestSupport
import Testing

struct WaveformCellsTests {
    @Test(arguments: [(1, 8), (7, 8), (8, 8), (9, 8), (1000, 8), (1001, 96), (5, 1)])
    func `each column has the least and the greatest of its samples, in any blocks`(frames: Int, width: Int) {
        var random = RandomSource(seed: UInt64(frames))
        var samples = random.samples(frames)
        if frames > 100 { samples[17] = .nan }
        let columns = min(frames, width)
        let expected = (0..<columns).map { column in
            let part = samples[column * frames / columns..<(column + 1) * frames / columns].filter(\.isFinite)
            return part.min().flatMap { least in part.max().map { least...$0 } }
        }
        for size in [1, 3, 400, 2000] {
            var cells = WaveformCells(frames: frames, width: width)
            for start in stride(from: 0, to: frames, by: size) {
                cells.add(FeatureMatrix(bins: 1, values: Array(samples[start..<min(start + size, frames)])))
            }
            #expect(cells.extremes == expected)
        }
        #expect(WaveformCells(frames: 0, width: width).extremes.isEmpty)
    }
}
