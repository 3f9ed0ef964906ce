import DatasetInspection
import FeatureStorage
import Plotting

extension Thumbnail {
    /// The picture of a stored clip, whose rows are read in blocks.
    ///
    /// - Throws: `StorageError`, `PlotError`.
    func png(ofClip place: Int, in reader: FeatureReader, _ blocks: RowBlocks) throws -> [UInt8] {
        let rows = try reader.rowRanges(ofClips: place..<place + 1).first ?? 0..<0
        var cells = PictureCells(frames: rows.count, bins: reader.bins, width: width, height: height)
        try blocks.each(rows, of: reader) { cells.add($0) }
        return try png(cells.matrix)
    }

    /// The picture of the mean of some clips' first `frames` frames.
    ///
    /// - Throws: `StorageError`, `PlotError`.
    func png(ofMean places: [Int], frames: Int, in reader: FeatureReader, _ blocks: RowBlocks) throws -> [UInt8] {
        var cells = PictureCells(frames: frames, bins: reader.bins, width: width, height: height)
        try LabelAverage.each(reader, places: places, frames: frames, blocks: blocks) { cells.add($0.mean) }
        return try png(cells.matrix)
    }
}
