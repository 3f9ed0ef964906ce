import FeatureModel
import FileIO

/// Columns of `/clips`.
extension FeatureReader {
    /// One column of texts.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func texts(_ column: ClipColumn.Text, ofClips range: Range<Int>) throws(StorageError) -> [String] {
        try files.joined(.clips, range) { file, part throws(StorageError) in try file.file.read(column, part.range) }
    }

    /// One column of texts for some clips, by their index. Reading clips one by one would read a block of every column for each.
    ///
    /// - Throws: `StorageError`.
    package func texts(_ column: ClipColumn.Text, ofClips chosen: Set<Int>) throws(StorageError) -> [Int: String] {
        var texts: [Int: String] = [:]
        let blockSize = 4096
        for number in Set(chosen.map { $0 / blockSize }).sorted() {
            let range = number * blockSize..<min((number + 1) * blockSize, clipCount)
            for (clip, text) in zip(range, try self.texts(column, ofClips: range)) where chosen.contains(clip) {
                texts[clip] = text
            }
        }
        return texts
    }

    /// One column of times, in seconds.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func seconds(_ column: ClipColumn.Seconds, ofClips range: Range<Int>) throws(StorageError) -> [Double] {
        try files.joined(.clips, range) { file, part throws(StorageError) in try file.file.read(column, part.range) }
    }

    /// Length of all clips together in seconds, added up in their order.
    ///
    /// - Throws: `StorageError`.
    package func totalDuration() throws(StorageError) -> Double {
        var total = 0.0
        for range in (0..<clipCount).blocks(of: 65_536) {
            for duration in try seconds(.duration, ofClips: range) { total += duration }
        }
        return total
    }

    /// The rates of the clips' recordings, in Hz.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(clips), with four bytes of memory for each.
    package func sampleRatesOfClips() throws(StorageError) -> [Int32] {
        var rates: [Int32] = []
        rates.reserveCapacity(clipCount)
        for range in (0..<clipCount).blocks(of: 65_536) {
            rates += try files.joined(.clips, range) { file, part throws(StorageError) in
                try file.file.read(.sampleRate, part.range).map { Int32(clamping: $0) }
            }
        }
        return rates
    }

    /// The rows of `/features` that each clip has.
    ///
    /// - Throws: `StorageError`, `.damaged` where a clip's rows lie outside the tensor.
    package func rowRanges(ofClips range: Range<Int>) throws(StorageError) -> [Range<Int>] {
        try files.joined(.clips, range) { file, part throws(StorageError) in
            let before = files.count(.rows, before: part.file)
            return try file.rowRanges(ofClips: part.range).map { $0.lowerBound + before..<$0.upperBound + before }
        }
    }

    /// Index of each clip's label; −1: none.
    func labelIndices(ofClips range: Range<Int>) throws(StorageError) -> [Int] {
        try files.joined(.clips, range) { file, part throws(StorageError) in
            try file.file.read(.labelIndex, part.range)
        }
    }

    /// The ids of failed clips.
    func failureIDs(_ range: Range<Int>) throws(StorageError) -> [String] {
        try files.joined(.failures, range) { file, part throws(StorageError) in
            try file.file.column(FailureColumn.id.dataset, part.range)
        }
    }

    /// Mean, standard deviation, minimum and maximum of a clip before normalisation, each `bins` values; nil: clips were not
    /// normalised one by one.
    ///
    /// - Throws: `StorageError`, also where there is no such clip.
    package func storedStatistics(ofClip index: Int) throws(StorageError) -> [[Double]]? {
        guard header.normalize.storesClipStatistics else { return nil }
        return try files.joined(.clips, index..<index + 1) { file, part throws(StorageError) in
            try file.storedStatistics(ofClips: part.range)
        }
    }

    /// What is needed to find the samples of clips.
    package struct Recording: Sendable {
        package let path: String
        /// The channel, from 0, that the manifest named; nil: as configured.
        package let channel: Int?
        package let measurement: ClipMeasurement
    }

    /// The recordings of some clips.
    ///
    /// - Parameter indices: The indices of the clips, rising.
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
            let found = try files.joined(.clips, range) { file, part throws(StorageError) in
                let (paths, channels) = (try file.file.read(.path, part.range), try file.channels(ofClips: part.range))
                let measurements = try file.table.measurements(part.range, from: file.file)
                return paths.indices.map {
                    Recording(path: paths[$0], channel: channels[$0], measurement: measurements[$0])
                }
            }
            recordings += indices[next..<end].map { found[$0 - range.lowerBound] }
            next = end
        }
        return recordings
    }
}
