import CPNG
import FeatureModel

/// A small picture of a matrix without axes, of few colours so that its file is small.
///
/// Time runs to the right and the lowest bin is at the bottom; where several values fall on a pixel it shows their mean, as
/// in `SpectrogramPicture`.
package struct Thumbnail: Sendable {
    package let width: Int
    package let height: Int
    /// The table that colours are taken from, one of eight.
    package let colors: ColorTable
    /// The values at the two ends of the colours; others are clamped.
    package let range: ClosedRange<Float>
    /// Whether values are samples, of which a waveform is drawn.
    package let isOfWaveforms: Bool

    private static let step = 8

    /// - Precondition: The size is positive, and the range finite.
    package init(
        width: Int, height: Int, colors: ColorTable = .viridis, range: ClosedRange<Float>, isOfWaveforms: Bool = false
    ) {
        precondition(width > 0 && height > 0 && width <= 4096 && height <= 4096, "a thumbnail has a small size")
        precondition(range.lowerBound.isFinite && range.upperBound.isFinite, "a thumbnail needs a finite range")
        self.width = width
        self.height = height
        self.colors = colors
        self.range = range
        self.isOfWaveforms = isOfWaveforms
    }

    /// The picture of a matrix as a PNG; equal matrices give equal bytes. A matrix without rows is all in the colour of missing
    /// values.
    package func png(_ matrix: FeatureMatrix) throws(PlotError) -> [UInt8] {
        let raster =
            matrix.rows > 0
            ? Raster(matrix, width: width, height: height, scale: ValueScale(range), colors: colors)
            : Raster(width: width, height: height, filledWith: colors.invalid)
        let entries = colors.entries
        let palette =
            stride(from: Self.step / 2, to: entries.count, by: Self.step).map { entries[$0] } + [colors.invalid]
        var indices: [UInt32: UInt8] = [:]
        for (index, entry) in entries.enumerated() { indices[entry.hex] = UInt8(index / Self.step) }
        let missing = UInt8(palette.count - 1)
        return try png(raster.pixels.map { indices[$0] ?? missing }, palette)
    }

    /// The waveform of a clip as a PNG: of columns of samples, the least and the greatest of each; nil: none is finite.
    package func png(waveform extremes: [ClosedRange<Float>?]) throws(PlotError) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: width * height)
        if !extremes.isEmpty {
            let (blocks, scale) = (PixelBlocks(count: extremes.count, pixels: width), ValueScale(range).range)
            let columns = Waveform.columns(width, from: 0) {
                Waveform.row($0, of: height, scale)
            } extremes: {
                extremes[blocks.block($0).lowerBound]
            }
            for column in columns { for y in column.y..<column.bottom { pixels[y * width + column.x] = 1 } }
        }
        return try png(pixels, [Theme.light.empty, Theme.light.wave])
    }

    /// - Parameter pixels: Indices in the palette.
    private func png(_ pixels: [UInt8], _ palette: [RGB]) throws(PlotError) -> [UInt8] {
        let bytes = palette.flatMap { [$0.red, $0.green, $0.blue] }
        let (across, down, count) = (UInt32(width), UInt32(height), UInt32(palette.count))
        let capacity = veery_png_most_bytes(across, down, count)
        let written = [UInt8](unsafeUninitializedCapacity: capacity) { memory, size in
            size = veery_png_write(pixels, across, down, bytes, count, memory.baseAddress, capacity)
        }
        guard !written.isEmpty else { throw .encoding(operation: "encoding a PNG of \(width) × \(height) pixels") }
        return written
    }
}

/// Version of the libpng in use.
package func thumbnailLibraryVersion() -> String { String(cString: png_get_libpng_ver(nil)) }
