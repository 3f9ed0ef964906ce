/// Name and version of this software.
public enum VeeryVersion {
    /// Version, by semantic versioning.
    public static let number = "0.2.0"
    /// The `generator` attribute of a file.
    public static let generator = "veery \(number)"
}
