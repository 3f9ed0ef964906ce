import ClipSpool
import FeatureModel

/// Clips of a file, a batch at a time: `FeatureReader.batches`.
///
/// Reading can fail, so this is no `Sequence`: call `next` until it gives nothing.
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
    private let places: [Int]?
    private var taken = 0

    init(_ reader: FeatureReader, size: Int, places: [Int]?) {
        precondition(size > 0, "a batch needs at least one clip")
        self.reader = reader
        self.size = size
        self.places = places
    }

    /// The next batch; nil after the last.
    ///
    /// - Throws: `StorageError`, also where there is no clip at one of the places.
    public mutating func next() throws(StorageError) -> Batch? {
        let count = places?.count ?? reader.clipCount
        guard taken < count else { return nil }
        let range = taken..<min(taken + size, count)
        taken = range.upperBound
        var clips: [StoredClip] = []
        if let places {
            for place in places[range] { clips.append(try reader.clip(at: place)) }
        } else {
            clips = try reader.clips(range)
        }
        var features: [FeatureMatrix] = []
        for clip in clips { features.append(try reader.features(of: clip)) }
        return Batch(clips: clips, features: features)
    }
}
