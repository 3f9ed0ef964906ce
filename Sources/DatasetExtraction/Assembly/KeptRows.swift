import Concurrency
import FeatureModel
import FeatureStorage
import FileIO

/// Finds clips whose rows a worker writes one after another, and copies those of kept clips from the older file, many short clips
/// at a time.
enum KeptRows {
    /// Maximum number of values that are read at a time, if they are those of several clips.
    private static let runValues = 1 << 16
    /// Values of a longer clip that are read at a time.
    private static let pieceValues = 1 << 18

    /// Splits clips into runs: one clip, or several whose rows follow each other, in the older file or from the spool in the new
    /// one, and need little memory.
    ///
    /// - Parameter spooled: Whether clips in the spool may be in one run.
    static func runs(of clips: [TensorSlot], bins: Int, spooled: Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, clip) in clips.enumerated() {
            if spooled, let run = runs.last, clip.kept == nil, clips[index - 1].kept == nil,
                clip.firstRow + clip.rows - clips[run.lowerBound].firstRow <= runValues / bins
            {
                runs[runs.count - 1] = run.lowerBound..<index + 1
                continue
            }
            if let run = runs.last, let kept = clip.kept, let first = clips[run.lowerBound].kept,
                let before = clips[index - 1].kept, kept.frameStart >= before.frameStart + before.frameCount,
                kept.frameStart + kept.frameCount - first.frameStart <= runValues / bins
            {
                runs[runs.count - 1] = run.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    /// Copies the rows of a run.
    ///
    /// - Throws: `StorageError`, `.damaged` where a checksum is another; `ExtractionError.cancelled`.
    static func copy(
        _ run: ArraySlice<TensorSlot>, of file: FeatureReader, to worker: TensorWorker, _ cancellation: Cancellation
    ) throws {
        var values: [Float] = []
        let start = run.first?.kept?.frameStart ?? 0
        if run.count > 1, let last = run.last?.kept {
            // Whole blocks of the fixed layout are read at once.
            let rows = file.shape.layout == .fixed ? file.shape.blockRows(frameCount: last.frameCount) : last.frameCount
            values = try file.rows(start..<last.frameStart + rows).values
        }
        for slot in run {
            guard let clip = slot.kept else { continue }
            try cancellation.check()
            worker.start(clip: slot.number, row: slot.firstRow, gathers: run.count > 1)
            if run.count > 1 {
                let first = (clip.frameStart - start) * file.bins
                try append(&values, first..<first + clip.frameCount * file.bins, to: worker)
            } else {
                try copyPieces(of: clip, of: file, to: worker, cancellation)
            }
            let checksum = try worker.finish().hex
            guard checksum == clip.tensorChecksum else {
                throw StorageError.damaged(
                    path: file.path,
                    found: "the rows of clip '\(clip.id)' have the checksum \(checksum), but tensor_xxh3 is "
                        + clip.tensorChecksum)
            }
        }
        try worker.flush()
    }

    private static func copyPieces(
        of clip: StoredClip, of file: FeatureReader, to worker: TensorWorker, _ cancellation: Cancellation
    ) throws {
        let piece = max(1, pieceValues / file.bins)
        for start in stride(from: 0, to: clip.frameCount, by: piece) {
            try cancellation.check()
            let end = min(start + piece, clip.frameCount)
            var values = try file.rows(clip.frameStart + start..<clip.frameStart + end).values
            try append(&values, values.indices, to: worker)
        }
    }

    private static func append(
        _ values: inout [Float], _ range: Range<Int>, to worker: TensorWorker
    ) throws(StorageError) {
        try values.withUnsafeMutableBufferPointer { values throws(StorageError) in
            try worker.append(UnsafeMutableBufferPointer(rebasing: values[range]))
        }
    }
}
