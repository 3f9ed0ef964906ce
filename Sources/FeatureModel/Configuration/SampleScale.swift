/// The range that a full-scale recording covers.
public enum SampleScale: String, CaseIterable, Codable, Sendable {
    /// −1 … 1 (16-bit PCM is divided by 32,768).
    case unit
    /// −32,768 … 32,767, as in 16-bit PCM; other sample types are brought to the same range.
    case int16

    /// What a sample on the unit scale is multiplied by.
    public var factor: Float { self == .unit ? 1 : 32_768 }
}
