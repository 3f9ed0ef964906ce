import FeatureModel

/// torchaudio's `transforms.MelSpectrogram` and `transforms.MFCC`, by their keyword arguments.
enum TorchaudioFunctions {
    static let all: [FrontEnd] = [
        FrontEnd(
            "torchaudio.transforms.MelSpectrogram", .torchaudio, "scale.kind=power normalize.scope=none",
            [.whole("sample_rate", 16_000, "audio.sample_rate")] + mel("transform.bins"),
            open: ShortTimeFrames.openScale,
            settle: { reading throws(ModelFileError) in try settle(&reading) }),
        FrontEnd(
            "torchaudio.transforms.MFCC", .torchaudio, "transform.kind=mfcc normalize.scope=none",
            [
                .whole("sample_rate", 16_000, "audio.sample_rate"), .whole("n_mfcc", 40, "transform.bins"),
                .only("dct_type", .whole(2), "another type of DCT is taken then"),
                .only("norm", .text("ortho"), "the DCT is not scaled then"), .flag("log_mels", false),
            ] + mel("transform.bands", prefix: "melkwargs."),
            settle: { reading throws(ModelFileError) in
                try settle(&reading, prefix: "melkwargs.")
                let isNatural = reading.flag("log_mels")
                reading.set("scale.kind", .text(isNatural ? "ln" : "db"), from: "log_mels")
                if isNatural {
                    reading.set("scale.floor", .number(1e-6), from: "log_mels")
                    reading.set("scale.guard", .text("add"), from: "log_mels")
                } else {
                    reading.set("scale.top_db", .whole(80), from: "log_mels")
                }
            }),
    ]

    /// The arguments of `MelSpectrogram`, but for the rate.
    private static func mel(_ bins: String, prefix: String = "") -> [Field] {
        [
            .whole(prefix + "n_fft", 400), .whole(prefix + "win_length", nil), .whole(prefix + "hop_length", nil),
            .number(prefix + "f_min", 0, "transform.low"), .number(prefix + "f_max", nil),
            .only(prefix + "pad", .whole(0), "zeros are put at both ends then"), .whole(prefix + "n_mels", 128, bins),
            .any(prefix + "window_fn"), .number(prefix + "power", 2),
            .only(prefix + "normalized", .flag(false), "the transform is scaled then"),
            .only(prefix + "wkwargs", .null, "they change the window"), .flag(prefix + "center", true),
            .text(prefix + "pad_mode", "reflect"), .any(prefix + "norm"), .text(prefix + "mel_scale", "htk"),
        ] + Field.unused(prefix + "onesided", "the spectrum of a real signal has one side")
            + Field.unused("_target_", "the name of the class")
    }

    private static func settle(_ reading: inout Reading, prefix: String = "") throws(ModelFileError) {
        func name(_ field: String) -> String { prefix + field }
        let frames = try ShortTimeFrames.settleLength(&reading, points: name("n_fft"), length: name("win_length"))
        let hop =
            reading.isNull(name("hop_length")) ? max(frames.length / 2, 1) : try reading.positive(name("hop_length"))
        reading.set("frame.hop", .whole(hop), from: name("hop_length"), name("win_length"))
        let rate = try reading.positive("sample_rate")
        // The upper edge is that of whole numbers.
        let half: ConfigurationValue = rate.isMultiple(of: 2) ? .text("half") : .whole(rate / 2)
        let highest = reading.isNull(name("f_max")) ? half : .measure(reading.number(name("f_max")))
        reading.set("transform.high", highest, from: name("f_max"), "sample_rate")
        let window = try reading.choice(
            name("window_fn"),
            [
                "null": "hann", "hann_window": "hann", "torch.hann_window": "hann", "hamming_window": "hamming",
                "torch.hamming_window": "hamming", "blackman_window": "blackman", "torch.blackman_window": "blackman",
                "bartlett_window": "bartlett", "torch.bartlett_window": "bartlett", "torch.ones": "rectangular",
            ])
        reading.set("frame.window", .text(window), from: name("window_fn"))
        try ShortTimeFrames.settlePower(&reading, name("power"))
        try ShortTimeFrames.settleEnds(
            &reading, name("center"),
            pad: (name("pad_mode"), ["reflect": "reflect", "constant": "zero", "replicate": "edge"]), frames: frames)
        let norm = try reading.choice(name("norm"), ["null": "none", "slaney": "slaney"])
        reading.set("transform.mel_norm", .text(norm), from: name("norm"))
        let scale = try reading.choice(name("mel_scale"), ["htk": "htk", "slaney": "slaney"])
        reading.set("transform.mel_scale", .text(scale), from: name("mel_scale"))
    }
}
