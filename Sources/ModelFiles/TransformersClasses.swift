import FeatureModel

/// The feature extractors of Hugging Face's transformers whose features can be computed. Fields are parameters of the constructors:
/// what is written into a file and not read from it again is without effect.
enum TransformersClasses {
    static let all = whisperKin + kaldiKin + nemoKin + melKin + sampleKin

    /// The name of a class that is given by another name, as by the `Fast` variants of older files.
    static func row(named name: String) -> FrontEnd? { all.first { $0.name == name } }

    /// The types of models, by the class of their extractor: what `AutoFeatureExtractor` takes where the extractor's file names no
    /// class. `wav2vec2-bert` is left out: its models have another class than the one that it is given there.
    private static let modelTypes: [String: String] = [
        "ASTFeatureExtractor": "audio-spectrogram-transformer",
        "ClapFeatureExtractor": "clap",
        "ClvpFeatureExtractor": "clvp",
        "CohereAsrFeatureExtractor": "cohere_asr",
        "DacFeatureExtractor": "dac higgs_audio_v2_tokenizer xcodec",
        "DiaFeatureExtractor": "dia",
        "Dots3NoteFeatureExtractor": "dots3_note",
        "EncodecFeatureExtractor": "encodec csm mimi moshi musicgen pocket_tts_audio_tokenizer",
        "FunAsrNanoFeatureExtractor": "fun_asr_nano",
        "Gemma3nAudioFeatureExtractor": "gemma3n",
        "Gemma4AudioFeatureExtractor": "gemma4 embedding_gemma2",
        "GraniteSpeechFeatureExtractor": "granite_speech granite_speech_plus",
        "InklingFeatureExtractor": "inkling_mm_model",
        "KyutaiSpeechToTextFeatureExtractor": "kyutai_speech_to_text",
        "LasrFeatureExtractor": "lasr_ctc lasr_encoder",
        "NemotronAsrStreamingFeatureExtractor":
            "nemotron_asr_streaming nemo_speechlm nemotron3_5_asr nemotron3_diarization nemotron_asr_streaming_encoder",
        "ParakeetFeatureExtractor": "parakeet_ctc parakeet_encoder parakeet_rnnt parakeet_tdt canary",
        "Phi4MultimodalFeatureExtractor": "phi4_multimodal",
        "Qwen3ASRFeatureExtractor": "qwen3_asr",
        "SeamlessM4TFeatureExtractor": "seamless_m4t seamless_m4t_v2",
        "Speech2TextFeatureExtractor": "speech_to_text",
        "SpeechT5FeatureExtractor": "speecht5",
        "UnivNetFeatureExtractor": "univnet",
        "VoxtralRealtimeFeatureExtractor": "voxtral_realtime",
        "Wav2Vec2FeatureExtractor":
            "wav2vec2 data2vec-audio hubert moonshine sew sew-d unispeech unispeech-sat wav2vec2-conformer wavlm",
        "WhisperFeatureExtractor": "whisper audioflamingo3 glmasr qwen2_5_omni qwen2_audio qwen3_omni_moe voxtral",
    ]

    /// The class of a model's extractor by `model_type` of the network's configuration; nil: it is not known.
    static func name(ofModel type: String) -> String? {
        modelTypes.first { $0.value.split(separator: " ").contains { $0 == type } }?.key
    }

    /// The class whose fields are most like those of a file that names none, for an example.
    static func nearest(to members: [JSONValue.Member]) -> FrontEnd? {
        let size = members.first { $0.name == "feature_size" }?.value.number ?? 1
        let names = Set(members.map(\.name))
        func distance(_ row: FrontEnd) -> (unknown: Int, missing: Int) {
            let acting = row.fields.filter { field in
                switch field.effect {
                case .sets, .part: true
                case .unused, .only, .dither: false
                }
            }
            return (names.subtracting(row.fields.map(\.name)).count, Set(acting.map(\.name)).subtracting(names).count)
        }
        // Samples have one column.
        return all.filter { size == 1 || !$0.fixed.contains("transform.kind=raw") }
            .min { distance($0) < distance($1) }
    }

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
