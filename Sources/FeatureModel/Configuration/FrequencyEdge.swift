/// An edge of a frequency band: a frequency, or a bin of the transform that the band is cut out of.
///
/// In a configuration: a number of Hz such as `300`, or a text such as `300 Hz`, `3.4 kHz`, `3.4k` or `20 bins`.
public enum FrequencyEdge: Hashable, Sendable {
    /// A frequency in Hz.
    case hertz(Double)
    /// A bin, counted from 0.
    case bin(Int)

    /// The unit of a text.
    public enum Unit: String, CaseIterable, Sendable {
        /// Thousands of Hz.
        case kilohertz = "khz"
        /// The same, for short.
        case kilo = "k"
        /// Hz.
        case hertz = "hz"
        /// Bins of the transform.
        case bins
        /// One bin of the transform.
        case bin
    }

    /// Reads a text such as `300`, `300 Hz`, `3.4 kHz` or `20 bins`; nil for anything else, a negative number, or one that is not
    /// finite.
    ///
    /// - Parameters:
    ///   - text: A number and, after it, a unit in capital or small letters.
    ///   - unit: The unit of a text that is a bare number.
    public init?(text: some StringProtocol, unit: Unit = .hertz) {
        let (number, named) = Self.parts(of: text)
        // `Double` would read `inf`, `nan` and hexadecimal too.
        guard !number.isEmpty, number.allSatisfy({ "0123456789.e+-".contains($0) }) else { return nil }
        switch named ?? unit {
        case .bins, .bin:
            guard let bin = Int(number), bin >= 0 else { return nil }
            self = .bin(bin)
        case .hertz:
            guard let hertz = Double(number), hertz.isFinite, hertz >= 0 else { return nil }
            self = .hertz(hertz)
        case .kilohertz, .kilo:
            // By its digits: 0.3 · 1000 need not be the number nearest to 300.
            guard let kilohertz = Double(number), kilohertz.isFinite, kilohertz >= 0 else { return nil }
            let hertz = Double(number + "e3") ?? kilohertz * 1000
            guard hertz.isFinite else { return nil }
            self = .hertz(hertz)
        }
    }

    /// The unit that a text ends in; nil: it has none.
    public static func unit(of text: some StringProtocol) -> Unit? { parts(of: text).unit }

    /// The number before the unit, without the spaces around it, and the unit.
    private static func parts(of text: some StringProtocol) -> (number: String, unit: Unit?) {
        var rest = String(text.lowercased().drop(while: \.isWhitespace))
        func trimEnd() { while rest.last?.isWhitespace == true { rest.removeLast() } }
        trimEnd()
        let unit = Unit.allCases.first { rest.hasSuffix($0.rawValue) }
        if let unit { rest.removeLast(unit.rawValue.count) }
        trimEnd()
        return (rest, unit)
    }
}

extension FrequencyEdge: CustomStringConvertible {
    /// `300 Hz` or `20 bins`: what `init(text:)` reads.
    public var description: String {
        switch self {
        case .hertz(let hertz): "\(hertz.shortText) Hz"
        case .bin(let bin): bin == 1 ? "1 bin" : "\(bin) bins"
        }
    }

    static let readable = "a frequency in Hz, or a text such as 300 Hz, 3.4 kHz or 20 bins"
}

extension ValueFormat where Value == FrequencyEdge {
    /// A number of Hz, or a text with a unit; `last` is the last bin.
    static func edge(upTo last: Int) -> Self {
        Self(
            .either([.number(0...(.infinity), isOpenBelow: false), .quantity(.edge)]),
            "a frequency from 0 Hz, or 0 to \(last) bins", readable: FrequencyEdge.readable,
            read: { value, _ throws(ConfigurationError) in
                if let hertz = value.number, hertz.isFinite, hertz >= 0 { return .hertz(hertz) }
                return value.text.flatMap { FrequencyEdge(text: $0) }
            }, write: { .text($0.description) },
            isAllowed: { edge in
                switch edge {
                case .hertz(let hertz): hertz.isFinite && hertz >= 0
                case .bin(let bin): (0...last).contains(bin)
                }
            })
    }
}
