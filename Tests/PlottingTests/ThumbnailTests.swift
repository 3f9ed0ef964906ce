import FeatureModel
import Foundation
import Testing

@testable import Plotting

struct ThumbnailTests {
    /// Width, height, bit depth and colour type of a PNG.
    private func header(_ png: [UInt8]) -> [Int] {
        func number(_ offset: Int) -> Int { png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return [number(16), number(20), Int(png[24]), Int(png[25])]
    }

    @Test func `a thumbnail is a small PNG of indexed colours`() throws {
        let matrix = Sample.tone(rows: 300, bins: 40, bright: [10])
        let png = try Thumbnail(width: 96, height: 48, range: -100...0).png(matrix)
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] && header(png) == [96, 48, 8, 3])
        #expect(png.count < 1000)
        #expect(try png == Thumbnail(width: 96, height: 48, range: -100...0).png(matrix))
        #expect(try png != Thumbnail(width: 96, height: 48, range: -90...0).png(matrix.shifted(by: 20)))
    }

    @Test func `samples are a waveform of two colours`() throws {
        let style = Thumbnail(width: 96, height: 48, range: -1...1, isOfWaveforms: true)
        let loud = try style.png(waveform: Array(repeating: -1...1, count: 96))
        #expect(header(loud) == [96, 48, 1, 3] && loud.count < 300)
        // Fewer samples than columns, each as wide as its share; samples that are not finite are left out; a clip without any.
        let wide = try style.png(waveform: [-1...1, 0...0])
        #expect(
            try wide == style.png(waveform: Array(repeating: -1...1, count: 48) + Array(repeating: 0...0, count: 48)))
        let none = try style.png(waveform: [])
        #expect(try none == style.png(waveform: [nil, nil]) && Set([loud, wide, none]).count == 3)
    }

    @Test(arguments: ColorTable.allCases)
    func `every table has a picture, also of no rows and of values that are not numbers`(colors: ColorTable) throws {
        for matrix in [
            FeatureMatrix(bins: 3), FeatureMatrix(bins: 1, values: [1]),
            FeatureMatrix(bins: 2, values: [.nan, 1, 2, .infinity]),
            Sample.tone(rows: 5000, bins: 300, bright: [3, 200]),
        ] {
            let png = try Thumbnail(width: 31, height: 17, colors: colors, range: 0...1).png(matrix)
            #expect(header(png) == [31, 17, 8, 3])
        }
    }
}

extension FeatureMatrix {
    fileprivate func shifted(by offset: Float) -> FeatureMatrix {
        FeatureMatrix(bins: bins, values: values.map { $0 + offset })
    }
}
