import ClipSpool
import FeatureModel

extension FeatureReader {
    /// Names in the root and in `/clips` that this program does not write.
    ///
    /// - Throws: `StorageError`.
    public func foreignNames() throws(StorageError) -> [String] {
        try file.names(in: "/").map { "/" + $0 }.filter { !FeatureFormat.rootNames.contains($0) }
            + file.names(in: ClipTable.group).map { "\(ClipTable.group)/\($0)" }.filter {
                !ClipTable.names.contains($0)
            }
    }

    /// Indices of the clips with a label, ascending; none where the file has no such label.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), reading one number of each.
    public func indices(label: String) throws(StorageError) -> [Int] {
        guard let wanted = header.labels.firstIndex(where: { $0.utf8.elementsEqual(label.utf8) }) else { return [] }
        return try indices(blockSize: 65_536) { range throws(StorageError) in
            try file.read(.labelIndex, range).map { $0 == wanted }
        }
    }

    /// Indices of the clips of a split, ascending; of an empty name: those without one.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), reading one text of each.
    public func indices(split: String) throws(StorageError) -> [Int] {
        try indices(blockSize: 8192) { range throws(StorageError) in
            try file.read(.split, range).map { $0.utf8.elementsEqual(split.utf8) }
        }
    }

    private func indices(
        blockSize: Int, areWanted: (Range<Int>) throws(StorageError) -> [Bool]
    ) throws(StorageError) -> [Int] {
        var indices: [Int] = []
        for start in stride(from: 0, to: clipCount, by: blockSize) {
            let range = start..<min(start + blockSize, clipCount)
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
        case .none: return features
        case .dataset, .constant: statistics = header.statistics
        case .clip:
            guard let index = try index(ofClip: clip.id),
                let own = try self.statistics(ofClips: index..<index + 1)?.first
            else { throw .noSuchClip(path: path, id: clip.id) }
            statistics = own
        }
        guard features.bins == statistics.bins else {
            throw .damaged(
                path: path, found: "rows of \(features.bins) values, but statistics of \(statistics.bins) columns")
        }
        let figures = NormalizationFigures(
            header.normalize, statistics: statistics, channels: shape.channels ?? 1)
        var values = features.values
        for index in values.indices { values[index] = figures.undo(values[index], bin: index % bins) }
        return FeatureMatrix(bins: bins, values: values)
    }
}

extension FeatureReader {
    /// One column of texts.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func texts(_ column: ClipColumn.Text, ofClips range: Range<Int>) throws(StorageError) -> [String] {
        try file.read(column, range)
    }

    /// The start of clips in their recordings, in seconds.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func starts(ofClips range: Range<Int>) throws(StorageError) -> [Double] { try file.read(.start, range) }

    /// The rows of `/features` that each clip has.
    ///
    /// - Throws: `StorageError`, `.damaged` where a clip's rows lie outside the tensor.
    package func rowRanges(ofClips range: Range<Int>) throws(StorageError) -> [Range<Int>] {
        let starts = try table.rows(.frameStart, range, from: file)
        let counts = try table.rows(.frameCount, range, from: file)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(starts.count)
        for (start, count) in zip(starts, counts) {
            guard shape.contains(rows: count, from: start) else {
                throw .damaged(
                    path: path,
                    found: "clip number \(range.lowerBound + ranges.count) has rows from \(start), \(count) of them, "
                        + "of \(rows)")
            }
            ranges.append(start..<start + count)
        }
        return ranges
    }

    /// What of clips is needed to find their samples.
    package struct Recording: Sendable {
        package let path: String
        /// The channel, from 0, that the manifest named; nil: as configured.
        package let channel: Int?
        package let measurement: ClipMeasurement
    }

    /// The recordings of some clips.
    ///
    /// - Parameter indices: Of the clips, rising.
    /// - Throws: `StorageError`, also where there is no such clip.
    package func recordings(ofClips indices: [Int]) throws(StorageError) -> [Recording] {
        var recordings: [Recording] = []
        recordings.reserveCapacity(indices.count)
        var next = 0
        while next < indices.count {
            // Reading a column costs as much as a thousand of its entries.
            var end = next + 1
            while end < indices.count, indices[end] - indices[end - 1] < 256, indices[end] - indices[next] < 16_384 {
                end += 1
            }
            let range = indices[next]..<indices[end - 1] + 1
            let (paths, measurements) = (try texts(.path, ofClips: range), try table.measurements(range, from: file))
            let channels = table.has(.channel) ? try file.read(.channel, range) : []
            for index in indices[next..<end] {
                let row = index - range.lowerBound
                let channel = channels.isEmpty || channels[row] == -1 ? nil : channels[row]
                recordings.append(Recording(path: paths[row], channel: channel, measurement: measurements[row]))
            }
            next = end
        }
        return recordings
    }
}
