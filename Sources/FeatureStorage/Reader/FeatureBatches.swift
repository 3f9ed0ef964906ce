import FeatureModel
import FileIO

/// Clips of a file, a batch at a time: `FeatureReader.batches`.
///
/// Reading can fail, so this is not a `Sequence`: call `next` until it returns nil.
public struct FeatureBatches {
    /// Clips with their rows.
    public struct Batch: Sendable {
        /// The clips.
        public let clips: [StoredClip]
        /// The rows of each, as stored.
        public let features: [FeatureMatrix]
    }

    private let reader: FeatureReader
    private let size: Int
    private let indices: [Int]?
    private var taken = 0

    init(_ reader: FeatureReader, size: Int, indices: [Int]?) {
        precondition(size > 0, "a batch needs at least one clip")
        self.reader = reader
        self.size = size
        self.indices = indices
    }

    /// The next batch; nil after the last.
    ///
    /// - Throws: `StorageError`, also where an index is out of range.
    public mutating func next() throws(StorageError) -> Batch? {
        let count = indices?.count ?? reader.clipCount
        guard taken < count else { return nil }
        let range = taken..<min(taken + size, count)
        taken = range.upperBound
        var clips: [StoredClip] = []
        if let indices {
            for index in indices[range] { clips.append(try reader.clip(at: index)) }
        } else {
            clips = try reader.clips(range)
        }
        var features: [FeatureMatrix] = []
        for clip in clips { features.append(try reader.features(of: clip)) }
        return Batch(clips: clips, features: features)
    }
}
