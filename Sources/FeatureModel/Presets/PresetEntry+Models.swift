extension PresetEntry {
    // MARK: Whisper and its relatives

    static let whisper = PresetEntry(
        .models, "OpenAI Whisper: log-mel of 80 bands at 16 kHz (transform.bins=128 for large-v3)",
        notes: """
            The value is (max(log10(max(p, 1e-10)), maximum - 8) + 4) / 4, "maximum" that of the whole clip.
            Not padded to 30 s unless audio.duration=30 is set, which Whisper's encoder needs. Whisper's transcription takes
            windows of 30 s, one after another. A clip of 200 samples or less, which the original refuses, is mirrored as
            often as it takes.
            """, source: "openai-whisper 20250625 whisper/audio.py 110-157"
    ) { () throws(ConfigurationError) in
        try whisperLike(
            MelConfiguration(high: 8000), ScaleConfiguration(kind: .log10, topDB: 80, offset: 4, factor: 0.25))
    }

    static let voxtral = PresetEntry(
        .models, "Mistral Voxtral Realtime: Whisper's log-mel of 128 bands with a fixed maximum, at 16 kHz",
        notes: """
            The value is (max(log10(p), 1.5 - 8) + 4) / 4: the maximum of the clip, which Whisper subtracts from, is always
            1.5, so that a row does not depend on the rest of the clip. Voxtral without "Realtime" has Whisper's input:
            \(setting: .preset, "whisper") \(setting: .key, "transform.bins=128") \(setting: .key, "audio.multiple=480000"). Its processor appends zeros to the next
            multiple of 30 s, and cuts nothing. A clip of 200 samples or less, which the
            original refuses, is mirrored as often as it takes. The samples that its processor puts before and after a
            recording are not part of the features.
            """, source: "transformers 5.23.0 models/voxtral_realtime/feature_extraction_voxtral_realtime.py 61-116"
    ) { () throws(ConfigurationError) in
        try whisperLike(
            MelConfiguration(bins: 128, high: 8000),
            // 10^(1.5 - 8)
            ScaleConfiguration(kind: .log10, floor: 3.162277660168379e-07, offset: 4, factor: 0.25))
    }

    static let qwen3ASR = PresetEntry(
        .models, "Qwen3-ASR: Whisper's log-mel of 128 bands at 16 kHz, rows of zeros to a multiple of 100",
        notes: """
            Zeros are appended to clips of less than 0.5 s (8,000 samples), before the transform. The rows that are added hold
            0, which is 10^-4 as a power. The class appends zeros up to 30 s, and cuts nothing, unless padding is "longest",
            as its processor sets it: \(setting: .key, "audio.minimum=30") does the same.
            """, source: "transformers 5.23.0 models/qwen3_asr/feature_extraction_qwen3_asr.py 66-239"
    ) { () throws(ConfigurationError) in
        try whisperLike(
            MelConfiguration(bins: 128, high: 8000),
            ScaleConfiguration(kind: .log10, topDB: 80, offset: 4, factor: 0.25), RowsConfiguration(multiple: 100),
            minimum: 0.5)
    }

    private static func whisperLike(
        _ bank: MelConfiguration, _ scale: ScaleConfiguration, _ rows: RowsConfiguration = .standard,
        minimum: Double? = nil
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, minimum: minimum),
            frame: FrameConfiguration(
                length: .samples(400), hop: .samples(160), fftLength: 400, align: .center, pad: .reflect,
                dropLast: true), transform: .mel(bank), scale: scale, normalize: .none, rows: rows)
    }

    // MARK: Speech

    static let parakeet = PresetEntry(
        .models, "NVIDIA Parakeet, NeMo: 80 Slaney bands at 16 kHz, ln, z-score of each clip (128: transform.bins=128)",
        notes: """
            parakeet-tdt-0.6b-v2 and later, and Canary, have 128 bands: \(setting: .key, "transform.bins=128"). The value is v = ln(p +
            2^-24), and of each band (v - mean) / (s + 1e-5), s^2 the sum of squares over rows - 1. Without normalisation
            (NeMo's normalize: NA): \(setting: .key, "normalize.scope=none") \(setting: .key, "scale.reference=1"). Pre-emphasis runs over the whole clip.
            The symmetric window of 400 samples lies in the middle of 512, past the ends are zeros. No dither, as in inference.
            Rows: floor(samples / 160); the rows of zeros that NeMo appends (pad_to 16) are not part of the features. One row is
            all 0, as in NeMo; transformers gives NaN. In silence the original divides round-off by 1e-5, up to 0.16; here it is
            0.
            """,
        source: "NeMo 3.0.0 asr/parts/preprocessing/features.py 50-92, 239-494; transformers 5.23.0 models/parakeet"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000), condition: ConditionConfiguration(preEmphasis: 0.97),
            frame: FrameConfiguration(
                length: .samples(400), hop: .samples(160), fftLength: 512, symmetric: true, align: .center,
                pad: .zero, dropLast: true), transform: .mel(MelConfiguration(high: 8000)),
            // 2^-24, also as the reference: ln(1 + p / 2^-24) is precise where p is small, and normalisation takes the
            // constant away.
            scale: ScaleConfiguration(
                kind: .ln, floor: 5.9604644775390625e-08, reference: 5.9604644775390625e-08, guarding: .add),
            normalize: NormalizeConfiguration(scope: .clip, ddof: 1, epsilon: 1e-5))
    }

    static let lasr = PresetEntry(
        .models, "Google LASR: 128 bands from 125 to 7500 Hz at 16 kHz, ln floored at 1e-5",
        notes: """
            Whole frames only, in a symmetric Hann window. A clip of less than 400 samples has no frame and is a failure; the
            original stops.
            """, source: "transformers 5.23.0 models/lasr/feature_extraction_lasr.py 32-140"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000),
            frame: FrameConfiguration(length: .samples(400), hop: .samples(160), fftLength: 512, symmetric: true),
            transform: .mel(
                MelConfiguration(bins: 128, low: 125, high: 7500, scale: .htk, norm: .none, triangles: .mel)),
            scale: ScaleConfiguration(kind: .ln, floor: 1e-5), normalize: .none)
    }

    static let seamless = PresetEntry(
        .models, "Meta SeamlessM4T: 80 Kaldi bands of 16-bit samples at 16 kHz, z-score of each clip, rows in pairs",
        notes: """
            kaldi-fbank with 80 bands, of each band (v - mean) / sqrt(s^2 + 1e-7), s^2 the sum of squares over rows - 1. Two
            rows are stored as one of 160 values. The last one of an odd number is paired with 80 zeros: the padding_value of
            the class, and of SeamlessM4T. The file of w2v-BERT 2.0 (preprocessor_config.json) has a padding_value of 1:
            \(setting: .key, "rows.fill=1"). The attention mask of the original leaves that pair out. First channel, as in the original. One
            row is all 0; the original gives NaN. In silence the original divides round-off by 3e-4, up to 0.003; here it is 0.
            Frames have 400 samples every 160 at any rate, as in the original.
            """, source: "transformers 5.23.0 models/seamless_m4t/feature_extraction_seamless_m4t.py 60-302"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, channels: .first, scale: .int16),
            frame: FrameConfiguration(
                length: .samples(400), hop: .samples(160), fftLength: 512, window: .povey, symmetric: true,
                removeDC: true, preEmphasis: 0.97),
            transform: .mel(MelConfiguration(low: 20, scale: .htk, norm: .none, triangles: .mel).upToHalfTheRate()),
            scale: kaldiScale(),
            normalize: NormalizeConfiguration(scope: .clip, ddof: 1, epsilon: 1e-7, epsilonPlacement: .variance),
            patches: PatchesConfiguration(length: 2, rest: .fill, stacked: true), isResolved: false)
    }

    static let gemma3n = PresetEntry(
        .models, "Google Gemma 3n: 128 HTK bands from 125 to 7600 Hz at 16 kHz, magnitude, ln floored at 1e-5",
        notes: """
            Clips are cut after 30 s, and zeros are appended up to a multiple of 128 samples. Frames have 512 samples,
            transformed as 1024, with pre-emphasis in each frame; one more sample has to follow each. For clips of any length:
            \(setting: .key, "audio.fit=null") \(setting: .key, "audio.duration=null"). A clip of less than 513 samples is a failure; the original has no
            rows for it up to 512.
            """, source: "transformers 5.23.0 models/gemma3n/feature_extraction_gemma3n.py 28-330"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, duration: 30, fit: .keep, multiple: 128),
            frame: FrameConfiguration(
                length: .samples(512), hop: .samples(160), fftLength: 1024, preEmphasis: 0.97, lookahead: 1),
            transform: .mel(
                MelConfiguration(bins: 128, low: 125, high: 7600, scale: .htk, norm: .none, spectrum: .magnitude)),
            scale: ScaleConfiguration(kind: .ln, floor: 1e-5), normalize: .none)
    }

    // MARK: Samples

    static let wav2vec2 = PresetEntry(
        .models,
        "Samples for wav2vec 2.0, HuBERT, WavLM: at 16 kHz, (x - mean) / sqrt(variance + 1e-7) of each clip",
        notes: """
            A row is a sample. Models that were trained without normalisation (do_normalize: false) take the samples as they
            are: \(setting: .key, "condition.gain=none"). Silence is 0.
            """, source: "transformers 5.23.0 models/wav2vec2/feature_extraction_wav2vec2.py 78-97"
    ) { () throws(ConfigurationError) in try samples(at: 16_000, gain: .zscore(epsilon: 1e-7)) }

    static let moonshine = PresetEntry(
        .models, "Moonshine: samples at 16 kHz, as they are",
        notes: """
            A row is a sample. Nothing is padded. Assumed: no normalisation, as in the authors' code, which passes on what
            librosa.load returns; the extractor in transformers is that of wav2vec 2.0 with do_normalize: false.
            """, source: "moonshine moonshine/transcribe.py; transformers 5.23.0 models/moonshine"
    ) { () throws(ConfigurationError) in try samples(at: 16_000) }

    static let encodec = PresetEntry(
        .models, "EnCodec at 24 kHz: samples, as they are",
        notes: """
            A row is a sample. The model at 48 kHz takes two channels, and divides both by 1e-8 + the RMS of their mean, in
            segments of a second: for a clip of one channel and one segment, \(setting: .key, "audio.sample_rate=48000")
            \(setting: .key, "condition.gain='{kind: rms, epsilon: 1e-8}'").
            """, source: "encodec encodec/model.py 147-163; transformers 5.23.0 models/encodec"
    ) { () throws(ConfigurationError) in try samples(at: 24_000) }

    private static func samples(
        at rate: Int, gain: GainConfiguration = .none
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate), condition: ConditionConfiguration(gain: gain),
            frame: FrameConfiguration(length: .samples(1), hop: .samples(1), fftLength: 1, window: .rectangular),
            transform: .raw, scale: ScaleConfiguration(kind: .linear), normalize: .none)
    }
}
