import ClipSpool
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
    var firstFailures: [String] = []
    /// Clips whose recording has a lower rate than the features.
    var upsampled = 0
    /// The lowest rate of those, in Hz; nil: there are none.
    var lowestRate: Int?
    /// What was read of recordings and not used, of all clips; and the defects of those of the spool.
    var account = Account()
    /// Whether a clip has `RecordingRemarks`.
    var hasRemarks = false
    /// Whether all rows so far are in place.
    var isInPlace = true
    /// Number of those rows.
    var rows = 0

    /// Takes note of what there is to say of a clip's recording.
    mutating func add(_ measurement: ClipMeasurement, of clip: Clip) {
        func note(_ kind: Remark.Kind, _ account: inout Account) {
            account.add(kind, source: RecordingRemarks.source, at: clip.index, clip.id)
        }
        if measurement.isTruncated { note(.recordingsTruncated, &account) }
        if measurement.liesBeforeCut { note(.recordingsCutLater, &account) }
        if measurement.zeroedSamples > 0 { note(.samplesZeroed, &account) }
        add(measurement.remarks, of: clip)
    }

    /// The same of a clip that is copied from an existing file.
    mutating func add(_ remarks: RecordingRemarks, of clip: Clip) {
        guard !remarks.isEmpty else { return }
        hasRemarks = true
        account.add(remarks, ofClip: clip.id, at: clip.index)
    }

    /// Counts a failure.
    mutating func add(_ failure: FailureRecord, of clip: Clip) {
        reasonWidth = max(reasonWidth, failure.reason.utf8.count)
        if firstFailures.count < 5 { firstFailures.append("\(clip.path): \(failure)") }
    }
}
