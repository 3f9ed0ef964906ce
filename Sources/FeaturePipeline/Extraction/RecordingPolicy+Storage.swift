import AudioDecoding
import FeatureStorage

extension FeatureReader {
    /// What became of recordings that are cut off, and of samples that are no numbers, when the file was made.
    var policy: RecordingPolicy {
        RecordingPolicy(truncated: storesTruncated ? .keep : .fail, nonFinite: storesZeroedSamples ? .zero : .fail)
    }
}

extension RecordingPolicy {
    /// What of an earlier run's policy differs from this one, in words.
    func differences(from other: RecordingPolicy) -> [String] {
        var differences: [String] = []
        if truncated != other.truncated {
            differences.append("--truncated was \(other.truncated.rawValue) and is \(truncated.rawValue) now")
        }
        if nonFinite != other.nonFinite {
            differences.append("--non-finite was \(other.nonFinite.rawValue) and is \(nonFinite.rawValue) now")
        }
        return differences
    }
}

extension ClipDefects {
    /// What was found of a clip while it was read.
    init(_ decoded: DecodedClip) {
        self.init(
            isTruncated: decoded.isTruncated, liesBeforeCut: decoded.cutOff != nil && !decoded.isTruncated,
            zeroedSamples: decoded.zeroedSamples)
    }
}
