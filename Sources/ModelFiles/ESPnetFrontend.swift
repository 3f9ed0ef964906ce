import FeatureModel

/// ESPnet's `DefaultFrontend`, by `frontend_conf`, with `normalize` and `normalize_conf` of the same file.
enum ESPnetFrontend {
    static let row = FrontEnd(
        "DefaultFrontend", .espnet, "audio.channels=first scale.floor=1e-10 normalize.scope=none",
        [
            .any("fs", .whole(16_000)), .whole("n_fft", 512), .whole("win_length", nil),
            .whole("hop_length", 128, "frame.hop"),
            .any("window", .text("hann")), .flag("center", true),
            .only("normalized", .flag(false), "the transform is divided by the square root of its length then"),
            .whole("n_mels", 80, "transform.bins"), .number("fmin", nil), .number("fmax", nil), .flag("htk", false),
            .only("apply_stft", .flag(true), "the recordings are spectra then"),
            .any("frontend_conf"), .text("normalize", nil), .any("normalize_conf"),
        ] + Field.unused("onesided", "the spectrum of a real signal has one side"),
        settle: settle)

    @Sendable private static func settle(_ reading: inout Reading) throws(ModelFileError) {
        let rate = try rate(reading)
        reading.set("audio.sample_rate", .whole(rate), from: "fs")
        let frames = try ShortTimeFrames.settleLength(&reading, points: "n_fft", length: "win_length")
        try ShortTimeFrames.settleEnds(&reading, "center", frames: frames)
        let window = try reading.choice(
            "window",
            [
                "hann": "hann", "hamming": "hamming", "blackman": "blackman", "bartlett": "bartlett",
                "null": "rectangular",
            ])
        reading.set("frame.window", .text(window), from: "window")
        if !reading.isNull("fmin") { reading.set("transform.low", .measure(reading.number("fmin")), from: "fmin") }
        reading.set(
            "transform.high", reading.isNull("fmax") ? .text("half") : .measure(reading.number("fmax")), from: "fmax",
            "fs")
        if reading.flag("htk") { reading.set("transform.mel_scale", .text("htk"), from: "htk") }
        try settleEnhancement(reading)
        try settleNormalization(&reading)
    }

    /// `16k` is 16,000.
    private static func rate(_ reading: Reading) throws(ModelFileError) -> Int {
        let expected = "a whole number of Hz from 1 to 10000000, or one such as 16k"
        guard reading.isStated("fs") else { return 16_000 }
        var rate = reading.raw("fs")?.number
        if let text = reading.raw("fs")?.string?.lowercased() {
            let isThousand = text.hasSuffix("k") || text.hasSuffix("khz")
            let digits = text.prefix { $0.isNumber || $0 == "." }
            rate = Double(digits).map { isThousand ? 1000 * $0 : $0 }
        }
        guard let rate, let whole = Int(exactly: rate), (1...10_000_000).contains(whole) else {
            throw reading.refuse("fs", expected: expected, "")
        }
        return whole
    }

    /// What cleans several channels: it is part of the configuration, and off by default.
    private static func settleEnhancement(_ reading: Reading) throws(ModelFileError) {
        guard let conf = reading.raw("frontend_conf") else { return }
        for name in ["use_wpe", "use_beamformer"] where conf[name] != nil && conf[name] != .boolean(false) {
            throw reading.refuse(
                "frontend_conf", expected: "\(name): false", "it is a network that cleans the recording")
        }
    }

    private static func settleNormalization(_ reading: inout Reading) throws(ModelFileError) {
        let conf = reading.raw("normalize_conf")
        if !reading.isStated("normalize") {
            reading.remark(
                "the file has no normalize, so nothing is normalised; ESPnet writes it into the config.yaml of a trained model: give "
                    + "that, or add normalize: null to a copy of the file if this is right")
        }
        switch reading.isNull("normalize") ? "" : reading.text("normalize") {
        case "", "null", "none":
            guard conf == nil || conf?.members.isEmpty == true else {
                throw reading.refuse("normalize_conf", expected: "nothing where normalize is null", "")
            }
        case "utterance_mvn":
            for member in conf?.members ?? [] where !["norm_means", "norm_vars", "eps"].contains(member.name) {
                throw reading.refuse(
                    "normalize_conf", expected: "norm_means, norm_vars and eps",
                    "\(member.name.excerpt) is not one of them")
            }
            let means = conf?["norm_means"] ?? .boolean(true)
            let isScaled = conf?["norm_vars"] == .boolean(true)
            guard means == .boolean(true) else {
                guard !isScaled else {
                    throw reading.refuse("normalize_conf", expected: "norm_vars: false where norm_means is false", "")
                }
                return
            }
            reading.set("normalize.scope", .text("clip"), from: "normalize")
            reading.set(
                "normalize.method", .text(isScaled ? "zscore" : "mean"), from: "normalize_conf")
        default:
            throw reading.refuse(
                "normalize", expected: "utterance_mvn or null",
                "the statistics of another are kept with the model: for the values before it, set normalize: null in a copy of "
                    + "the file")
        }
    }
}
