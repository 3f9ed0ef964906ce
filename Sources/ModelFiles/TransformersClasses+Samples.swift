import FeatureModel

extension TransformersClasses {
    private static let masked = Field.unused("padding_value", "it fills the samples that a batch adds")[0]
    private static let one = Field.only("feature_size", .whole(1), "models of one channel are read")

    /// What takes samples as they are, or scaled.
    static let sampleKin: [FrontEnd] = [
        FrontEnd(
            "Wav2Vec2FeatureExtractor", .transformers, raw(),
            common(rate: 16_000, size: Field.unused("feature_size", "it is not used")[0], padding: masked)
                + [.flag("do_normalize", true)],
            settle: { reading throws(ModelFileError) in normalize(&reading, epsilon: 1e-7) }),
        FrontEnd(
            "OmniASRFeatureExtractor", .transformers, raw(),
            common(rate: 16_000, size: Field.unused("feature_size", "it is not used")[0], padding: masked)
                + [.flag("do_normalize", true)],
            settle: { reading throws(ModelFileError) in normalize(&reading, epsilon: 1e-5) }),
        FrontEnd(
            "DacFeatureExtractor", .transformers, raw(),
            common(rate: 16_000, size: one, padding: zeroPadding) + [.whole("hop_length", 512, "audio.multiple")]),
        FrontEnd(
            "DiaFeatureExtractor", .transformers, raw(),
            common(
                rate: 16_000, size: Field.unused("feature_size", "the mean of the channels is taken in either case")[0],
                padding: zeroPadding) + [.whole("hop_length", 512, "audio.multiple")]),
        FrontEnd(
            "EncodecFeatureExtractor", .transformers, raw(),
            common(rate: 24_000, size: .whole("feature_size", 1), padding: zeroPadding)
                + Field.unused(
                    "chunk_length_s overlap",
                    "they say how many zeros follow a recording, which its padding mask leaves out"),
            settle: { reading throws(ModelFileError) in
                switch reading.whole("feature_size") {
                case 1: break
                case 2: reading.set("audio.channels", .text("all"), from: "feature_size")
                default: throw reading.refuse("feature_size", expected: "1 or 2 channels", "")
                }
            }),
        FrontEnd(
            "KyutaiSpeechToTextFeatureExtractor", .transformers, raw(),
            common(rate: 24_000, size: one, padding: zeroPadding) + [.number("audio_silence_prefix_seconds", 0)]
                + Field.unused(
                    "chunk_length_s overlap audio_delay_seconds",
                    "they say how many zeros follow a recording, which its padding mask leaves out"),
            remarks: [
                "the zeros that the original appends to a recording, and padding_mask leaves out, are not part of the features"
            ],
            settle: { reading throws(ModelFileError) in
                let zeros =
                    reading.number("audio_silence_prefix_seconds") * Double(try reading.positive("sampling_rate"))
                guard zeros >= 0, zeros < 1e9 else {
                    throw reading.refuse("audio_silence_prefix_seconds", expected: "a time of 0 s or more", "")
                }
                if zeros >= 1 {
                    reading.set("audio.lead", .whole(Int(zeros)), from: "audio_silence_prefix_seconds", "sampling_rate")
                }
            }),
        FrontEnd(
            "WavTokenizerFeatureExtractor", .transformers, raw(),
            common(rate: 24_000, size: Field.unused("feature_size", "it is not used")[0], padding: masked)
                + [.flag("normalize_audio", false), .number("target_peak_dB_FS", -3)]
                + Field.unused("hop_length", "it counts the codes of a recording"),
            settle: { reading throws(ModelFileError) in
                guard reading.flag("normalize_audio") else { return }
                reading.set("condition.gain.kind", .text("peak"), from: "normalize_audio")
                let peak = power(10, reading.number("target_peak_dB_FS") / 20)
                reading.set("condition.gain.level", .number(peak), from: "target_peak_dB_FS")
            }),
    ]

    private static func normalize(_ reading: inout Reading, epsilon: Double) {
        guard reading.flag("do_normalize") else { return }
        reading.set("condition.gain.kind", .text("zscore"), from: "do_normalize")
        reading.set("condition.gain.epsilon", .number(epsilon), from: "do_normalize")
    }
}
