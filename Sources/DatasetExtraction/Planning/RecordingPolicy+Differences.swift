import FeatureModel

extension RecordingPolicy {
    /// The differences between an earlier run's policy and this one, in words.
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
