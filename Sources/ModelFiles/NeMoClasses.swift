import FeatureModel

/// The preprocessors of NeMo.
enum NeMoClasses {
    static let all: [FrontEnd] = [mel, mfcc]

    private static let trainingAlone = "it acts in training alone"

    private static let times: [Field] =
        [
            .whole("sample_rate", 16_000, "audio.sample_rate"), .any("window_size", .number(0.02)),
            .any("window_stride", .number(0.01)), .whole("n_window_size", nil), .whole("n_window_stride", nil),
            .whole("n_fft", nil),
        ] + Field.unused("_target_ cls", "the name of the class")

    private static let mel = FrontEnd(
        "AudioToMelSpectrogramPreprocessor", .nemo,
        "frame.symmetric=true frame.align=center frame.pad=zero frame.drop_last=true normalize.scope=none",
        times + [
            .any("window", .text("hann")), .any("normalize", .text("per_feature")), .any("preemph", .number(0.97)),
            .whole("features", 64, "transform.bins"), .number("lowfreq", 0, "transform.low"), .number("highfreq", nil),
            .flag("log", true), .text("log_zero_guard_type", "add"), .any("log_zero_guard_value", .number(0x1p-24)),
            .only("frame_splicing", .whole(1), "equal copies of the bands are stacked by it"),
            .only("exact_pad", .flag(false), "NeMo leaves out the last row of such frames, and of its statistics"),
            .number("mag_power", 2), .any("mel_norm", .text("slaney")),
            .only("use_torchaudio", .flag(false), "another class computes the features then"),
        ] + Field.unused("dither nb_augmentation_prob nb_max_freq rng", trainingAlone)
            + Field.unused("pad_to pad_value", "the rows that are added are not part of the features")
            + Field.unused("stft_exact_pad stft_conv", "NeMo 3.0 does not read it any more")
            + Field.unused("max_duration", "it is not used"),
        settle: settleMel)

    private static let mfcc = FrontEnd(
        "AudioToMFCCPreprocessor", .nemo,
        "frame.align=center transform.kind=mfcc transform.mel_scale=htk transform.mel_norm=none normalize.scope=none",
        times + [
            .any("window", .text("hann")), .number("lowfreq", 0, "transform.low"), .number("highfreq", nil),
            .whole("n_mels", 64, "transform.bands"), .whole("n_mfcc", 64, "transform.bins"),
            .only("dct_type", .whole(2), "another type of DCT is taken then"),
            .only("norm", .text("ortho"), "the DCT is not scaled then"), .flag("log", true),
        ],
        settle: { reading throws(ModelFileError) in
            try settleTimes(&reading)
            try settleHighest(&reading)
            // torchaudio adds to the logarithm; without it, it takes decibels.
            if reading.flag("log") {
                reading.set("scale.kind", .text("ln"), from: "log")
                reading.set("scale.floor", .number(1e-6), from: "log")
                reading.set("scale.guard", .text("add"), from: "log")
            } else {
                reading.set("scale.kind", .text("db"), from: "log")
                reading.set("scale.top_db", .whole(80), from: "log")
            }
        })

    /// Window and hop in s, or in samples; the window.
    private static func settleTimes(_ reading: inout Reading) throws(ModelFileError) {
        let rate = Double(try reading.positive("sample_rate"))
        var spans: [(field: String, seconds: Double?, samples: Int)] = []
        for (seconds, samples) in [("window_size", "n_window_size"), ("window_stride", "n_window_stride")] {
            let standard = seconds == "window_size" ? 0.02 : 0.01
            let given = reading.isStated(seconds) ? try reading.optionalNumber(seconds) : standard
            let isTime = given.map { $0 != 0 } ?? false
            if isTime, !reading.isNull(samples), reading.whole(samples) != 0 {
                guard reading.isStated(seconds) == false else {
                    throw reading.refuse(samples, expected: "null where \(seconds) is given", "NeMo refuses both")
                }
                throw reading.refuse(seconds, expected: "null where \(samples) is given", "NeMo refuses both")
            }
            if isTime, let given {
                // Python's int, of the product in double precision.
                let count = try reading.samples((given * rate).rounded(.towardZero), of: seconds)
                spans.append((seconds, given, count))
            } else {
                spans.append((samples, nil, try reading.positive(samples)))
            }
        }
        reading.setFrames(
            length: spans[0], hop: spans[1], rate: rate, rateField: "sample_rate", rounding: .down)
        if !reading.isNull("n_fft"), reading.whole("n_fft") != 0 {
            reading.set("frame.fft_length", .whole(try reading.positive("n_fft")), from: "n_fft")
        } else {
            reading.set("frame.fft_length", .text("next_power_of_two"), from: spans[0].field)
        }
        let window = try reading.choice(
            "window",
            [
                "hann": "hann", "hamming": "hamming", "blackman": "blackman", "bartlett": "bartlett",
                "none": "rectangular",
                "null": "rectangular", "ones": "rectangular",
            ])
        reading.set("frame.window", .text(window), from: "window")
    }

    private static func settleHighest(_ reading: inout Reading) throws(ModelFileError) {
        let highest = reading.number("highfreq")
        reading.set("transform.high", highest > 0 ? .measure(highest) : .text("half"), from: "highfreq")
    }

    @Sendable private static func settleMel(_ reading: inout Reading) throws(ModelFileError) {
        try settleTimes(&reading)
        try settleHighest(&reading)
        let preemphasis = reading.isStated("preemph") ? try reading.optionalNumber("preemph") ?? 0 : 0.97
        if preemphasis != 0 { reading.set("condition.pre_emphasis", .measure(preemphasis), from: "preemph") }
        switch reading.number("mag_power") {
        case 2: break
        case 1: reading.set("transform.spectrum", .text("magnitude"), from: "mag_power")
        default: throw reading.refuse("mag_power", expected: "1 or 2", "bands are sums of powers or of magnitudes")
        }
        let norm = try reading.choice("mel_norm", ["slaney": "slaney", "null": "none"])
        reading.set("transform.mel_norm", .text(norm), from: "mel_norm")
        try settleLogarithm(&reading)
        try settleNormalization(&reading)
    }

    private static func settleLogarithm(_ reading: inout Reading) throws(ModelFileError) {
        guard reading.flag("log") else {
            return reading.set("scale.kind", .text("power"), from: "log")
        }
        var value = 0x1p-24
        if reading.isStated("log_zero_guard_value") {
            let words = ["tiny": 1.1754943508222875e-38, "eps": 1.1920928955078125e-07]
            var given = words[reading.raw("log_zero_guard_value")?.string ?? ""]
            if given == nil { given = try reading.optionalNumber("log_zero_guard_value") }
            guard let given, given > 0 else {
                throw reading.refuse("log_zero_guard_value", expected: "a number above 0, tiny or eps", "")
            }
            // Veery's floors begin a little above the smallest normal number.
            value = max(given, 1.2e-38)
        }
        let kind = try reading.choice("log_zero_guard_type", ["add": "add", "clamp": "max"])
        reading.set("scale.floor", .number(value), from: "log_zero_guard_value")
        reading.set("scale.guard", .text(kind), from: "log_zero_guard_type")
        // The logarithm of 1 + p / floor is precise where p is small; normalisation takes the constant away.
        if kind == "add", ["per_feature", "all_features"].contains(Self.normalization(reading)) {
            reading.set("scale.reference", .number(value), from: "log_zero_guard_value")
        }
    }

    private static func normalization(_ reading: Reading) -> String {
        reading.isStated("normalize") ? reading.raw("normalize")?.string ?? "" : "per_feature"
    }

    private static func settleNormalization(_ reading: inout Reading) throws(ModelFileError) {
        if case .object = reading.raw("normalize") {
            let bands = reading.whole("features")
            let values = ["fixed_mean", "fixed_std"].map { name in
                reading.raw("normalize")?[name]?.elements?.compactMap(\.number) ?? []
            }
            guard values.allSatisfy({ $0.count == bands }) else {
                throw reading.refuse(
                    "normalize", expected: "fixed_mean and fixed_std, lists of \(bands) numbers, in a mapping", "")
            }
            reading.set("normalize.scope", .text("constant"), from: "normalize")
            reading.set("normalize.mean", .numbers(values[0]), from: "normalize")
            return reading.set("normalize.std", .numbers(values[1]), from: "normalize")
        }
        let name = normalization(reading)
        guard ["per_feature", "all_features"].contains(name) else {
            if !name.isEmpty { reading.remark("normalize is '\(name.excerpt)', which NeMo takes for none") }
            return reading.set("normalize.scope", .text("none"), from: "normalize")
        }
        reading.set("normalize.scope", .text("clip"), from: "normalize")
        reading.set("normalize.ddof", .whole(1), from: "normalize")
        reading.set("normalize.epsilon", .number(1e-5), from: "normalize")
        if name == "all_features" { reading.set("normalize.axis", .text("all"), from: "normalize") }
    }
}
