/// The four usual kinds of discrete cosine transform, by the numbers they are known by.
///
/// N is the number of samples x and of coefficients X; k, n = 0 … N−1. Each sum is half of what SciPy's
/// `scipy.fft.dct(x, type, norm=None)` and FFTW's r2r transforms give.
public enum CosineTransformType: Int, CaseIterable, Codable, Sendable {
    /// X[k] = ½ (x[0] + (−1)ᵏ x[N−1]) + Σ x[n] cos(πnk/(N−1)), the sum over n = 1 … N−2; needs two samples.
    case one = 1
    /// X[k] = Σ x[n] cos(πk(n + ½)/N). What is called "the" cosine transform.
    case two = 2
    /// X[k] = ½ x[0] + Σ x[n] cos(πn(k + ½)/N), the sum over n = 1 … N−1. Undoes type 2, but for a factor.
    case three = 3
    /// X[k] = Σ x[n] cos(π(2n + 1)(2k + 1)/4N).
    case four = 4

    /// The type that undoes this one, but for a factor.
    public var inverse: CosineTransformType {
        switch self {
        case .one: .one
        case .two: .three
        case .three: .two
        case .four: .four
        }
    }

    /// The least number of samples it is defined for.
    public var leastLength: Int { self == .one ? 2 : 1 }
}
