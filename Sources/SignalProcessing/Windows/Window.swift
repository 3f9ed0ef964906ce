import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The coefficients of a window, computed in double precision.
///
/// Formulas as in Harris (1978), "On the use of windows for harmonic analysis with the discrete Fourier transform";
/// the figures agree with `scipy.signal.windows`.
public enum Window {
    /// The window's `length` values.
    ///
    /// - Parameters:
    ///   - function: The shape.
    ///   - length: Number of values, 0 or more; a window of one value is 1.
    ///   - symmetric: True: the angle runs over length − 1 intervals, so that first and last value are equal; false:
    ///     over `length` intervals (periodic), which is what spectral analysis wants.
    /// - Returns: Values from 0 to 1 (Blackman's ends may fall short of 0 by rounding).
    public static func coefficients(_ function: WindowFunction, length: Int, symmetric: Bool) -> [Double] {
        guard length > 1 else { return Array(repeating: 1, count: max(length, 0)) }
        let intervals = Double(symmetric ? length - 1 : length)
        return (0..<length).map { index in
            let angle = 2 * Double.pi * Double(index) / intervals
            return switch function {
            case .rectangular: 1
            case .hann: 0.5 - 0.5 * cos(angle)
            case .hamming: 0.54 - 0.46 * cos(angle)
            case .blackman: 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
            }
        }
    }
}
