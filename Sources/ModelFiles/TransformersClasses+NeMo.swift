import FeatureModel

extension TransformersClasses {
    private static let guardValue = "5.960464477539063e-08"
    private static let nemo =
        "frame.symmetric=true frame.align=center frame.pad=zero frame.drop_last=true transform.high=half "
        + "scale.floor=\(guardValue) scale.guard=add normalize.scope=none"
    private static let normalized =
        nemo + " scale.reference=\(guardValue) normalize.scope=clip normalize.ddof=1 normalize.epsilon=1e-05"

    /// Centred frames have one row more than there are hops.
    private static let maskedRow =
        "the last row of the original, of zeros that attention_mask leaves out, is not part of the features"

    private static func fields(bins: Int) -> [Field] {
        common(rate: 16_000, size: .whole("feature_size", bins, "transform.bins"), padding: batchPadding) + [
            .whole("hop_length", 160, "frame.hop"), .whole("n_fft", 512, "frame.fft_length"),
            .whole("win_length", 400, "frame.length"), .any("preemphasis", .number(0.97)),
        ] + computed("mel_filters")
    }

    /// What computes the features of NeMo.
    static let nemoKin: [FrontEnd] = [
        FrontEnd(
            "ParakeetFeatureExtractor", .transformers, normalized, fields(bins: 80), remarks: [maskedRow],
            settle: settlePreemphasis),
        FrontEnd(
            "NemotronAsrStreamingFeatureExtractor", .transformers, nemo,
            fields(bins: 80) + [
                .only("mel_filters_dtype", .text("float32"), "another type rounds the filters")
            ], remarks: [maskedRow], settle: settlePreemphasis),
        FrontEnd(
            "CohereAsrFeatureExtractor", .transformers, normalized,
            fields(bins: 128) + [
                .dither(1e-5), .number("max_audio_clip_s", 35), .number("overlap_chunk_second", 5),
                .whole("min_energy_window_samples", 1600),
            ],
            remarks: [maskedRow],
            settle: { reading throws(ModelFileError) in
                try settlePreemphasis(&reading)
                let longest = reading.number("max_audio_clip_s") - reading.number("overlap_chunk_second")
                reading.remark(
                    "recordings longer than \(longest.shortText) s (max_audio_clip_s - overlap_chunk_second) are cut at quiet "
                        + "places by the original: give the parts as clips of their own")
            }),
    ]

    /// The pre-emphasis of the whole clip: a number, or none.
    @Sendable private static func settlePreemphasis(_ reading: inout Reading) throws(ModelFileError) {
        if reading.isStated("preemphasis"), reading.raw("preemphasis") == nil { return }
        guard let value = reading.isStated("preemphasis") ? reading.raw("preemphasis")?.number : 0.97 else {
            throw reading.refuse("preemphasis", expected: "a number, or null", "")
        }
        reading.set("condition.pre_emphasis", .measure(value), from: "preemphasis")
    }
}
