import FeatureModel

extension TransformersClasses {
    private static let whisper =
        "frame.align=center frame.drop_last=true transform.high=8000 scale.kind=log10 scale.offset=4 scale.factor=0.25 "
        + "normalize.scope=none"

    private static func fields(bins: Int) -> [Field] {
        common(rate: 16_000, size: .whole("feature_size", bins, "transform.bins"), padding: zeroPadding) + [
            .whole("hop_length", 160, "frame.hop"),
            .whole("n_fft", 400, "frame.length", "frame.fft_length"),
        ]
    }

    /// Whisper, and what differs from it in the length of clips.
    static let whisperKin: [FrontEnd] = [
        FrontEnd(
            "WhisperFeatureExtractor", .transformers, whisper + " scale.top_db=80",
            fields(bins: 80) + [.number("chunk_length", 30, "audio.duration"), .dither(0)]
                + computed("n_samples nb_max_frames mel_filters")),
        FrontEnd(
            "VoxtralRealtimeFeatureExtractor", .transformers, whisper,
            fields(bins: 128) + [.any("global_log_mel_max", .number(1.5))] + computed("mel_filters")
                + Field.unused("win_length", "it is of the attention mask; the window has n_fft samples"),
            settle: settleVoxtral),
        FrontEnd(
            "Dots3NoteFeatureExtractor", .transformers, whisper + " scale.top_db=80",
            fields(bins: 128) + [.whole("chunk_length", 60), .whole("chunk_seconds", nil), .dither(0)]
                + computed("n_samples nb_max_frames mel_filters"),
            remarks: [
                "longer recordings are cut into chunks, each with its own ends and maximum: give them as clips of their own"
            ],
            settle: { reading throws(ModelFileError) in
                let hop = try reading.positive("hop_length")
                reading.set("audio.multiple", .whole(8 * hop), from: "hop_length")
            }),
        FrontEnd(
            "Qwen3ASRFeatureExtractor", .transformers, whisper + " scale.top_db=80",
            fields(bins: 128) + [
                .number("chunk_length", 30), .whole("min_length", 8000), .whole("n_window", 50), .dither(0),
            ] + computed("n_samples nb_max_frames mel_filters"),
            settle: { reading throws(ModelFileError) in
                let rate = Double(try reading.positive("sampling_rate"))
                let least = max(Double(reading.whole("min_length")) / rate, reading.number("chunk_length"))
                if least > 0 { reading.set("audio.minimum", .measure(least), from: "chunk_length", "min_length") }
                // 0: rows are not added.
                let multiple = reading.whole("n_window") == 0 ? 0 : 2 * (try reading.positive("n_window"))
                if multiple > 1 { reading.set("rows.multiple", .whole(multiple), from: "n_window") }
            }),
    ]

    /// The maximum that values are limited by: a number, or that of the clip.
    @Sendable private static func settleVoxtral(_ reading: inout Reading) throws(ModelFileError) {
        guard reading.isStated("global_log_mel_max"), reading.raw("global_log_mel_max") == nil else {
            guard let most = reading.isStated("global_log_mel_max") ? reading.raw("global_log_mel_max")?.number : 1.5,
                abs(most) < 30
            else { throw reading.refuse("global_log_mel_max", expected: "a number from -30 to 30, or null", "") }
            let floor = max(1e-10, Self.power(10, most - 8))
            return reading.set("scale.floor", .number(floor), from: "global_log_mel_max")
        }
        reading.set("scale.top_db", .whole(80), from: "global_log_mel_max")
    }
}
