/// Name and version of this software.
public enum VeeryVersion {
    /// Version, by semantic versioning.
    public static let number = "0.1.0"
    /// What stands in a file's `generator` attribute.
    public static let generator = "veery \(number)"
}
