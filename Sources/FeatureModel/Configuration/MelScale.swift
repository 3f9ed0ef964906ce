/// The formula that maps Hz to mel.
public enum MelScale: String, CaseIterable, Codable, Sendable {
    /// Slaney's Auditory Toolbox: linear below 1000 Hz, logarithmic above. librosa's default.
    case slaney
    /// 2595 · log₁₀(1 + f/700), as in HTK.
    case htk
}
