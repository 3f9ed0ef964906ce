import FeatureModel
import Numerics

/// The coefficients of a window, computed in double precision.
///
/// Formulas as in Harris (1978), "On the use of windows for harmonic analysis with the discrete Fourier transform", and
/// Nuttall (1981), "Some windows with very good sidelobe behavior"; the values agree with `scipy.signal.windows`.
/// Kaldi's window is Povey's: Hann to the power 0.85.
public enum Window {
    /// The window's `length` values.
    ///
    /// - Parameters:
    ///   - function: The shape.
    ///   - length: Number of values, 0 or more; a window of one value is 1.
    ///   - symmetric: True: the angle runs over length − 1 intervals, so that first and last value are equal; false:
    ///     over `length` intervals (periodic), for spectral analysis.
    /// - Returns: Values from 0 (or slightly below by rounding) to 1; the ends of the flat top are negative.
    public static func coefficients(_ function: WindowFunction, length: Int, symmetric: Bool) -> [Double] {
        guard length > 1 else { return Array(repeating: 1, count: max(length, 0)) }
        let intervals = symmetric ? length - 1 : length
        return (0..<length).map { value(of: function, at: $0, intervals: intervals) }
    }

    /// The value at sample n of 0 … `intervals`.
    private static func value(of function: WindowFunction, at sample: Int, intervals count: Int) -> Double {
        let (n, intervals) = (Double(sample), Double(count))
        func cosines(_ terms: Double...) -> Double { Self.cosines(sample, count, terms) }
        return switch function {
        case .rectangular: 1
        case .hann: cosines(0.5, 0.5)
        case .hamming: cosines(0.54, 0.46)
        case .blackman: cosines(0.42, 0.5, 0.08)
        case .blackmanHarris: cosines(0.35875, 0.48829, 0.14128, 0.01168)
        case .nuttall: cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411)
        case .flatTop: cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)
        case .bartlett: n <= intervals / 2 ? 2 * n / intervals : 2 - 2 * n / intervals
        case .povey: PortableMath.power(max(cosines(0.5, 0.5), 0), 0.85)
        case .kaiser(let beta): kaiser(2 * n / intervals - 1, beta)
        case .gaussian(let sigma):
            PortableMath.exp(-0.5 * ((n - intervals / 2) / sigma) * ((n - intervals / 2) / sigma))
        case .tukey(let alpha): tukey(min(n, intervals - n) / intervals, alpha)
        }
    }

    /// a₀ − a₁ cos x + a₂ cos 2x − …, x = 2πn / intervals
    private static func cosines(_ n: Int, _ intervals: Int, _ terms: [Double]) -> Double {
        terms.enumerated().reduce(0) { sum, term in
            sum + (term.offset % 2 == 0 ? 1 : -1) * term.element
                * UnitCircle.point(term.offset * n, of: intervals).cosine
        }
    }

    /// I₀(β √(1 − x²)) / I₀(β), x from −1 to 1 over the window.
    private static func kaiser(_ x: Double, _ beta: Double) -> Double {
        bessel(beta * max(0, 1 - x * x).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind and order 0, by its power series Σ ((x/2)ᵏ / k!)².
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            let ratio = x / 2 / k
            term *= ratio * ratio
            sum += term
            k += 1
        }
        return sum
    }

    /// A cosine over the fraction `alpha` / 2 from the nearer end, then 1; `distance` from that end is a fraction of the window.
    private static func tukey(_ distance: Double, _ alpha: Double) -> Double {
        guard alpha > 0, distance < alpha / 2 else { return 1 }
        return 0.5 - 0.5 * UnitCircle.point(turns: distance / alpha).cosine
    }
}
