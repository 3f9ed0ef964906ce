/// How the coefficients of a cosine transform are scaled.
public enum CosineNormalization: String, CaseIterable, Codable, Sendable {
    /// Not at all: the sums as `CosineTransformType` states them.
    case none
    /// So that the transform is orthogonal and keeps the energy: `norm="ortho"` of `scipy.fft.dct`.
    ///
    /// The sums times √(2/N), with X[0] divided by √2 in type 2 and x[0] multiplied by √2 in type 3. In type 1, times
    /// √(2/(N−1)), the first and last sample multiplied and the first and last coefficient divided by √2.
    case ortho
}
