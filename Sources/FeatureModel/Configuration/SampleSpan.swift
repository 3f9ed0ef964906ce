/// A length of signal, given in samples or in seconds; seconds become samples once the sample rate is known.
///
/// In a configuration: `400`, or a text such as `"25 ms"` or `"0.025 s"`.
public enum SampleSpan: Hashable, Sendable {
    /// A number of samples.
    case samples(Int)
    /// A time in seconds.
    case seconds(Double)

    /// The length in samples at `sampleRate` (Hz).
    ///
    /// At most 2⁴⁰ samples, so that no arithmetic overflows.
    public func samples(at sampleRate: Double, rounding: TimeRounding) -> Int {
        switch self {
        case .samples(let count): count
        case .seconds(let time): Int(min(max(rounding.whole(time * sampleRate), 0), 0x1p40))
        }
    }

    /// Reads a text such as `25 ms`, `0.025 s` or `400`; nil for anything else, and a number that is not positive and finite.
    public init?(text: String) {
        let trimmed = text.drop(while: \.isWhitespace)
        if let count = Int(trimmed), count > 0 {
            self = .samples(count)
            return
        }
        for (unit, factor) in [("ms", 0.001), ("s", 1.0)] where trimmed.hasSuffix(unit) {
            let digits = trimmed.dropLast(unit.count).prefix { !$0.isWhitespace }
            // `Double` also reads hexadecimal; spaces are allowed only before the unit.
            guard trimmed.dropFirst(digits.count).dropLast(unit.count).allSatisfy(\.isWhitespace),
                digits.allSatisfy({ "0123456789.eE+-".contains($0) }),
                let number = Double(String(digits)), number.isFinite,
                // A positive number of ms may round to 0 s.
                number * factor > 0
            else { return nil }
            self = .seconds(number * factor)
            return
        }
        return nil
    }
}

extension SampleSpan: CustomStringConvertible {
    /// `400`, or `25 ms`: what `init(text:)` reads.
    public var description: String {
        switch self {
        case .samples(let count): "\(count)"
        case .seconds(let time): text(of: time)
        }
    }

    /// In milliseconds, without the rounding error of the multiplication by 1000, where that reads back the same.
    private func text(of seconds: Double) -> String {
        let rounded = (seconds * 1e9).rounded() / 1e6
        return rounded * 0.001 == seconds ? "\(rounded.shortText) ms" : "\(seconds) s"
    }
}

extension ValueFormat where Value == SampleSpan {
    /// A whole number of samples, or a text with a unit, up to an hour.
    ///
    /// - Parameter samples: How many are allowed.
    static func span(_ samples: ClosedRange<Int>) -> Self {
        let readable = "\(samples.lowerBound) to \(samples.upperBound) samples, or a time such as \"25 ms\""
        return Self(
            .either([.whole(samples), .quantity(.span)]), readable + " (up to an hour)", readable: readable,
            read: { value, _ throws(ConfigurationError) in
                if let count = value.whole, count > 0 { return .samples(count) }
                return value.text.flatMap { SampleSpan(text: $0) }
            },
            write: { span in
                switch span {
                case .samples(let count): .whole(count)
                case .seconds: .text(span.description)
                }
            },
            isAllowed: { span in
                switch span {
                case .samples(let count): samples.contains(count)
                case .seconds(let time): time.isFinite && time > 0 && time <= 3600
                }
            })
    }
}

/// How a time becomes a whole number of samples: 10 ms at 22,050 Hz are 220.5.
public enum TimeRounding: String, CaseIterable, Codable, Sendable {
    /// To the nearest whole number, halves up: 221.
    case nearest
    /// To the nearest whole number, halves to the even one: 220. Python's `round`.
    case even
    /// To the whole number below: 220. What Kaldi, HTK, torchaudio and lhotse do by a conversion to an integer.
    case down

    /// The whole number for a product of a time and a sample rate. `nearest` takes the product as double precision has it.
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
