import Concurrency
import FeatureModel
import FeatureStorage

/// An exported clip, with its index and its rows in the export.
struct ExportedClip {
    /// The clip as the file has it.
    let stored: StoredClip
    /// Index in the file, from 0.
    let index: Int
    /// Index in the export, from 0.
    let number: Int
    /// Its first row in an array of all exported rows, which in the fixed layout includes the padding of earlier clips.
    let firstRow: Int
}

/// The clips to export, in the file's order.
final class ExportSource {
    let reader: FeatureReader
    /// Indices of the clips, ascending; nil: all.
    let indices: [Int]?
    /// Number of clips.
    let clipCount: Int
    /// Number of their frames.
    let frameCount: Int
    /// The distinct splits, sorted by their bytes, without the empty one.
    let splits: [String]
    /// What was read from the manifest and the recordings of these clips, but not used.
    let remarks: [RemarkEntry]
    let cancellation: Cancellation

    /// Clips whose columns are in memory at a time.
    private static let blockSize = 1024

    /// Looks up which clips are exported.
    ///
    /// - Throws: `ExportError.noSuch` where there is no clip of the split or label that the options name.
    init(_ reader: FeatureReader, _ options: ExportOptions, _ cancellation: Cancellation) throws {
        self.reader = reader
        self.cancellation = cancellation
        indices = try ClipChoice(split: options.split, label: options.label).indices(reader)
        let isSelected = indices.map { indices in
            var flags = [Bool](repeating: false, count: reader.clipCount)
            for index in indices { flags[index] = true }
            return flags
        }
        let clipRemarks =
            isSelected == nil
            ? [] : try reader.remarksOfClips()
        let limits = clipRemarks.isEmpty ? nil : try reader.limits()
        var account = Account()
        for remark in reader.remarks where isSelected == nil || remark.source != RecordingRemarks.source {
            account.add(remark)
        }
        var frames = 0
        var splits: Set<String> = []
        for range in (0..<reader.clipCount).blocks(of: 8192) {
            let rows = try reader.rowRanges(ofClips: range)
            let names = try reader.texts(.split, ofClips: range)
            for (offset, own) in rows.enumerated() where isSelected?[range.lowerBound + offset] ?? true {
                frames += own.count
                if !names[offset].isEmpty { splits.insert(names[offset]) }
            }
            let own = clipRemarks.isEmpty ? [] : range.filter { isSelected?[$0] == true && !clipRemarks[$0].isEmpty }
            guard !own.isEmpty else { continue }
            let ids = try reader.texts(.id, ofClips: range)
            for index in own {
                account.add(clipRemarks[index], ofClip: ids[index - range.lowerBound], at: index, limits)
            }
        }
        remarks = account.report
        clipCount = indices?.count ?? reader.clipCount
        frameCount = frames
        self.splits = splits.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Seconds from a row of the export, which may be a patch, to the next.
    var rowPeriod: Double { reader.framePeriod * Double(reader.shape.patch?.hop ?? 1) }

    /// Refuses clips that are not matrices.
    ///
    /// - Throws: `ExportError.unsupported`.
    func checkMatrices() throws {
        if let channels = reader.shape.channels {
            throw ExportError.unsupported(
                path: reader.path,
                reason:
                    "this format holds matrices, and the clips keep their channels (\(channels)): choose one with audio.channels"
            )
        }
        guard let patch = reader.shape.patch, !patch.isStacked else { return }
        throw ExportError.unsupported(
            path: reader.path,
            reason:
                "this format holds matrices, and the clips are patches of \(patch.length) rows; expected rows, or stacked "
                + "patches (patches.stacked: true)")
    }

    /// Extents of an array of all exported rows, without rows that are between clips in the feature file.
    var extents: [Int] {
        let shape = reader.shape
        return shape.layout == .packed
            ? shape.extents(rows: frameCount) : [clipCount] + shape.extents(rows: shape.frames)
    }

    /// Extents of an array with a number for each of those rows.
    var rowExtents: [Int] {
        let shape = reader.shape
        return shape.layout == .packed
            ? shape.rowExtents(rows: frameCount) : [clipCount] + shape.rowExtents(rows: shape.frames)
    }

    /// Rows of a clip in that array; those of its patches, one after another.
    func rows(of clip: ExportedClip) -> Int {
        reader.shape.layout == .packed ? clip.stored.frameCount : reader.shape.frames
    }

    /// Calls a closure with each block of clips; their columns are compared with their checksums.
    ///
    /// - Parameter isWanted: Whether the next block is.
    func eachBlock(while isWanted: () -> Bool = { true }, _ body: ([ExportedClip]) throws -> Void) throws {
        var (number, row) = (0, 0)
        while number < clipCount, isWanted() {
            let first = indices?[number] ?? number
            var wanted: [Int] = []
            while number + wanted.count < clipCount {
                let index = indices?[number + wanted.count] ?? number + wanted.count
                guard index < first + Self.blockSize else { break }
                wanted.append(index)
            }
            let range = first..<(wanted.last ?? first) + 1
            let stored = try reader.checkedClips(range)
            var block: [ExportedClip] = []
            for index in wanted {
                let clip = ExportedClip(stored: stored[index - first], index: index, number: number, firstRow: row)
                block.append(clip)
                number += 1
                row += rows(of: clip)
            }
            guard !cancellation.isCancelled else { throw ExportError.cancelled }
            try body(block)
        }
    }

    /// Calls a closure with the id of each clip.
    func eachID(_ body: (String) throws -> Void) throws {
        var wanted = indices?[...]
        for range in (0..<reader.clipCount).blocks(of: 8192) {
            let ids = try reader.texts(.id, ofClips: range)
            guard !cancellation.isCancelled else { throw ExportError.cancelled }
            for (index, id) in zip(range, ids) where wanted == nil || wanted?.first == index {
                wanted?.removeFirst()
                try body(id)
            }
        }
    }
}
