import FeatureModel

/// What a spool holds, altogether.
struct AssemblyTotals {
    /// Over the clips of the `fit` split, whether or not they can be stored.
    var statistics: BinStatistics
    /// The split that they were taken from; empty: all clips.
    var fit: String
    /// Seconds of audio in the clips of the spool.
    var seconds = 0.0
    /// Seconds of audio in the clips that stay as they are.
    var keptSeconds = 0.0
    /// Bytes of the longest reason of a failure.
    var reasonWidth = 0
    /// The first failures, for a message.
    var firstFailures: [String] = []
    /// Clips whose recording has a lower rate than the features.
    var upsampled = 0
    /// The lowest rate of those, in Hz.
    var lowestRate = Int.max
    /// Whether all rows so far lie where they will lie in the file.
    var isInPlace = true
    /// Number of those rows.
    var rows = 0

    /// Notes a failure.
    mutating func add(_ failure: ClipFailure, of clip: Clip) {
        reasonWidth = max(reasonWidth, failure.reason.utf8.count)
        if firstFailures.count < 5 { firstFailures.append("\(clip.path): \(failure)") }
    }
}
