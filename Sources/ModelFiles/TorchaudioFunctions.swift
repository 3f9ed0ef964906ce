import FeatureModel

/// torchaudio's `transforms.MelSpectrogram` and `transforms.MFCC`, by their keyword arguments.
enum TorchaudioFunctions {
    static let all: [FrontEnd] = [
        FrontEnd(
            "torchaudio.transforms.MelSpectrogram", .torchaudio, "scale.kind=power normalize.scope=none",
            [.whole("sample_rate", 16_000, "audio.sample_rate")] + mel("transform.bins"),
            remarks: ["values are powers, without a logarithm"],
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
        let points = try reading.positive(name("n_fft"))
        let length = reading.isNull(name("win_length")) ? points : try reading.positive(name("win_length"))
        let hop = reading.isNull(name("hop_length")) ? max(length / 2, 1) : try reading.positive(name("hop_length"))
        reading.set("frame.fft_length", .whole(points), from: name("n_fft"))
        reading.set("frame.length", .whole(length), from: name("win_length"), name("n_fft"))
        reading.set("frame.hop", .whole(hop), from: name("hop_length"), name("win_length"))
        let rate = try reading.positive("sample_rate")
        // The upper edge is that of whole numbers.
        let highest = reading.isNull(name("f_max")) ? Double(rate / 2) : reading.number(name("f_max"))
        reading.set("transform.high", .measure(highest), from: name("f_max"), "sample_rate")
        let window = try reading.choice(
            name("window_fn"),
            [
                "null": "hann", "hann_window": "hann", "torch.hann_window": "hann", "hamming_window": "hamming",
                "torch.hamming_window": "hamming", "blackman_window": "blackman", "torch.blackman_window": "blackman",
                "bartlett_window": "bartlett", "torch.bartlett_window": "bartlett", "torch.ones": "rectangular",
            ])
        reading.set("frame.window", .text(window), from: name("window_fn"))
        switch reading.number(name("power")) {
        case 2: break
        case 1: reading.set("transform.spectrum", .text("magnitude"), from: name("power"))
        default: throw reading.refuse(name("power"), expected: "1 or 2", "bands are sums of powers or of magnitudes")
        }
        if reading.flag(name("center")) {
            reading.set("frame.align", .text("center"), from: name("center"))
            let pad = try reading.choice(
                name("pad_mode"), ["reflect": "reflect", "constant": "zero", "replicate": "edge"])
            reading.set("frame.pad", .text(pad), from: name("pad_mode"))
        } else if length != points {
            reading.set("frame.window_at", .text("center"), from: name("center"))
        }
        let norm = try reading.choice(name("norm"), ["null": "none", "slaney": "slaney"])
        reading.set("transform.mel_norm", .text(norm), from: name("norm"))
        let scale = try reading.choice(name("mel_scale"), ["htk": "htk", "slaney": "slaney"])
        reading.set("transform.mel_scale", .text(scale), from: name("mel_scale"))
    }
}
