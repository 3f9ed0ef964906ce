/// How the triangles of a mel filter bank are scaled.
public enum MelNormalization: String, CaseIterable, Codable, Sendable {
    /// Peak 1.
    case none
    /// Area 1: divided by half the width in Hz. librosa's default.
    case slaney
}
