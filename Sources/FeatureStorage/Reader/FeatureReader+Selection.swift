import FeatureModel
import FileIO

extension FeatureReader {
    /// Indices of the clips with a label, ascending; none where the file has no such label.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), reading one number of each.
    public func indices(label: String) throws(StorageError) -> [Int] {
        guard let wanted = header.labels.firstIndex(where: { $0.utf8.elementsEqual(label.utf8) }) else { return [] }
        return try indices(blockSize: 65_536) { range throws(StorageError) in
            try labelIndices(ofClips: range).map { $0 == wanted }
        }
    }

    /// Indices of the clips of a split, ascending; of an empty name: those without one.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), reading one text of each.
    public func indices(split: String) throws(StorageError) -> [Int] {
        try indices(blockSize: 8192) { range throws(StorageError) in
            try texts(.split, ofClips: range).map { $0.utf8.elementsEqual(split.utf8) }
        }
    }

    private func indices(
        blockSize: Int, areWanted: (Range<Int>) throws(StorageError) -> [Bool]
    ) throws(StorageError) -> [Int] {
        var indices: [Int] = []
        for range in (0..<clipCount).blocks(of: blockSize) {
            for (index, isWanted) in zip(range, try areWanted(range)) where isWanted { indices.append(index) }
        }
        return indices
    }

    /// Clips with their rows, `size` at a time, one batch after another; the last may be smaller.
    ///
    ///     var batches = reader.batches(of: 32, indices: try reader.indices(split: "train"))
    ///     while let batch = try batches.next() { … }
    ///
    /// - Parameters:
    ///   - size: Clips in a batch, at least 1.
    ///   - indices: Which clips, in which order; nil: all, in the file's.
    /// - Precondition: `size` is positive.
    public func batches(of size: Int, indices: [Int]? = nil) -> FeatureBatches {
        FeatureBatches(self, size: size, indices: indices)
    }

    /// The values of a clip as they were before normalisation, to 1e-5 of their range where they are stored as float32.
    ///
    /// A column without a spread, and all of a clip with one frame where each clip is normalised by itself, come back as
    /// the statistics have them: exactly.
    ///
    /// - Parameters:
    ///   - features: The clip's rows, or some of them, as stored.
    ///   - clip: The clip.
    /// - Throws: `StorageError`, `.damaged` where the clip's statistics are missing.
    public func undoNormalization(of features: FeatureMatrix, clip: StoredClip) throws(StorageError) -> FeatureMatrix {
        let statistics: BinStatistics
        switch header.normalize.scope {
        case .none:
            // Most configurations have no such key, and need not be read.
            if header.configuration.contains("\"resize"), try decodedConfiguration().normalizesBeforeResizing {
                throw .resized(path: path)
            }
            return features
        case .dataset, .constant: statistics = header.statistics
        case .clip:
            guard let index = try index(ofClip: clip.id),
                let own = try self.statistics(ofClips: index..<index + 1)?.first
            else { throw .noSuchClip(path: path, id: clip.id) }
            statistics = own
        }
        if let minimum = header.normalize.minimum { throw .cutOff(path: path, minimum: minimum) }
        // Rows of stacked patches have lost their position in these.
        if let count = header.normalize.constantColumns, statistics.bins % count != 0 {
            throw .notUndone(path: path, columns: count)
        }
        guard features.bins == statistics.bins else {
            throw .damaged(
                path: path, found: "rows of \(features.bins) values, but statistics of \(statistics.bins) columns")
        }
        let normalization = NormalizationFigures(
            header.normalize, statistics: statistics, channels: shape.channels ?? 1)
        var values = features.values
        for index in values.indices { values[index] = normalization.undo(values[index], bin: index % bins) }
        return FeatureMatrix(bins: bins, values: values)
    }
}
