import FeatureModel

/// The extractors of Gemma 3n and 4.
extension TransformersClasses {
    static let gemma3n = FrontEnd(
        "Gemma3nAudioFeatureExtractor", .transformers,
        "audio.fit=keep audio.multiple=128 frame.lookahead=1 transform.mel_scale=htk transform.mel_norm=none "
            + "transform.spectrum=magnitude normalize.scope=none",
        common(rate: 16_000, size: .whole("feature_size", 128, "transform.bins"), padding: zeroPadding)
            + gemmaFields(
                length: 32, low: 125, high: 7600, preemphasis: 0.97, overdrive: true, floor: 1e-5),
        settle: { reading throws(ModelFileError) in _ = try settleGemma(&reading) })

    /// Half a frame of zeros is in front; rows are those whose frames end in the recording.
    static let gemma4 = FrontEnd(
        "Gemma4AudioFeatureExtractor", .transformers,
        "audio.fit=keep frame.lookahead=1 transform.mel_scale=htk transform.mel_norm=none transform.spectrum=magnitude "
            + "scale.guard=add normalize.scope=none",
        common(rate: 16_000, size: .whole("feature_size", 128, "transform.bins"), padding: zeroPadding)
            + gemmaFields(
                length: 20, low: 0, high: 8000, preemphasis: 0, overdrive: false, floor: 1e-3),
        remarks: [
            "the rows of zeros that the original has for what it appends to a recording are not part of the features"
        ],
        settle: { reading throws(ModelFileError) in
            let length = try settleGemma(&reading)
            reading.set("audio.lead", .whole(length / 2), from: "frame_length_ms", "sampling_rate")
        })

    /// The fields of the extractors of Gemma 3n and 4.
    static func gemmaFields(
        length: Double, low: Double, high: Double, preemphasis: Double, overdrive: Bool, floor: Double
    ) -> [Field] {
        [
            .number("frame_length_ms", length), .number("hop_length_ms", 10),
            .number("min_frequency", low, "transform.low"),
            .number("max_frequency", high, "transform.high"), .number("preemphasis", preemphasis),
            .flag("preemphasis_htk_flavor", true), .flag("fft_overdrive", overdrive), .number("mel_floor", floor),
            .number("input_scale_factor", 1), .dither(0),
            .any("per_bin_mean"), .any("per_bin_stddev"),
        ] + computed("frame_length hop_length fft_length mel_filters window")
    }

    /// - Returns: The length of frames in samples.
    private static func settleGemma(_ reading: inout Reading) throws(ModelFileError) -> Int {
        let rate = Double(try reading.positive("sampling_rate"))
        // Python's round.
        let length = try reading.samples(
            (rate * reading.number("frame_length_ms") / 1000).rounded(.toNearestOrEven), of: "frame_length_ms")
        let hop = try reading.samples(
            (rate * reading.number("hop_length_ms") / 1000).rounded(.toNearestOrEven), of: "hop_length_ms")
        reading.setFrames(
            length: ("frame_length_ms", reading.number("frame_length_ms") / 1000, length),
            hop: ("hop_length_ms", reading.number("hop_length_ms") / 1000, hop), rate: rate, rateField: "sampling_rate",
            rounding: .even)
        let isDoubled = reading.flag("fft_overdrive")
        reading.set(
            "frame.fft_length",
            isDoubled ? .whole(2 * FrameGeometry.nextPowerOfTwo(atLeast: length)) : .text("next_power_of_two"),
            from: "frame_length_ms", "fft_overdrive")
        // The limit is a number of samples, not a time, at every sample rate.
        reading.set("audio.duration", .measure(480_000 / rate), from: "sampling_rate")
        try settleConstants(&reading)
        let preemphasis = reading.number("preemphasis")
        guard preemphasis <= 0 || reading.flag("preemphasis_htk_flavor") else {
            throw reading.refuse(
                "preemphasis_htk_flavor", expected: "true, or preemphasis: 0",
                "pre-emphasis by the sample before the frame cannot be computed")
        }
        if preemphasis > 0 { reading.set("frame.pre_emphasis", .measure(preemphasis), from: "preemphasis") }
        // Magnitudes are proportional to the samples.
        let factor = try reading.positiveNumber("input_scale_factor")
        reading.set(
            "scale.floor", .number(try reading.positiveNumber("mel_floor") / factor), from: "mel_floor",
            "input_scale_factor")
        if factor != 1 { reading.set("scale.reference", .number(1 / factor), from: "input_scale_factor") }
        return length
    }

    /// A mean and a deviation for each band.
    private static func settleConstants(_ reading: inout Reading) throws(ModelFileError) {
        let bands = reading.whole("feature_size")
        let (mean, deviation) = (
            try reading.numbers("per_bin_mean", bands), try reading.numbers("per_bin_stddev", bands)
        )
        guard mean != nil || deviation != nil else { return }
        reading.set("normalize.scope", .text("constant"), from: "per_bin_mean", "per_bin_stddev")
        reading.set("normalize.mean", mean.map { .numbers($0) } ?? .whole(0), from: "per_bin_mean")
        reading.set("normalize.std", deviation.map { .numbers($0) } ?? .whole(1), from: "per_bin_stddev")
    }
}
