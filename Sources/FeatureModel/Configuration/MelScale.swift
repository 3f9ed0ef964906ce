/// The formula that spaces the bands of a filter bank.
public enum MelScale: String, CaseIterable, Codable, Sendable {
    /// Slaney's Auditory Toolbox: linear below 1000 Hz, logarithmic above. librosa's default.
    case slaney
    /// 2595 · log₁₀(1 + f/700), as in HTK; Kaldi's 1127 · ln(1 + f/700) spaces the bands in the same way.
    case htk
    /// The frequency itself: bands evenly spaced in Hz.
    case linear
}
