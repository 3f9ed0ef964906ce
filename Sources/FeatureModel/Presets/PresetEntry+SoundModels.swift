extension PresetEntry {
    // MARK: By Kaldi's frames

    static let ast = PresetEntry(
        .models,
        "Audio Spectrogram Transformer (AudioSet): 1024 rows of 128 Kaldi bands at 16 kHz, normalised",
        notes: """
            Kaldi's frames of samples from -1 to 1 in a symmetric Hann window, ln, then the mean and twice the standard
            deviation of AudioSet. Clips have 1024 rows: what is missing is 0 before that, 0.467 after. For rows of the
            clip's length: \(setting: .key, "rows=null"). For the model of ESC-50: \(setting: .key, "rows.count=512") \(setting: .key, "normalize.mean=-6.6268077")
            \(setting: .key, "normalize.std=10.716932"). A clip of less than 400 samples has no frame and is a failure; torchaudio stops.
            First channel: the first code (github.com/YuanGongND/ast) loads all, of which torchaudio's fbank takes channel
            0; the extractor in transformers refuses more than one. The first code subtracts the mean of the recording
            before, which each frame loses anyway. At another audio.sample_rate, 25 ms and 10 ms are rounded down to samples,
            as in torchaudio.
            """,
        source:
            "transformers 5.23.0 models/audio_spectrogram_transformer 91-158; ast src/dataloader.py 94-142"
    ) { () throws(ConfigurationError) in
        try kaldiLike(
            .hann, NormalizeConfiguration(mean: -4.2677393, std: 9.1379948), channels: .first, rows: filled(to: 1024))
    }

    static let astSpeechCommands = PresetEntry(
        .models, "Audio Spectrogram Transformer, Speech Commands: as ast, 128 rows, (v + 6.845978) / 11.1309052",
        notes: """
            As ast, with the mean and twice the standard deviation of Speech Commands, and with 128 rows. Times are rounded as
            in ast.
            """,
        source: "ast egs/audioset/ensemble.py 87-89, egs/speechcommands/run_sc.sh; transformers 5.23.0, as ast"
    ) { () throws(ConfigurationError) in
        try kaldiLike(
            .hann, NormalizeConfiguration(mean: -6.845978, std: 11.1309052), channels: .first, rows: filled(to: 128))
    }

    static let audioMAE = PresetEntry(
        .models, "AudioMAE: 1024 rows of 128 Kaldi bands at 16 kHz, first channel, (v + 4.2677393) / 9.1379948",
        notes: """
            The mean and twice the standard deviation of AudioSet, 1024 rows, and the first channel, as ast. The source
            subtracts the mean of all channels first, which changes nothing but rounding, because each frame loses its own mean;
            \(setting: .key, "condition.remove_dc=true") does so, too. Times are rounded as in ast.
            """, source: "AudioMAE dataset.py 176-222, 300; main_pretrain.py, norm_stats"
    ) { () throws(ConfigurationError) in
        try kaldiLike(
            .hann, NormalizeConfiguration(mean: -4.2677393, std: 9.1379948), channels: .first, rows: filled(to: 1024))
    }

    static let beats = PresetEntry(
        .models, "BEATs: 128 Kaldi bands of 16-bit samples at 16 kHz, (v - 15.41663) / 13.11164",
        notes: """
            kaldi-fbank with 128 bands, then the mean and twice the standard deviation of AudioSet. Rows are those of the
            clip's length; nothing is padded. A clip of less than 400 samples has no frame and is a failure; torchaudio
            stops. At another audio.sample_rate, 25 ms and 10 ms are rounded down to samples, as in torchaudio.
            """, source: "unilm beats/BEATs.py 118-133; torchaudio 2.11.0 torchaudio/compliance/kaldi.py 514-645"
    ) { () throws(ConfigurationError) in
        try kaldiLike(.povey, NormalizeConfiguration(mean: 15.41663, std: 13.11164), scale: .int16)
    }

    /// `torchaudio.compliance.kaldi.fbank` of 128 bands, and the statistics of a dataset.
    private static func kaldiLike(
        _ window: WindowFunction, _ normalize: NormalizeConfiguration, channels: ChannelSelection = .mix,
        scale: SampleScale = .unit, rows: RowsConfiguration = .standard
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, channels: channels, scale: scale),
            frame: kaldiFrame(window: window),
            transform: .mel(
                MelConfiguration(bins: 128, low: 20, scale: .htk, norm: .none, triangles: .mel).upToHalfTheRate()),
            scale: kaldiScale(), normalize: normalize, rows: rows, isResolved: false)
    }

    /// So many rows, filled with 0 before normalisation.
    private static func filled(to count: Int) throws(ConfigurationError) -> RowsConfiguration {
        try RowsConfiguration(count: count, fillOrder: .before)
    }

    // MARK: By patches of 0.96 s

    static let vggish = PresetEntry(
        .models, "VGGish: patches of 96 rows of 64 bands from 125 to 7500 Hz at 16 kHz, ln(v + 0.01)",
        notes: """
            The magnitude of whole frames. Patches follow one another; rows after the last whole patch are dropped, and a clip
            of less than 15,600 samples has no patch and is a failure. For rows instead of patches: \(setting: .key, "patches=null"). The
            original resamples by resampy, and stores 8 bits of what the network makes of a patch.
            """,
        source: "models research/audioset/vggish/mel_features.py 21-223, vggish_input.py 28-98, vggish_params.py"
    ) { () throws(ConfigurationError) in try magnitudePatches(guarding: 0.01, PatchesConfiguration(length: 96)) }

    static let yamnet = PresetEntry(
        .models, "YAMNet: patches of 96 rows of 64 bands from 125 to 7500 Hz at 16 kHz, ln(v + 0.001), every 48 rows",
        notes: """
            As vggish, with patches that overlap by half. Zeros are appended to the clip up to 15,600 samples, and from there
            to whole hops of 7,680, so that every sample lies in a patch. For rows instead of patches: \(setting: .key, "patches=null").
            """, source: "models research/audioset/yamnet/features.py 22-144, params.py 24-38"
    ) { () throws(ConfigurationError) in
        try magnitudePatches(guarding: 0.001, PatchesConfiguration(length: 96, hop: 48, rest: .zeros))
    }

    private static func magnitudePatches(
        guarding: Double, _ patches: PatchesConfiguration
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000),
            frame: FrameConfiguration(length: .samples(400), hop: .samples(160), fftLength: 512),
            transform: .mel(
                MelConfiguration(
                    bins: 64, low: 125, high: 7500, scale: .htk, norm: .none, triangles: .mel, spectrum: .magnitude)),
            scale: ScaleConfiguration(kind: .ln, floor: guarding, guarding: .add), normalize: .none, patches: patches)
    }

    // MARK: By other frames

    static let pannsCNN14 = PresetEntry(
        .models, "PANNs CNN14: 64 Slaney bands from 50 to 14,000 Hz at 32 kHz, dB, 16-bit samples",
        notes: """
            The model was trained on samples that went through 16 bits, trunc(32767 x)/32767, which changes quiet values by up
            to 28 dB: \(setting: .key, "condition.gain=none") leaves it out, as the inference code does. Clips of AudioSet are brought to
            10 s: \(setting: .key, "audio.duration=10") gives the 1001 rows. No top_db. A clip of 512 samples or less, which the
            original refuses, is mirrored as often as it takes.
            """,
        source: "audioset_tagging_cnn pytorch/models.py 135-166, utils/utilities.py 95-109; torchlibrosa 0.1.0 stft.py"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 32_000), condition: ConditionConfiguration(gain: .int16),
            frame: FrameConfiguration(
                length: .samples(1024), hop: .samples(320), fftLength: 1024, align: .center, pad: .reflect),
            transform: .mel(MelConfiguration(bins: 64, low: 50, high: 14_000)), scale: ScaleConfiguration(kind: .db),
            normalize: .none)
    }

    static let clap = PresetEntry(
        .models, "LAION CLAP without fusion: 10 s at 48 kHz, 64 Slaney bands from 50 to 14,000 Hz, dB, 16-bit samples",
        notes: """
            1001 rows. A shorter clip is repeated as often as it fits into 10 s, and zeros follow. Of a longer one the first 10
            s are taken, where the original takes a random part: \(setting: .key, "audio.crop=center") takes the middle. The default is what
            the authors' code has: samples in steps of 16 bits, trunc(32767 x)/32767. ClapFeatureExtractor of transformers leaves
            samples as they are, which shows in quiet bands: the greatest difference of a clip is 0.15 of its range in the
            median. \(setting: .key, "condition.gain=none") is equal to it. The bands of the fused model: \(setting: .key, "transform.mel_scale=htk")
            \(setting: .key, "transform.mel_norm=none"); for clips up to 10 s it takes them four times, for longer ones a shrunk spectrogram
            and three random parts, which no preset makes.
            """,
        source:
            "LAION-AI/CLAP training/data.py 93-99, 363-504; transformers 5.23.0 models/clap 122-177, 204-271"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 48_000, duration: 10, fit: .repeatPad),
            condition: ConditionConfiguration(gain: .int16),
            frame: FrameConfiguration(
                length: .samples(1024), hop: .samples(480), fftLength: 1024, align: .center, pad: .reflect),
            transform: .mel(MelConfiguration(bins: 64, low: 50, high: 14_000)), scale: ScaleConfiguration(kind: .db),
            normalize: .none)
    }

    // MARK: Birds

    static let birdnetLow = birdnet(
        "BirdNET V2.4, the lower spectrogram: 96 bands up to 3000 Hz at 48 kHz, the highest first", length: 2048,
        hop: 278,
        edges: 0...3000)

    static let birdnetHigh = birdnet(
        "BirdNET V2.4, the upper spectrogram: 96 bands from 500 to 15,000 Hz at 48 kHz, the highest first",
        length: 1024,
        hop: 280, edges: 500...15_000)

    private static func birdnet(_ summary: String, length: Int, hop: Int, edges: ClosedRange<Double>) -> PresetEntry {
        PresetEntry(
            .models, summary,
            notes: """
                Samples are brought from their minimum and maximum to -1 and 1. A band is the sum of the real part of the spectrum,
                with its sign: squared, then ^ 0.2262. Both spectrograms, birdnet-low and birdnet-high, are the input of one model.
                Windows of 3 s have 511 rows, which the model takes as 96 x 511; give them in the manifest, since each has its own
                minimum and maximum. A clip of less than 3 s is brought to them before zeros are appended, where the model sees the
                zeros, too. Assumed: the exponent, 1/(1 + e^1.23). 1.23 is where its training starts; the trained number, one for
                each spectrogram, is not published. The real part is that of the published layer. Some ports take the magnitude, and
                square the band, too: \(setting: .key, "transform.spectrum=magnitude") \(setting: .key, "scale.exponent=0.4523628514610924").
                """, source: "github.com/birdnet-team/BirdNET-Analyzer issues 164, 177: MelSpecLayerSimple"
        ) { () throws(ConfigurationError) in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 48_000),
                condition: ConditionConfiguration(gain: .minmax(epsilon: 1e-6)),
                frame: FrameConfiguration(length: .samples(length), hop: .samples(hop), fftLength: length),
                transform: .mel(
                    MelConfiguration(
                        bins: 96, low: edges.lowerBound, high: edges.upperBound, scale: .htk, norm: .none,
                        triangles: .mel,
                        spectrum: .real, order: .descending)),
                // 1 / (1 + e^1.23)
                scale: ScaleConfiguration(kind: .power, exponent: 0.2261814257305462), normalize: .none)
        }
    }

    static let perch1 = PresetEntry(
        .models, "Google Perch 1: 160 bands from 60 to 10,000 Hz at 32 kHz, PCEN, peak 0.25",
        notes: """
            The clip's mean is subtracted, its peak brought to 0.25, as perch_hoplite does where it runs the model; the training
            code (chirp's NormalizeAudio) keeps the mean, and brings the maximum to about 0.2. The power of a frame is that of
            |X / sum(w)|, w the Hann window of 640 samples: sum(w)^2 is scale.reference. PCEN starts at the first row. Clips of
            5 s are 500 rows: \(setting: .key, "audio.duration=5"), which appends zeros to shorter clips after the mean and the peak;
            perch_hoplite puts zeros on both sides first. The model sees windows of 5 s, each with its own mean, peak and start:
            give them in the manifest. Below 640 samples SciPy shortens the window or stops; here it keeps its length. Assumed:
            the periodic Hann window of scipy.signal.stft, which the training code calls; the window of the published model is
            not documented (perch issue 661). The source smooths by a filter of 256 rows, which differs from the recursion here
            by 2e-12. Where the number of samples is no multiple of 320, the source has one row more, with zeros past the end:
            \(setting: .key, "frame.drop_last=false"); where it is one, that row is not in the source.
            """,
        source:
            "perch chirp/models/frontend.py 46-54, 247-268, audio_utils.py 397-496; perch-hoplite zoo/zoo_interface.py"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 32_000),
            condition: ConditionConfiguration(removeDC: true, gain: .peak(level: 0.25)),
            frame: FrameConfiguration(
                length: .samples(640), hop: .samples(320), fftLength: 1024, align: .center, pad: .zero,
                dropLast: true),
            transform: .mel(
                MelConfiguration(bins: 160, low: 60, high: 10_000, scale: .htk, norm: .none, triangles: .mel)),
            scale: ScaleConfiguration(
                // 320 is the sum of the window.
                kind: .pcen, reference: 320 * 320,
                pcen: PCENConfiguration(gain: 0.5, bias: 2, power: 0.5, epsilon: 1e-6, smoothing: 0.1, start: .first)),
            normalize: .none)
    }
}
