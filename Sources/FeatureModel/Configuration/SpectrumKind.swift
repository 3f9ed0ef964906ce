/// What of a spectrum a filter bank weighs.
public enum SpectrumKind: String, CaseIterable, Codable, Sendable {
    /// |X|²
    case power
    /// |X|
    case magnitude
}
