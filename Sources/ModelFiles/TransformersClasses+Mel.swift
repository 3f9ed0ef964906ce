import FeatureModel
import Platform

extension TransformersClasses {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// Other filter banks.
    static let melKin: [FrontEnd] = [
        FrontEnd(
            "ClapFeatureExtractor", .transformers, "frame.align=center scale.kind=db normalize.scope=none",
            common(
                rate: 48_000, size: .whole("feature_size", 64, "transform.bins"),
                padding: Field.unused("padding_value", "it is not used: clips are padded with zeros")[0]) + [
                    .whole("hop_length", 480, "frame.hop"), .number("max_length_s", 10, "audio.duration"),
                    .whole("fft_window_size", 1024, "frame.length", "frame.fft_length"),
                    .number("frequency_min", 0, "transform.low"), .number("frequency_max", 14_000, "transform.high"),
                    .text("truncation", "fusion"), .text("padding", "repeatpad"),
                ] + Field.unused("top_db", "it is not used")
                + computed(
                    "nb_frequency_bins nb_max_samples nb_max_frames mel_filters mel_filters_slaney n_fft chunk_length_s"
                ),
            settle: settleCLAP),
        FrontEnd(
            "LasrFeatureExtractor", .transformers,
            "frame.symmetric=true transform.low=125 transform.high=7500 transform.mel_scale=htk transform.mel_norm=none "
                + "transform.triangles=mel scale.floor=1e-05 normalize.scope=none",
            common(rate: 16_000, size: .whole("feature_size", 128, "transform.bins"), padding: zeroPadding) + [
                .whole("hop_length", 160, "frame.hop"), .whole("n_fft", 512, "frame.fft_length"),
                .whole("win_length", 400, "frame.length"),
            ] + computed("mel_filters")),
        gemma3n, gemma4, univnet, inkling,
        FrontEnd(
            "SpeechT5FeatureExtractor", .transformers,
            "frame.align=center transform.spectrum=magnitude scale.kind=log10 normalize.scope=none",
            common(
                rate: 16_000, size: Field.unused("feature_size", "num_mel_bins says how many bands there are")[0],
                padding: batchPadding) + [
                    .whole("num_mel_bins", 80, "transform.bins"), .whole("hop_length", 16), .whole("win_length", 64),
                    .text("win_function", "hann_window"), .number("fmin", 80, "transform.low"),
                    .number("fmax", 7600, "transform.high"), .number("mel_floor", 1e-10, "scale.floor"),
                ] + Field.unused("do_normalize", "it is of samples, not of the spectrogram")
                + Field.unused(
                    "frame_signal_scale reduction_factor", "an argument of former versions, not read any more")
                + computed("sample_size sample_stride n_fft n_freqs window mel_filters"),
            remarks: [
                "these are the spectrograms that the extractor makes of audio_target; of audio it makes samples, as the preset "
                    + "wav2vec2"
            ],
            settle: settleSpeechT5),
        FrontEnd(
            "ClvpFeatureExtractor", .transformers,
            "frame.align=center transform.high=8000 transform.mel_scale=htk scale.floor=1e-05 normalize.scope=none",
            common(rate: 22_050, size: .whole("feature_size", 80, "transform.bins"), padding: zeroPadding) + [
                .number("default_audio_length", 6, "audio.duration"), .whole("hop_length", 256, "frame.hop"),
                .whole("n_fft", 1024, "frame.length", "frame.fft_length"),
                .any("mel_norms"),
            ] + Field.unused("chunk_length", "it is not used: default_audio_length is the length of clips")
                + computed("n_samples nb_max_frames mel_filters"),
            settle: { reading throws(ModelFileError) in
                guard let norms = try reading.numbers("mel_norms", reading.whole("feature_size")) else { return }
                reading.set("normalize.scope", .text("constant"), from: "mel_norms")
                reading.set("normalize.mean", .whole(0))
                reading.set("normalize.std", .numbers(norms), from: "mel_norms")
            }),
        FrontEnd(
            "GraniteSpeechFeatureExtractor", .transformers,
            "frame.align=center transform.mel_scale=htk transform.mel_norm=none scale.kind=log10 scale.top_db=80 scale.offset=4 "
                + "scale.factor=0.25 normalize.scope=none patches.length=2 patches.stacked=true",
            common(
                rate: 16_000, size: Field.unused("feature_size", "n_mels says how many bands there are")[0],
                padding: batchPadding) + [
                    .whole("n_fft", 512, "frame.fft_length"), .whole("win_length", 400, "frame.length"),
                    .whole("hop_length", 160, "frame.hop"), .whole("n_mels", 80, "transform.bins"),
                ]
                + Field.unused(
                    "melspec_kwargs",
                    "it is written into the file, and not read again: n_fft, win_length, hop_length and n_mels are")
                + Field.unused(
                    "projector_window_size projector_downsample_rate",
                    "they count the places that a recording takes in a prompt")
                + computed("mel_filters")),
    ]

    private static let univnet = FrontEnd(
        "UnivNetFeatureExtractor", .transformers,
        "audio.fit=keep frame.align=half transform.spectrum=magnitude normalize.scope=none",
        common(
            rate: 24_000, size: Field.unused("feature_size", "num_mel_bins says how many bands there are")[0],
            padding: Field.unused("padding_value", "it fills the samples that a batch adds")[0]) + [
                .flag("do_normalize", false), .whole("num_mel_bins", 100, "transform.bins"),
                .whole("hop_length", 256, "frame.hop"), .whole("win_length", 1024),
                .text("win_function", "hann_window"),
                .whole("filter_length", 1024), .number("max_length_s", 10, "audio.duration"),
                .number("fmin", 0, "transform.low"), .number("fmax", nil),
                .number("mel_floor", 1e-9, "transform.spectrum_epsilon"),
                .only("center", .flag(false), "the signal is continued twice then"),
                .number("compression_factor", 1), .number("compression_clip_val", 1e-5, "scale.floor"),
                .number("normalize_min", -11.512925148010254), .number("normalize_max", 2.3143386840820312),
            ] + Field.unused("model_in_channels", "it is of the noise that the model takes, too")
            + Field.unused("pad_end_length", "it acts where pad_end is asked for in a call")
            + computed("num_max_samples n_fft n_freqs window mel_filters"),
        settle: settleUnivNet)

    @Sendable private static func settleUnivNet(_ reading: inout Reading) throws(ModelFileError) {
        let points = try reading.positive("filter_length")
        guard try reading.positive("win_length") == points else {
            throw reading.refuse("win_length", expected: "that of filter_length", "the original refuses another")
        }
        reading.set("frame.length", .whole(points), from: "win_length")
        reading.set("frame.fft_length", .whole(points), from: "filter_length")
        reading.set(
            "transform.high", reading.isNull("fmax") ? .text("half") : .measure(reading.number("fmax")), from: "fmax",
            "sampling_rate")
        let window = try reading.choice(
            "win_function",
            [
                "hann_window": "hann", "hann": "hann", "hamming": "hamming", "hamming_window": "hamming",
                "boxcar": "rectangular",
            ])
        reading.set("frame.window", .text(window), from: "win_function")
        let factor = try reading.positiveNumber("compression_factor")
        if factor != 1 { reading.set("scale.reference", .number(1 / factor), from: "compression_factor") }
        guard reading.flag("do_normalize") else { return }
        // 2 (v - least) / range - 1.
        let (least, most) = (reading.number("normalize_min"), reading.number("normalize_max"))
        guard most > least else { throw reading.refuse("normalize_max", expected: "more than normalize_min", "") }
        reading.set(
            "scale.offset", .number(-(least + most) / 2), from: "do_normalize", "normalize_min", "normalize_max")
        reading.set("scale.factor", .number(2 / (most - least)), from: "do_normalize", "normalize_min", "normalize_max")
    }

    private static let inkling = FrontEnd(
        "InklingFeatureExtractor", .transformers,
        "transform.high=half transform.spectrum=magnitude transform.spectrum_epsilon=1e-10 scale.kind=log10 normalize.scope=none",
        common(rate: 16_000, size: .whole("feature_size", 80, "transform.bins"), padding: zeroPadding) + [
            .number("audio_token_duration_s", 0.05), .number("window_size_multiplier", 2), .whole("n_fft", nil),
        ] + computed("hop_length window_size window mel_filters"),
        remarks: [
            "the original raises magnitudes below 1e-5 to that, where 1e-10 is added to their squares here: the same for silence "
                + "and for what 16 bits hold"
        ],
        settle: { reading throws(ModelFileError) in
            let rate = Double(try reading.positive("sampling_rate"))
            let duration = reading.number("audio_token_duration_s")
            let hop = try reading.samples((duration * rate).rounded(), of: "audio_token_duration_s")
            let length = try reading.samples(
                (duration * reading.number("window_size_multiplier") * rate).rounded(), of: "window_size_multiplier")
            let points = reading.isNull("n_fft") || reading.whole("n_fft") == 0 ? length : try reading.positive("n_fft")
            reading.set("frame.hop", .whole(hop), from: "audio_token_duration_s", "sampling_rate")
            reading.set(
                "frame.length", .whole(length), from: "audio_token_duration_s", "window_size_multiplier",
                "sampling_rate")
            reading.set("frame.fft_length", .whole(points), from: "n_fft", "window_size_multiplier")
            if points != length { reading.set("frame.window_at", .text("center"), from: "n_fft") }
            reading.set("audio.multiple", .whole(hop), from: "audio_token_duration_s")
            reading.set("audio.lead", .whole(max(points - hop, 0)), from: "n_fft", "audio_token_duration_s")
        })

    @Sendable private static func settleCLAP(_ reading: inout Reading) throws(ModelFileError) {
        let fit = try reading.choice(
            "padding", ["repeatpad": "repeat_pad", "repeat": "repeat", "pad": "zero"],
            "this is how short clips are filled")
        reading.set("audio.fit", .text(fit), from: "padding")
        let isFused = try reading.choice("truncation", ["fusion": "htk", "rand_trunc": "slaney"]) == "htk"
        reading.set("transform.mel_scale", .text(isFused ? "htk" : "slaney"), from: "truncation")
        reading.set("transform.mel_norm", .text(isFused ? "none" : "slaney"), from: "truncation")
        let longest = "\(reading.number("max_length_s").shortText) s (max_length_s)"
        reading.remark(
            isFused
                ? "the original has these rows four times; recordings longer than \(longest) are cut here, where it takes a "
                    + "shrunk spectrogram and three random parts"
                : "of recordings longer than \(longest) the first part is taken, where the original takes a random one")
    }

    /// Window and hop are in ms.
    @Sendable private static func settleSpeechT5(_ reading: inout Reading) throws(ModelFileError) {
        let rate = try reading.positive("sampling_rate")
        let length = try reading.samples(Double(try reading.positive("win_length") * rate / 1000), of: "win_length")
        let hop = try reading.samples(Double(try reading.positive("hop_length") * rate / 1000), of: "hop_length")
        reading.setFrames(
            length: ("win_length", Double(reading.whole("win_length")) / 1000, length),
            hop: ("hop_length", Double(reading.whole("hop_length")) / 1000, hop),
            rate: Double(rate), rateField: "sampling_rate", rounding: .down)
        reading.set("frame.fft_length", .text("next_power_of_two"), from: "win_length")
        let window = try reading.choice(
            "win_function",
            [
                "hann_window": "hann", "hann": "hann", "hamming": "hamming", "hamming_window": "hamming",
                "boxcar": "rectangular", "povey": "povey",
            ])
        reading.set("frame.window", .text(window), from: "win_function")
    }
}
