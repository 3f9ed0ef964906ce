import FeatureModel
import FeatureStorage

/// Profiles of a file's clips: the mean of every bin over a clip's frames, and a few other figures.
///
/// Memory: 4 bytes for each profiled clip and bin, and some 60 bytes for each clip; `ProfileScope` limits both.
package struct ClipProfiles: Sendable {
    package let scope: ProfileScope
    /// The labels that have clips within the scope, in the file's order, clips without one last.
    package let labels: [LabelSample]
    /// Number of clips within the scope, profiled or not.
    package let clipCount: Int
    package let profiles: [ClipProfile]
    /// The mean over its frames of each profile's bins, as stored: a row for each profile.
    package let means: FeatureMatrix
    /// The mean of each bin over all frames of these clips, as stored; NaN if no frame has a value.
    package let binMeans: [Double]
    /// The standard deviation (of the population) of each bin over all frames of these clips, as stored.
    package let binDeviations: [Double]
    package let values: ValueHistogram
    /// The share, 0 … 1, of all these values that lie at the floor; nil: the scale has none.
    package let floorShare: Double?
    /// Infinite and NaN values, which all other figures leave out.
    package let invalidValues: Int

    /// The index of a clip's profile in `profiles`; nil: it has none.
    package func index(ofClip clipIndex: Int) -> Int? {
        var (low, high) = (0, profiles.count)
        while low < high {
            let middle = (low + high) / 2
            if profiles[middle].clipIndex < clipIndex { low = middle + 1 } else { high = middle }
        }
        return low < profiles.count && profiles[low].clipIndex == clipIndex ? low : nil
    }

    /// A clip's profile; nil: it has none.
    package func profile(ofClip clipIndex: Int) -> ClipProfile? { index(ofClip: clipIndex).map { profiles[$0] } }
}

/// What a clip's stored values look like, in a few figures.
package struct ClipProfile: Hashable, Sendable {
    /// The index of the clip in the file.
    package let clipIndex: Int
    package let frames: Int
    /// The rows of `/features` that are its own.
    package let rows: Range<Int>
    /// The share, 0 … 1, of values at the floor of the scale; nil: the scale has none.
    package let floorShare: Double?
    /// Whether every bin holds the same value in all of two frames or more.
    package let isConstant: Bool

    /// Values that are infinite or not numbers, which the other figures leave out.
    package let invalidValues: Int

    /// Whether there is nothing to hear in the clip, as far as its values tell: all lie at the floor or, where the scale has
    /// none, no bin changes. A steady tone may be constant without being silent.
    package var isSilent: Bool { floorShare.map { $0 == 1 } ?? isConstant }
}
