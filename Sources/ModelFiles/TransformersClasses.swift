import FeatureModel

/// The feature extractors of Hugging Face's transformers whose features can be computed. Fields are parameters of the constructors:
/// what is written into a file and not read from it again is without effect.
enum TransformersClasses {
    static let all = whisperKin + kaldiKin + nemoKin + melKin + sampleKin

    /// The name of a class that is given by another name, as by the `Fast` variants of older files.
    static func row(named name: String) -> FrontEnd? { all.first { $0.name == name } }

    /// What every extractor has: the rate, and what concerns batches.
    static func common(rate: Int, size: Field, padding: Field) -> [Field] {
        [
            .whole("sampling_rate", rate, "audio.sample_rate"), size, padding,
            .only("padding_side", .text("right"), "recordings are padded at their end"),
            .only(
                "auto_map", .null,
                "the file's class is in code of its own, next to the model, which may compute otherwise"),
        ]
            + Field.unused("return_attention_mask", "attention masks are not part of the features")
            + Field.unused("feature_extractor_type processor_class _processor_class transformers_version", "a name")
    }

    /// The padding value of an extractor that pads samples.
    static let zeroPadding = Field.only("padding_value", .whole(0), "recordings are padded with zeros")
    /// That of an extractor that pads rows of a batch alone.
    static let batchPadding = Field.unused("padding_value", "it fills the rows that a batch adds")[0]

    static func computed(_ names: String) -> [Field] {
        Field.unused(names, "it follows from other fields when the file is written, and is not read again")
    }

    static func raw(_ more: String = "") -> String {
        "frame.length=1 frame.hop=1 frame.fft_length=1 frame.window=rectangular transform.kind=raw scale.kind=linear "
            + "normalize.scope=none" + (more.isEmpty ? "" : " " + more)
    }

    /// Kaldi's filter bank as torchaudio's `compliance.kaldi` has it, at the rate of `sampling_rate`, 25 ms every 10 ms.
    static let kaldi =
        "audio.channels=first frame.length=25ms frame.hop=10ms frame.rounding=down frame.fft_length=next_power_of_two "
        + "frame.window=povey frame.symmetric=true frame.remove_dc=true frame.pre_emphasis=0.97 transform.low=20 "
        + "transform.high=half transform.mel_scale=htk transform.mel_norm=none transform.triangles=mel "
        + "scale.floor=\(KaldiFrames.floor) normalize.scope=none"
}
