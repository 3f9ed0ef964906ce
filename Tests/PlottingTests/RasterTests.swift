import FeatureModel
import TestSupport
import Testing

@testable import Plotting

struct RasterTests {
    @Test func `where there are more things than pixels, blocks cover each once`() {
        for (count, pixels) in [(10, 10), (11, 10), (19, 10), (100_000, 817), (7, 1)] {
            let blocks = (0..<pixels).map(PixelBlocks(count: count, pixels: pixels).block)
            #expect(blocks.flatMap(Array.init) == Array(0..<count))
        }
    }

    @Test func `where there are fewer, each pixel shows the one under its centre`() {
        for (count, pixels) in [(1, 10), (3, 10), (9, 10), (80, 301)] {
            for pixel in 0..<pixels {
                let expected = Int((Double(pixel) + 0.5) * Double(count) / Double(pixels))
                #expect(PixelBlocks(count: count, pixels: pixels).block(pixel) == expected..<expected + 1)
            }
        }
    }

    @Test func `each value fills its own block, time to the right and low bins at the bottom`() {
        let matrix = FeatureMatrix(bins: 2, values: [0, 85, 170, 255])
        let raster = Raster(matrix, width: 4, height: 4, scale: ValueScale(0...255), colors: .grey)
        let greys = raster.pixels.map { Int($0 & 0xFF) }
        #expect(greys == [85, 85, 255, 255, 85, 85, 255, 255, 0, 0, 170, 170, 0, 0, 170, 170])
    }

    @Test func `a pixel shows the mean of the frames and bins that fall on it`() {
        var random = RandomSource(seed: 5)
        let rows = 23
        let bins = 17
        let values = random.samples(rows * bins).map { ($0 + 1) * 127 }
        let raster = Raster(
            FeatureMatrix(bins: bins, values: values), width: 5, height: 4, scale: ValueScale(0...255), colors: .grey)
        for x in 0..<5 {
            for y in 0..<4 {
                var block: [Double] = []
                for row in x * rows / 5..<(x + 1) * rows / 5 {
                    for bin in y * bins / 4..<(y + 1) * bins / 4 { block.append(Double(values[row * bins + bin])) }
                }
                let mean = block.reduce(0, +) / Double(block.count)
                #expect(abs(Double(raster[x, 3 - y] & 0xFF) - mean) <= 0.5 + 1e-9)
            }
        }
    }

    @Test func `one fault among many values on a pixel marks the pixel`() {
        for fault in [Float.nan, .infinity, -.infinity] {
            var matrix = FeatureMatrix(bins: 10, values: Array(repeating: 1, count: 1000))
            matrix[55, 5] = fault
            let raster = Raster(matrix, width: 10, height: 5, scale: ValueScale(0...2), colors: .grey)
            let marked = raster.pixels.indices.filter { raster.pixels[$0] == ColorTable.grey.invalid.hex }
            #expect(marked == [2 * 10 + 5])
        }
    }
}
