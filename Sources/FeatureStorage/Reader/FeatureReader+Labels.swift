import FeatureModel
import FileIO

extension FeatureReader {
    /// The labels of a clip's frames: indices in `frameLabelNames`, −1 for none; nil: the file has none.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    public func frameLabels(of clip: StoredClip) throws(StorageError) -> [Int32]? {
        guard header.frameLabelNames != nil else { return nil }
        return try frameLabels(ofRows: rows(of: clip))
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
        for range in (0..<rows).blocks(of: max(step, 1)) {
            body(range.lowerBound, try frameLabels(ofRows: range))
        }
    }

    /// The labels of a clip's frames in time; nil: the file has none.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    package func labelsInTime(of clip: StoredClip) throws(StorageError) -> [Int32]? {
        guard let labels = try frameLabels(of: clip), let patch = shape.patch, patch.overlaps else {
            return try frameLabels(of: clip)
        }
        let patches = labels.count / patch.length
        return (0..<frameCount(ofRows: labels.count)).map { labels[patch.row(ofFrame: $0, patches: patches)] }
    }

    /// Which of the file's labels clips have: rows of `labels.count` values, 0 or 1, one clip after another; nil: the manifest
    /// had no column `labels`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func labelMatrix(ofClips range: Range<Int>) throws(StorageError) -> [UInt8]? {
        guard header.storesLabelMatrix else { return nil }
        return try files.joined(.clips, range) { file, part throws(StorageError) in
            try file.labelMatrix(ofClips: part.range) ?? []
        }
    }

    /// Indices of the clips that have a label among all their labels, ascending: as their label, or in the label matrix.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips · labels).
    public func indices(withLabel label: String) throws(StorageError) -> [Int] {
        var own = try indices(label: label)[...]
        guard header.storesLabelMatrix else { return Array(own) }
        guard let wanted = header.labels.firstIndex(where: { $0.utf8.elementsEqual(label.utf8) }) else { return [] }
        var indices: [Int] = []
        try eachLabelRow { clip, row in
            let isOwn = own.first == clip
            if isOwn { own.removeFirst() }
            if isOwn || row[row.startIndex + wanted] != 0 { indices.append(clip) }
        }
        return indices
    }

    /// Calls a closure with each clip's index and its row of the label matrix, which is read in blocks.
    package func eachLabelRow(_ body: (Int, ArraySlice<UInt8>) -> Void) throws(StorageError) {
        let labels = header.labels.count
        let step = max(1, (1 << 20) / max(labels, 1))
        for range in (0..<clipCount).blocks(of: step) {
            guard let rows = try labelMatrix(ofClips: range) else { return }
            for clip in range {
                let first = (clip - range.lowerBound) * labels
                body(clip, labels == 0 ? [] : rows[first..<first + labels])
            }
        }
    }
}
