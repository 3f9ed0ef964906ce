import FeatureModel
import Manifests

/// A clip of a dataset, or one that failed, as a browser shows it.
struct BrowsedClip: Sendable {
    /// The part of its recording, with its id and path; `index` is from 0; stored clips come first, then failures.
    let clip: Clip
    /// Indices in the dataset's labels, ascending.
    let labels: [Int]
    /// Index in the dataset's splits; −1: none.
    let split: Int
    /// Seconds; nil: not known before its recording is read.
    let duration: Double?
    /// Frames in time that are stored; nil: none.
    var frames: Int?
    /// That of its recording in Hz; nil: not known.
    var sampleRate: Int?
    /// Those of its recording; nil: not known.
    var channels: Int?
    /// Why it has no features; nil: it did not fail.
    var failure: FailureRecord?
    /// What a correction of it says of the clip.
    let part: CorrectedPart

    var number: Int { clip.index }
    /// Seconds from the start of its recording.
    var start: Double { clip.segment?.start ?? 0 }
}
