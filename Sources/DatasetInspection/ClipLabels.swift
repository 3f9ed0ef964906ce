import FeatureStorage
import FileIO

extension FeatureReader {
    /// Calls a closure with each clip's index and all its labels: their indices in the file, ascending, of its label and of those in the
    /// label matrix; −1 alone: it has none.
    ///
    /// - Parameter split: The split of the clips; nil: all clips.
    /// - Throws: `StorageError`.
    /// - Complexity: One pass over three columns, and one over the label matrix if there is one; 4 bytes a clip in memory.
    package func eachLabels(split: String?, _ body: (Int, [Int]) -> Void) throws(StorageError) {
        // The label of each clip; nil: the clip is in another split.
        var own: [Int32?] = []
        let (hasMatrix, known) = (header.storesLabelMatrix, header.labels.indices)
        try eachClip { index, clip in
            let label = known.contains(clip.labelIndex) ? clip.labelIndex : -1
            let isWanted = split?.utf8.elementsEqual(clip.split.utf8) ?? true
            if hasMatrix {
                own.append(isWanted ? Int32(label) : nil)
            } else if isWanted {
                body(index, [label])
            }
        }
        guard hasMatrix else { return }
        try eachLabelRow { index, row in
            guard let label = own[index].map(Int.init) else { return }
            let found = row.indices.lazy.map { $0 - row.startIndex }
                .filter { $0 == label || row[row.startIndex + $0] != 0 }
            body(index, found.isEmpty ? [-1] : Array(found))
        }
    }
}
