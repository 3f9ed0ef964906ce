import ClipSpool

extension FeatureReader {
    /// A column of texts of `/clips`.
    package enum TextColumn: String, CaseIterable, Sendable {
        case id, path, label, split
        case audioChecksum = "audio_xxh3"
        case tensorChecksum = "tensor_xxh3"
    }

    /// One column of texts, for clips of which nothing else is wanted.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func texts(_ column: TextColumn, ofClips range: Range<Int>) throws(StorageError) -> [String] {
        try file.texts("/clips/" + column.rawValue, range: range)
    }

    /// Where clips begin in their recordings, in seconds.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    package func starts(ofClips range: Range<Int>) throws(StorageError) -> [Double] {
        try file.read("/clips/start", as: Double.self, range: range)
    }

    /// The rows of `/features` that each clip has.
    ///
    /// - Throws: `StorageError`, `.damaged` where a clip's rows lie outside the tensor.
    package func rowRanges(ofClips range: Range<Int>) throws(StorageError) -> [Range<Int>] {
        let starts = try file.read("/clips/frame_start", as: Int64.self, range: range)
        let counts = try file.read("/clips/frame_count", as: Int32.self, range: range)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(starts.count)
        for (start, count) in zip(starts, counts) {
            guard shape.contains(rows: Int(count), from: Int(start)) else {
                throw .damaged(
                    path: path,
                    found: "clip number \(range.lowerBound + ranges.count) has rows from \(start), \(count) of them, "
                        + "of \(rows)")
            }
            ranges.append(Int(start)..<Int(start) + Int(count))
        }
        return ranges
    }
}
