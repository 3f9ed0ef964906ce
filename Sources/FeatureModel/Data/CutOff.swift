/// How much is left of a recording that is cut off.
///
/// Every sign of a cut (size of the sample data, end of a FLAC stream, Ogg pages) becomes this type, so that all are
/// reported, and kept with `--truncated keep`, in the same way.
public struct CutOff: Hashable, Sendable {
    /// Length in seconds that the header promises; nil: the header gives none.
    public let promised: Double?
    /// Present length in seconds; nil: known only after decoding.
    public let present: Double?
    /// Whether what is present was to be kept, and not one sample of it can be read.
    public private(set) var isUnreadable = false

    /// Keeps the values.
    public init(promised: Double?, present: Double?) {
        self.promised = promised
        self.present = present
    }

    /// The same, after a vain attempt to read what is present.
    public var withoutSamples: CutOff {
        var cut = self
        cut.isUnreadable = true
        return cut
    }

    /// `cut off: the header promises 13.91 s, 8.00 s are there`
    public var reason: String {
        guard !isUnreadable else {
            let promise = promised.map { "the header promises \(Self.text($0, digits: 2)) s" }
            let sign = promise ?? "the end of the stream is missing"
            return "cut off: \(sign), nothing can be read"
        }
        switch (promised, present) {
        case (let promised?, let present?):
            // Enough digits to tell the two apart: a cut may be a single sample.
            let digits = (2...6).first { Self.text(promised, digits: $0) != Self.text(present, digits: $0) } ?? 6
            return "cut off: the header promises \(Self.text(promised, digits: digits)) s, "
                + "\(Self.text(present, digits: digits)) s are there"
        case (let promised?, nil):
            return "cut off: the header promises \(Self.text(promised, digits: 2)) s, and less is there"
        case (nil, let present?):
            return "cut off: the end of the stream is missing, \(Self.text(present, digits: 2)) s are there"
        case (nil, nil): return "cut off: the end of the stream is missing"
        }
    }

    private static func text(_ seconds: Double, digits: Int) -> String {
        var unit = 1
        for _ in 0..<digits { unit *= 10 }
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "\(seconds)" }
        let units = Int((seconds * Double(unit)).rounded())
        let fraction = "\(units % unit)"
        return "\(units / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
