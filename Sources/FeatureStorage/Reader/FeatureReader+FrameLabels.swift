import FeatureModel
import FileIO

extension FeatureReader {
    /// The labels of a clip's frames: indices in `frameLabelNames`, −1 for none; nil: the file has none.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    public func frameLabels(of clip: StoredClip) throws(StorageError) -> [Int32]? {
        guard header.frameLabelNames != nil else { return nil }
        guard shape.contains(rows: clip.frameCount, from: clip.frameStart) else {
            throw .damaged(path: path, found: "the rows of clip '\(clip.id)' lie outside the tensor")
        }
        return try frameLabels(ofRows: clip.frameStart..<clip.frameStart + clip.frameCount)
    }

    /// The labels of rows of `/features`, those that belong to no clip included.
    ///
    /// - Precondition: The file has labels of frames, and these rows.
    package func frameLabels(ofRows rows: Range<Int>) throws(StorageError) -> [Int32] {
        try files.joined(.rows, rows) { file, part throws(StorageError) in try file.frameLabels(ofRows: part.range) }
    }

    /// Calls a closure with the labels of all rows, in blocks: the first row, and the labels.
    package func eachFrameLabel(_ body: (Int, [Int32]) -> Void) throws(StorageError) {
        guard header.frameLabelNames != nil else { return }
        let step = shape.layout == .fixed ? max(1, (1 << 18) / max(shape.frames, 1)) * shape.frames : 1 << 18
        for start in stride(from: 0, to: rows, by: max(step, 1)) {
            body(start, try frameLabels(ofRows: start..<min(start + step, rows)))
        }
    }
}
