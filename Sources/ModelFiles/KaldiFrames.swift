import FeatureModel

/// What all programs with Kaldi's options have: frames by times, windows, edges from the top.
enum KaldiFrames {
    /// Length and hop as samples, by Kaldi's truncation; the transform; the ends.
    ///
    /// - Parameters:
    ///   - rate: In Hz.
    ///   - unit: That of length and hop, in s.
    ///   - rateField: The field that the rate comes from.
    static func settle(
        _ reading: inout Reading, rate: Double, length: String, hop: String, unit: Double, power: String?,
        snip: String?,
        rateField: String, edges: String = "kaldi"
    ) throws(ModelFileError) {
        let samples = try reading.samples(count(reading.number(length), rate, unit), of: length)
        reading.set("frame.length", .whole(samples), from: length, rateField)
        let step = try reading.samples(count(reading.number(hop), rate, unit), of: hop)
        reading.set("frame.hop", .whole(step), from: hop, rateField)
        let isRounded = power.map { reading.flag($0) } ?? true
        let points = isRounded ? TransformersClasses.nextPowerOfTwo(samples) : samples
        reading.set("frame.fft_length", .whole(points), from: power ?? length)
        if let snip, !reading.flag(snip) { reading.set("frame.align", .text(edges), from: snip) }
    }

    /// The number of samples of a time, rounded down. A product that misses a whole number by its rounding counts as that.
    private static func count(_ value: Double, _ rate: Double, _ unit: Double) -> Double {
        let product = value * rate * unit
        let nearest = product.rounded()
        return abs(product - nearest) < 1e-9 * max(nearest, 1) ? nearest : product.rounded(.down)
    }

    /// The window by Kaldi's names.
    ///
    /// - Parameter isPeriodicBlackman: Whether Blackman's window is periodic, as in lhotse alone.
    static func settleWindow(
        _ reading: inout Reading, _ field: String, coefficient: String? = nil, isPeriodicBlackman: Bool = false
    ) throws(ModelFileError) {
        let window = try reading.choice(
            field,
            [
                "povey": "povey", "hanning": "hann", "hamming": "hamming", "rectangular": "rectangular",
                "blackman": "blackman",
            ])
        if let coefficient, window == "blackman", reading.number(coefficient) != 0.42 {
            throw reading.refuse(coefficient, expected: "0.42", "the window has another shape then")
        }
        reading.set("frame.window", .text(window), from: field)
        reading.set("frame.symmetric", .flag(!(isPeriodicBlackman && window == "blackman")), from: field)
    }

    /// Rows that are stacked with copies of the first and the last row: low frame rate.
    static func settleStack(_ reading: inout Reading, _ length: String, _ hop: String) throws(ModelFileError) {
        let (rows, step) = (try reading.positive(length), try reading.positive(hop))
        guard rows != 1 || step != 1 else { return }
        guard step <= rows else { throw reading.refuse(hop, expected: "at most \(length)", "rows are left out then") }
        reading.set("patches.length", .whole(rows), from: length)
        reading.set("patches.hop", .whole(step), from: hop)
        reading.set("patches.stacked", .flag(true), from: length)
        reading.set("patches.rest", .text("repeat"), from: hop)
        if rows > 2 { reading.set("patches.lead", .whole((rows - 1) / 2), from: length) }
    }

    /// The upper edge: a frequency, or one relative to half the rate where it is not above 0.
    static func settleHighest(_ reading: inout Reading, _ field: String, rate: Double) throws(ModelFileError) {
        let given = reading.number(field)
        let highest = given > 0 ? given : rate / 2 + given
        guard highest > 0, highest <= rate / 2 else {
            throw reading.refuse(
                field,
                expected: "a frequency up to half of \(rate.shortText) Hz, or one below 0 that counts from there", "")
        }
        reading.set("transform.high", .measure(highest), from: field)
    }
}
