import FeatureModel
import TestSupport
import Testing

@testable import Plotting

struct PlainPictureTests {
    private let matrix = FeatureMatrix(bins: 3, values: [0, 1, 2, 3, 4, 5])

    private func indices(_ raster: Raster) -> [[Int]] {
        (0..<raster.height).map { y in (0..<raster.width).map { Int(raster[$0, y] & 0xFF) } }
    }

    @Test func `each value has a pixel of its own, the lowest bin at the bottom`() throws {
        let raster = try PlainPicture(matrix: matrix, colors: .grey, span: .fixed(0...255)).raster()
        #expect(indices(raster) == [[2, 5], [1, 4], [0, 3]])
    }

    @Test func `the newest frames are at the right, and columns before the first are of the first colour`() throws {
        func columns(_ count: Int) throws -> [[Int]] {
            indices(try PlainPicture(matrix: matrix, columns: count, colors: .grey, span: .fixed(0...255)).raster())
        }
        #expect(try columns(1) == [[5], [4], [3]])
        #expect(try columns(4) == [[0, 0, 2, 5], [0, 0, 1, 4], [0, 0, 0, 3]])
        let falseColor = try PlainPicture(matrix: matrix, columns: 4, colors: .viridis).raster()
        #expect(falseColor[0, 0] == 0x440154)
    }

    @Test(arguments: ColorTable.allCases)
    func `every value has its table's entry`(table: ColorTable) throws {
        let all = FeatureMatrix(bins: 256, values: (0..<256).map { Float($0) })
        let raster = try PlainPicture(matrix: all, colors: table, span: .fixed(0...255)).raster()
        #expect(raster.pixels == table.entries.reversed().map(\.hex))
    }

    @Test func `what is not a picture is refused`() throws {
        #expect(throws: PlotError.self) { try PlainPicture(matrix: FeatureMatrix(bins: 3), colors: .grey) }
        #expect(throws: PlotError.self) { try PlainPicture(matrix: matrix, columns: 0, colors: .grey) }
        #expect(throws: PlotError.self) { try PlainPicture(matrix: matrix, columns: 40_000, colors: .grey) }
        let high = FeatureMatrix(bins: 40_000, values: Array(repeating: 0, count: 40_000))
        // Values without frequencies have no bands.
        for (hasFrequencies, advice) in [(false, "draw it with axes"), (true, "choose a band of frequencies")] {
            let error = #expect(throws: PlotError.self) {
                try PlainPicture(matrix: high, colors: .grey, hasFrequencies: hasFrequencies)
            }
            #expect(error?.description.contains("at most 32000 values in a frame: \(advice), found") == true)
        }
    }

    @Test(arguments: PictureFormat.allCases)
    func `files of it are equal every time`(format: PictureFormat) throws {
        let picture = try PlainPicture(matrix: matrix, colors: .grey)
        #expect(try picture.file(as: format) == picture.file(as: format))
    }
}
