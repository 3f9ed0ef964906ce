import FeatureModel
import FeatureStorage
import Presentation

/// Totals of a spool.
struct AssemblyTotals {
    /// Over the clips of the `fit` split, whether or not they can be stored.
    var statistics: BinStatistics
    /// The split that they were computed from; empty: all clips.
    var fit: String
    /// Seconds of audio in the clips of the spool.
    var duration = DurationSum()
    /// Seconds of audio in the kept clips.
    var keptSeconds = 0.0
    /// Length in bytes of the longest reason of a failure.
    var reasonWidth = 0
    /// The first failures, for a message.
    var firstFailures: [StoredFailure] = []
    /// Clips whose recording has a lower rate than the features.
    var lowerRates = LowerRates()
    /// What was read of recordings and not used, of all clips.
    var account = Account()
    /// Whether a clip has `RecordingRemarks` that are stored.
    var hasRemarks = false
    /// Whether all rows so far are at their final offsets.
    var isInPlace = true
    /// Number of those rows.
    var rows = 0

    /// Adds the remarks on a clip's recording, and its sample rate in Hz if it is known.
    mutating func add(_ remarks: RecordingRemarks, of clip: Clip, _ limits: FeatureLimits, rate: Int?) {
        if !remarks.stored.isEmpty { hasRemarks = true }
        account.add(remarks, ofClip: clip.id, at: clip.index, limits, rate: rate)
    }

    /// Counts a failure.
    mutating func add(_ failure: FailureRecord, of clip: Clip) {
        reasonWidth = max(reasonWidth, failure.reason.utf8.count)
        if firstFailures.count < 5 {
            firstFailures.append(StoredFailure(id: clip.id, path: clip.path, failure: failure))
        }
    }
}
