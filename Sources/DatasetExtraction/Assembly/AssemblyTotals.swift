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
    /// Clips that are shorter than they would be, had their recording not been cut off.
    var truncated = 0
    /// Clips whose recording is cut off after them.
    var beforeCut = 0
    /// The path of the first of those.
    var firstBeforeCut = ""
    /// Clips that were to end after their recording, and are cut off there; and the path of the first.
    var endsCut = 0
    var firstEndCut = ""
    /// Samples that were not finite and became 0.
    var zeroedSamples = 0
    /// Clips with such samples.
    var zeroedClips = 0
    /// Whether all rows so far are in place.
    var isInPlace = true
    /// Number of those rows.
    var rows = 0

    /// Counts the defects of a clip's recording.
    mutating func add(_ measurement: ClipMeasurement, of clip: Clip) {
        if measurement.isTruncated { truncated += 1 }
        if measurement.liesBeforeCut {
            if beforeCut == 0 { firstBeforeCut = clip.path }
            beforeCut += 1
        }
        // This follows from the manifest and the recording, so it is as right of a resumed run and of shards.
        if !measurement.isTruncated, clip.segment?.isCut(toLast: measurement.duration) == true {
            if endsCut == 0 { firstEndCut = clip.path }
            endsCut += 1
        }
        zeroedSamples += measurement.zeroedSamples
        if measurement.zeroedSamples > 0 { zeroedClips += 1 }
    }

    /// The defects of recordings, a sentence each.
    var defects: [String] {
        var sentences: [String] = []
        if truncated > 0 {
            sentences.append(
                "\(Wording.count(truncated, "clip")) ended early because the recording is cut off: see \(ClipColumn.Integer.truncated.dataset)"
            )
        }
        if beforeCut > 0 {
            sentences.append(
                "\(Wording.count(beforeCut, "clip")) \(beforeCut == 1 ? "is" : "are") complete, but \(beforeCut == 1 ? "its recording is" : "their recordings are") cut off "
                    + "later: the first is \(firstBeforeCut)")
        }
        if endsCut > 0 {
            sentences.append(
                "\(Wording.count(endsCut, "clip")) cut off at the end of \(endsCut == 1 ? "its recording" : "their recordings"), "
                    + "which \(endsCut == 1 ? "it was" : "they were") to end after: the first is \(firstEndCut)")
        }
        if zeroedSamples > 0 {
            sentences.append(
                "samples that were infinite or not a number became 0: \(Wording.count(zeroedSamples)) in "
                    + "\(Wording.count(zeroedClips, "clip")), see \(ClipColumn.Integer.zeroedSamples.dataset)")
        }
        return sentences
    }

    /// Counts a failure.
    mutating func add(_ failure: FailureRecord, of clip: Clip) {
        reasonWidth = max(reasonWidth, failure.reason.utf8.count)
        if firstFailures.count < 5 { firstFailures.append("\(clip.path): \(failure)") }
    }
}
