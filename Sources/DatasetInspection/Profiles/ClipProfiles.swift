import FeatureModel

/// Profiles of a file's clips: the mean of every bin over a clip's frames, and a few figures besides.
///
/// Memory: 4 bytes for each profiled clip and bin, and some 60 bytes for each clip; `ProfileScope` limits both.
package struct ClipProfiles: Sendable {
    package let scope: ProfileScope
    /// The labels that have clips within the scope, in the file's order, clips without one last.
    package let labels: [LabelSample]
    package let profiles: [ClipProfile]
    /// The mean over its frames of each profile's bins, as stored: a row for each profile.
    package let means: FeatureMatrix
    /// The mean of each bin over all frames of these clips, as stored; NaN if no frame has a value.
    package let binMeans: [Double]
    /// The standard deviation (of the population) of each bin over all frames of these clips, as stored.
    package let binDeviations: [Double]
    package let values: ValueHistogram
    /// The share, 0 … 1, of all these values that lie at the floor; nil where the scale has none.
    package let floorShare: Double?
    /// Infinite and NaN values, which all other figures leave out.
    package let invalidValues: Int

    /// Number of clips within the scope, profiled or not.
    package var clipCount: Int { labels.reduce(0) { $0 + $1.clips } }

    /// The index of a clip's profile in `profiles`; nil: it has none.
    package func index(ofClip clipIndex: Int) -> Int? {
        var (low, high) = (0, profiles.count)
        while low < high {
            let middle = (low + high) / 2
            if profiles[middle].clipIndex < clipIndex { low = middle + 1 } else { high = middle }
        }
        return low < profiles.count && profiles[low].clipIndex == clipIndex ? low : nil
    }
}
