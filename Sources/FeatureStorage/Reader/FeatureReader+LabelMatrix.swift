import FeatureModel
import FileIO

extension FeatureReader {
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
        for start in stride(from: 0, to: clipCount, by: step) {
            let range = start..<min(start + step, clipCount)
            guard let rows = try labelMatrix(ofClips: range) else { return }
            for clip in range {
                let first = (clip - start) * labels
                body(clip, labels == 0 ? [] : rows[first..<first + labels])
            }
        }
    }
}
