import FeatureModel
import FeatureStorage
import FileIO

/// All labels of clips, their label and those of the label matrix: how many clips have each, and which occur together.
package struct LabelMatrixSummary: Sendable, Encodable {
    /// Clips of each label, in the order of the file's labels. A clip with several is in several.
    package internal(set) var labels: [DatasetSummary.Group]
    /// Clips without a label.
    package internal(set) var unlabelled = 0
    /// The same clips with their rows and length; not in the JSON.
    package internal(set) var withoutLabel = DatasetSummary.Group(name: "")
    /// Clips by their number of labels.
    package internal(set) var labelsPerClip: [DatasetSummary.Count] = []
    /// Indices in `labels` of the most frequent ones, the most frequent first; only those that clips have.
    package internal(set) var frequent: [Int] = []
    /// Clips that have two of the most frequent labels: a row and a column for each of `frequent`. The diagonal counts the clips
    /// of a single label.
    package internal(set) var together: [[Int]] = []

    /// Maximum number of labels in `frequent`.
    static let maximumFrequent = 12

    private enum CodingKeys: CodingKey { case labels, unlabelled, labelsPerClip, frequent, together }

    /// Two labels, by their indices, and the clips that have both.
    package struct Pair: Sendable {
        package let first, second: Int
        package let clips: Int
    }

    /// Pairs among the most frequent labels, those with most clips first.
    package var pairs: [Pair] {
        var pairs: [Pair] = []
        for row in frequent.indices {
            for column in row + 1..<max(frequent.count, row + 1) where together[row][column] > 0 {
                pairs.append(Pair(first: frequent[row], second: frequent[column], clips: together[row][column]))
            }
        }
        return pairs.sorted { $0.clips > $1.clips }
    }
}

extension LabelMatrixSummary {
    /// Counts, in two passes over the matrix; nil: the file has none, and clips have one label at most.
    init?(_ reader: FeatureReader) throws(StorageError) {
        guard reader.storesLabelMatrix else { return nil }
        let count = reader.labels.count
        var groups = reader.labels.map { DatasetSummary.Group(name: $0) }
        var (rest, perClip): (DatasetSummary.Group, [Int: Int]) = (DatasetSummary.Group(name: ""), [:])
        let step = max(1, min(DatasetSummary.blockSize, (1 << 20) / max(count, 1)))
        for range in (0..<reader.clipCount).blocks(of: step) {
            let (clips, rows) = (try reader.figures(range), try reader.labelMatrix(ofClips: range) ?? [])
            for (offset, clip) in clips.enumerated() {
                var labels = 0
                for label in 0..<count where label == clip.labelIndex || rows[offset * count + label] != 0 {
                    groups[label].add(clip)
                    labels += 1
                }
                if labels == 0 { rest.add(clip) }
                perClip[labels, default: 0] += 1
            }
        }
        let ranked = groups.indices.filter { groups[$0].clips > 0 }.sorted { groups[$0].clips > groups[$1].clips }
        let frequent = Array(ranked.prefix(Self.maximumFrequent))
        var together = frequent.map { _ in [Int](repeating: 0, count: frequent.count) }
        try reader.eachLabels(split: nil) { _, labels in
            let present = frequent.indices.filter { labels.contains(frequent[$0]) }
            for one in present { for other in present { together[one][other] += 1 } }
        }
        self.init(
            labels: groups, unlabelled: rest.clips, withoutLabel: rest,
            labelsPerClip: DatasetSummary.Count.list(perClip), frequent: frequent, together: together)
    }
}

/// How many frames have each label.
package struct FrameLabelSummary: Sendable, Encodable {
    /// Frames with a label.
    package struct Label: Sendable, Encodable {
        package let name: String
        package internal(set) var frames = 0
    }

    /// In the order of the file's names.
    package internal(set) var labels: [Label]
    /// Frames of clips without a label.
    package internal(set) var unlabelled = 0
    /// Frames of all clips.
    package internal(set) var frames = 0
    /// SHA-256 of the annotations.
    package let annotationsSHA256: String
}

extension FrameLabelSummary {
    /// Counts, in one pass over the labels of all frames; nil: the file has none.
    init?(_ reader: FeatureReader) throws(StorageError) {
        guard let names = reader.frameLabelNames else { return nil }
        var counts = [Int](repeating: 0, count: names.count)
        try reader.eachFrameLabel { _, labels in
            for label in labels where label >= 0 && label < counts.count { counts[Int(label)] += 1 }
        }
        var frames = 0
        try reader.eachClip { _, clip in frames += clip.frameCount }
        self.init(
            labels: zip(names, counts).map { Label(name: $0, frames: $1) },
            unlabelled: frames - counts.reduce(0, +), frames: frames, annotationsSHA256: reader.annotationsChecksum)
    }
}

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
