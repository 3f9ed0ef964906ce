/// What stands before the first and after the last sample where frames are centred.
public enum EdgePadding: String, CaseIterable, Codable, Sendable {
    /// The signal mirrored at its first and last sample, which are not repeated: … x₂ x₁ | x₀ x₁ x₂ …
    case reflect
    /// The first and the last sample, repeated.
    case edge
    /// Zeros.
    case zero
}
