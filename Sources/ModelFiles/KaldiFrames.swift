import FeatureModel

/// What all programs with Kaldi's options have: frames by times, windows, edges from the top.
enum KaldiFrames {
    /// What powers and energies are at least before a logarithm: the step of single precision after 1.
    static let floor = 0x1p-23

    /// Length and hop, as samples by Kaldi's truncation; the transform; the ends.
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
        let step = try reading.samples(count(reading.number(hop), rate, unit), of: hop)
        reading.setFrames(
            length: (length, reading.number(length) * unit, samples), hop: (hop, reading.number(hop) * unit, step),
            rate: rate, rateField: rateField, rounding: .down)
        let isRounded = power.map { reading.flag($0) } ?? true
        reading.set(
            "frame.fft_length", isRounded ? .text("next_power_of_two") : .whole(samples), from: power ?? length)
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
        // Half the rate is that of any rate.
        reading.set("transform.high", given == 0 ? .text("half") : .measure(highest), from: field)
    }

    /// Vocal tract length normalisation, by the factor of one speaker. Cutoffs count from half the rate where they are below 0.
    ///
    /// - Parameter rate: In Hz; nil: that of each recording.
    static func settleWarp(
        _ reading: inout Reading, factor: String, low: String, high: String, rate: Double?
    ) throws(ModelFileError) {
        guard reading.number(factor) != 1 else { return }
        reading.set("transform.vtln_warp", .measure(reading.number(factor)), from: factor)
        let (lower, upper) = (reading.number(low), reading.number(high))
        if lower != FrequencyWarp.none.low { reading.set("transform.vtln_low", .measure(lower), from: low) }
        if upper > 0 {
            reading.set("transform.vtln_high", .measure(upper), from: high)
        } else if upper != -500 {
            guard let rate else {
                throw reading.refuse(
                    high, expected: "-500, or a frequency above 0",
                    "this class takes the rate of each recording, so write the frequency out in a copy of the file")
            }
            reading.set("transform.vtln_high", .measure(rate / 2 + upper), from: high)
        }
    }
}
