import ClipSpool

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
    package func starts(ofClips range: Range<Int>) throws(StorageError) -> [Double] {
        try file.read(.start, range)
    }

    /// The rows of `/features` that each clip has.
    ///
    /// - Throws: `StorageError`, `.damaged` where a clip's rows lie outside the tensor.
    package func rowRanges(ofClips range: Range<Int>) throws(StorageError) -> [Range<Int>] {
        let starts = try file.read(.frameStart, range)
        let counts = try file.read(.frameCount, range)
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
}
