import FeatureModel

extension TransformersClasses {
    private static let int16 = " audio.scale=int16"

    /// What computes Kaldi's filter bank.
    static let kaldiKin: [FrontEnd] = [
        FrontEnd(
            "ASTFeatureExtractor", .transformers, kaldi + " frame.window=hann rows.fill_order=before",
            common(
                rate: 16_000, size: Field.unused("feature_size", "it is not used")[0],
                padding: Field.unused("padding_value", "rows are filled with 0 before they are normalised")[0]) + [
                    .whole("num_mel_bins", 128, "transform.bins"), .whole("max_length", 1024, "rows.count"),
                    .flag("do_normalize", true), .number("mean", -4.2677393), .number("std", 4.5689974),
                ] + computed("mel_filters window"),
            settle: { reading throws(ModelFileError) in
                guard reading.flag("do_normalize") else { return }
                reading.set("normalize.scope", .text("constant"), from: "do_normalize")
                reading.set("normalize.mean", .number(reading.number("mean")), from: "mean")
                reading.set("normalize.std", .number(2 * (try reading.positiveNumber("std"))), from: "std")
            }),
        FrontEnd(
            "SeamlessM4TFeatureExtractor", .transformers,
            // Frames have these numbers of samples at every rate.
            kaldi + int16
                + " frame.length=400 frame.hop=160 frame.fft_length=512 normalize.scope=clip normalize.ddof=1 "
                + "normalize.epsilon=1e-07 normalize.epsilon_in=variance",
            common(
                rate: 16_000, size: Field.unused("feature_size", "num_mel_bins says how many bands there are")[0],
                padding: .number("padding_value", 0)) + [
                    .whole("num_mel_bins", 80, "transform.bins"), .whole("stride", 2),
                ] + computed("mel_filters window") + Field.unused("language_code", "it is of the text"),
            settle: settleSeamless),
        FrontEnd(
            "Speech2TextFeatureExtractor", .transformers, kaldi + int16,
            common(
                rate: 16_000, size: Field.unused("feature_size", "num_mel_bins says how many bands there are")[0],
                padding: batchPadding) + [
                    .whole("num_mel_bins", 80, "transform.bins"), .flag("do_ceptral_normalize", true),
                    .flag("normalize_means", true), .flag("normalize_vars", true), .dither(0),
                ] + computed("mel_filters window"),
            settle: settleSpeech2Text),
        FrontEnd(
            "FunAsrNanoFeatureExtractor", .transformers, kaldi,
            common(rate: 16_000, size: .whole("feature_size", 80, "transform.bins"), padding: batchPadding) + [
                .number("frame_length", 25), .number("frame_shift", 10), .whole("num_frames_lfr", 7),
                .whole("stride_lfr", 6), .text("window", "hamming"),
            ],
            settle: { reading throws(ModelFileError) in
                let rate = Double(try reading.positive("sampling_rate"))
                try KaldiFrames.settle(
                    &reading, rate: rate, length: "frame_length", hop: "frame_shift", unit: 1e-3, power: nil, snip: nil,
                    rateField: "sampling_rate")
                try KaldiFrames.settleWindow(&reading, "window")
                try KaldiFrames.settleStack(&reading, "num_frames_lfr", "stride_lfr")
            }),
        FrontEnd(
            "Phi4MultimodalFeatureExtractor", .transformers,
            "audio.scale=int16 frame.window=hamming frame.symmetric=true transform.mel_scale=htk transform.mel_norm=none "
                + "transform.triangles=mel scale.floor=1 normalize.scope=none",
            common(rate: 16_000, size: .whole("feature_size", 80, "transform.bins"), padding: batchPadding) + [
                .whole("hop_length", 160, "frame.hop"), .whole("n_fft", 512, "frame.fft_length"),
                .whole("win_length", 400, "frame.length"), .number("preemphasis", 0.97, "frame.pre_emphasis"),
                .number("mel_min_frequency", 0, "transform.low"), .number("mel_max_frequency", 7690, "transform.high"),
            ] + computed("mel_filters")
                + Field.unused(
                    "audio_compression_rate audio_downsample_rate audio_feat_stride",
                    "they count the places that a recording takes in a prompt")),
    ]

    @Sendable private static func settleSeamless(_ reading: inout Reading) throws(ModelFileError) {
        let stride = try reading.positive("stride")
        let fill = reading.number("padding_value")
        if stride == 2 {
            reading.set("patches.length", .whole(2), from: "stride")
            reading.set("patches.rest", .text("fill"), from: "stride")
            reading.set("patches.stacked", .flag(true), from: "stride")
        } else {
            // Rows are completed to pairs, whatever the stride, and those after the last whole patch are dropped.
            reading.set("rows.multiple", .whole(2), from: "stride")
            if stride > 1 {
                reading.set("patches.length", .whole(stride), from: "stride")
                reading.set("patches.stacked", .flag(true), from: "stride")
            }
        }
        if fill != 0 { reading.set("rows.fill", .measure(fill), from: "padding_value") }
    }

    @Sendable private static func settleSpeech2Text(_ reading: inout Reading) throws(ModelFileError) {
        guard reading.flag("do_ceptral_normalize") else { return }
        switch (reading.flag("normalize_means"), reading.flag("normalize_vars")) {
        case (true, let isScaled):
            reading.set("normalize.scope", .text("clip"), from: "do_ceptral_normalize")
            reading.set(
                "normalize.method", .text(isScaled ? "zscore" : "mean"), from: "normalize_means", "normalize_vars")
        case (false, true):
            throw reading.refuse(
                "normalize_vars", expected: "false where normalize_means is false",
                "a division by the deviation without the mean taken away cannot be computed")
        case (false, false): return
        }
    }
}
