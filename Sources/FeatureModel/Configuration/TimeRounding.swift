/// How a time becomes a whole number of samples: 10 ms at 22,050 Hz are 220.5.
public enum TimeRounding: String, CaseIterable, Codable, Sendable {
    /// To the nearest whole number, halves up: 221.
    case nearest
    /// To the nearest whole number, halves to the even one: 220. Python's `round`.
    case even
    /// To the whole number below: 220. What Kaldi, HTK, torchaudio and lhotse do by a conversion to an integer.
    case down

    /// The whole number for a product of a time and a sample rate. `nearest` takes the product as double precision has it, as
    /// version 0.1 did, so that files that were made then have the same frames.
    func whole(_ product: Double) -> Double {
        switch self {
        case .nearest: product.rounded()
        case .even: Self.exact(product).rounded(.toNearestOrEven)
        case .down: Self.exact(product).rounded(.down)
        }
    }

    /// The product, or the whole number or half that it misses by its own rounding error alone: 0.145 · 48,000 is less than 6960
    /// in double precision.
    private static func exact(_ product: Double) -> Double {
        let half = (2 * product).rounded() / 2
        return abs(product - half) <= 2 * product.ulp ? half : product
    }
}
