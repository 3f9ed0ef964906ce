/// How a discrete cosine transform is scaled.
public enum CosineNormalization: String, CaseIterable, Codable, Sendable {
    /// Plain sums: half of SciPy's `norm=None` and of FFTW's REDFT kinds.
    case none
    /// An orthogonal matrix, as SciPy's `norm="ortho"`.
    case ortho
}
