/// On which axis the sides of a filter bank's triangles are straight.
public enum TriangleDomain: String, CaseIterable, Codable, Sendable {
    /// In Hz, as in librosa and torchaudio.
    case hertz
    /// In mel, as in HTK and Kaldi.
    case mel
}
