extension PresetEntry {
    // MARK: librosa

    static let librosaLogMel = librosa(
        "librosa: power_to_db(feature.melspectrogram(y=y, sr=sr)), all defaults",
        source: "librosa 0.11.0 librosa/feature/spectral.py 2013-2151, core/spectrum.py power_to_db"
    ) { () throws(ConfigurationError) in try .mel(MelConfiguration(bins: 128)) }

    static let librosaMFCC = librosa(
        "librosa: feature.mfcc(y=y, sr=sr), all defaults",
        source: "librosa 0.11.0 librosa/feature/spectral.py 1834-2010"
    ) { () throws(ConfigurationError) in
        try .mfcc(CepstrumConfiguration(bins: 20, bank: MelConfiguration(bins: 128)))
    }

    /// `librosa.stft`'s defaults: zeros past the ends since version 0.9.
    private static func librosa(
        _ summary: String, source: String,
        transform: @escaping @Sendable () throws(ConfigurationError) -> TransformConfiguration
    ) -> PresetEntry {
        PresetEntry(
            .libraries, summary,
            notes: """
                At the file's own rate (librosa.load would resample to 22,050 Hz: set audio.sample_rate=22050 for that).
                Values more than 80 dB below the clip's maximum are raised to that level, so a clip's values depend on all of it.
                """, source: source, usualRate: 22_050
        ) { () throws(ConfigurationError) in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .samples(2048), hop: .samples(512), fftLength: 2048, align: .center, pad: .zero),
                transform: transform(), scale: ScaleConfiguration(kind: .db, topDB: 80), normalize: .none)
        }
    }

    // MARK: torchaudio

    static let torchaudioLogMel = torchaudio(
        "torchaudio: log of transforms.MelSpectrogram(sr), all defaults, floored at 1e-10",
        source: "torchaudio 2.11.0 torchaudio/transforms/_transforms.py 515-631", .ln
    ) { () throws(ConfigurationError) in try .mel(MelConfiguration(bins: 128, scale: .htk, norm: .none)) }

    static let torchaudioMFCC = torchaudio(
        "torchaudio: transforms.MFCC(sr), all defaults",
        source: "torchaudio 2.11.0 torchaudio/transforms/_transforms.py 634-718", .db, topDB: 80
    ) { () throws(ConfigurationError) in
        try .mfcc(CepstrumConfiguration(bins: 40, bank: MelConfiguration(bins: 128, scale: .htk, norm: .none)))
    }

    private static func torchaudio(
        _ summary: String, source: String, _ scale: ScaleConfiguration.Kind, topDB: Double? = nil,
        transform: @escaping @Sendable () throws(ConfigurationError) -> TransformConfiguration
    ) -> PresetEntry {
        PresetEntry(
            .libraries, summary,
            notes: """
                At the file's own rate. Channels are mixed; torchaudio would treat each by itself. A clip of 200 samples or
                less, which torchaudio refuses, is mirrored as often as it takes. In torchaudio-mfcc band powers more than 80 dB
                below the clip's maximum are raised to that level, so a clip's values depend on all of it.
                """, source: source, usualRate: 16_000
        ) { () throws(ConfigurationError) in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .samples(400), hop: .samples(200), fftLength: 400, align: .center, pad: .reflect),
                transform: transform(), scale: ScaleConfiguration(kind: scale, topDB: topDB), normalize: .none)
        }
    }

    // MARK: Kaldi and HTK

    static let kaldiFBank = kaldi(
        "Kaldi: compute-fbank-feats --dither=0, all other defaults, at 16 kHz",
        source: "Kaldi src/feat/feature-fbank.cc, feature-window.cc, mel-computations.cc"
    ) { () throws(ConfigurationError) in try .mel(kaldiBank()) }

    static let kaldiMFCC = kaldi(
        "Kaldi: compute-mfcc-feats --dither=0, all other defaults, at 16 kHz",
        source: "Kaldi src/feat/feature-mfcc.cc, feature-window.cc, mel-computations.cc"
    ) { () throws(ConfigurationError) in
        try .mfcc(CepstrumConfiguration(bank: kaldiBank(), lifter: 22, zeroth: .energy))
    }

    private static func kaldi(
        _ summary: String, source: String,
        transform: @escaping @Sendable () throws(ConfigurationError) -> TransformConfiguration
    ) -> PresetEntry {
        PresetEntry(
            .libraries, summary,
            notes: """
                Whole frames only, as with --snip-edges=true; \(setting: .key, "frame.align=kaldi") is --snip-edges=false.
                First channel, samples from -32768 to 32767. Dither would make every run different, so there is none.
                At another audio.sample_rate, 25 ms and 10 ms are rounded down to samples, as in Kaldi: 551 and 220 at 22,050 Hz.
                """, source: source
        ) { () throws(ConfigurationError) in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000, channels: .first, scale: .int16),
                frame: kaldiFrame(window: .povey), transform: transform(), scale: kaldiScale(), normalize: .none,
                isResolved: false)
        }
    }

    private static func kaldiBank() throws(ConfigurationError) -> MelConfiguration {
        try MelConfiguration(bins: 23, low: 20, scale: .htk, norm: .none, triangles: .mel)
    }

    /// Frames as Kaldi prepares them: 25 ms every 10 ms, cut to whole samples, without their mean, with pre-emphasis, in a
    /// symmetric window.
    static func kaldiFrame(
        window: WindowFunction, align: FrameAlignment = .start
    ) throws(ConfigurationError) -> FrameConfiguration {
        try FrameConfiguration(
            rounding: .down, window: window, symmetric: true, align: align, removeDC: true, preEmphasis: 0.97
        ).withStoredFFTLength()
    }

    /// Kaldi's floor: the distance from 1 to the next single-precision number, 2^-23.
    static func kaldiScale() throws(ConfigurationError) -> ScaleConfiguration {
        try ScaleConfiguration(kind: .ln, floor: Double(Float.ulpOfOne))
    }

    static let htkMFCC = PresetEntry(
        .libraries, "HTK: HCopy to MFCC_0_D_A, 23 bands, 12 coefficients, power, Hamming, at 16 kHz",
        notes: """
            Columns are c1 ... c12, c0, their deltas, their accelerations: 39. PREEMCOEF 0, CEPLIFTER 22, ENORMALISE F,
            USEPOWER T. First channel, samples from -32768 to 32767. At another audio.sample_rate, 25 ms and 10 ms are rounded
            down to samples, as in HTK: 551 and 220 at 22,050 Hz.
            """, source: "HTK 3.4 HTKLib/HSigP.c, HParm.c; The HTK Book, 5.4-5.9"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, channels: .first, scale: .int16),
            frame: FrameConfiguration(rounding: .down, window: .hamming, symmetric: true).withStoredFFTLength(),
            transform: .mfcc(
                CepstrumConfiguration(
                    bank: MelConfiguration(bins: 23, scale: .htk, norm: .none, triangles: .mel).upToHalfTheRate(),
                    norm: .htk, lifter: 22, zeroth: .last, deltas: DeltaConfiguration(order: 2))),
            // HTK floors a band at 1, so that its logarithm is never negative.
            scale: ScaleConfiguration(kind: .ln, floor: 1), normalize: .none, isResolved: false)
    }

    // MARK: Toolkits for speech

    static let espnet = PresetEntry(
        .libraries, "ESPnet: DefaultFrontend, all defaults: 80 Slaney bands at 16 kHz, ln",
        notes: """
            First channel, as in ESPnet's evaluation; in training it takes a random one. A clip of 256 samples or less, which
            ESPnet refuses, is mirrored as often as it takes. Recipes change n_fft and hop_length: 400 and 160, for example,
            are \(setting: .key, "frame.length=400") \(setting: .key, "frame.fft_length=400") \(setting: .key, "frame.hop=160"). Their normalisation by the
            statistics of the training data (global_mvn) is \(setting: .key, "normalize.scope=dataset").
            """,
        source: "espnet 202511 espnet2/asr/frontend/default.py 17-117, layers/stft.py, layers/log_mel.py 9-84"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, channels: .first),
            frame: FrameConfiguration(
                length: .samples(512), hop: .samples(128), fftLength: 512, align: .center, pad: .reflect),
            transform: .mel(MelConfiguration().upToHalfTheRate()), scale: ScaleConfiguration(), normalize: .none,
            isResolved: false)
    }

    static let icefall = lhotse(
        "icefall: 80 Kaldi bands from 20 to 7600 Hz at 16 kHz, snip-edges=false, samples of +-1, ln",
        notes: """
            Kaldi's frames with --snip-edges=false and --high-freq=-400, of samples from -1 to 1: kaldi-fbank has the 16-bit
            range, whose values are 20.8 higher. No dither. 7600 Hz is 400 Hz below half of 16 kHz; at another
            audio.sample_rate set transform.high, too; 25 ms and 10 ms are rounded down to samples, as in kaldifeat. First
            channel. Rows that pad a batch are not part of the features.
            """, source: "icefall egs/librispeech/ASR/conformer_ctc/pretrained.py 275-286; lhotse 1.33.0",
        align: .kaldi)

    static let lhotseFBank = lhotse(
        "lhotse: Fbank, all defaults: 80 Kaldi bands from 20 to 7600 Hz at 16 kHz, samples of +-1, ln",
        notes: """
            Equal to icefall, whose features lhotse computes. High_freq is -400: 400 Hz below half of 16 kHz; at another
            audio.sample_rate set transform.high, too; 25 ms and 10 ms are rounded down to samples, as in lhotse. At 44.1 kHz
            its frames are a sample later than Kaldi's, which is frame.align: lhotse. First channel. A clip shorter than the
            samples mirrored at its ends (120 to 280) is mirrored as often as it takes; lhotse takes what follows it in memory,
            or stops.
            """, source: "lhotse 1.33.0 lhotse/features/kaldi/extractors.py 23-50, layers.py 536-572, 731-764",
        align: .lhotse)

    private static func lhotse(
        _ summary: String, notes: Note, source: String, align: FrameAlignment
    ) -> PresetEntry {
        PresetEntry(.libraries, summary, notes: notes, source: source) {
            () throws(ConfigurationError) in
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000, channels: .first),
                frame: kaldiFrame(window: .povey, align: align),
                transform: .mel(
                    MelConfiguration(bins: 80, low: 20, high: 7600, scale: .htk, norm: .none, triangles: .mel)),
                scale: kaldiScale(), normalize: .none, isResolved: false)
        }
    }

    static let speechbrainFBank = PresetEntry(
        .libraries, "SpeechBrain: Fbank, all defaults: 40 symmetric triangles at 16 kHz, dB, top_db 80",
        notes: """
            The triangles are symmetric in Hz, as wide above their centre as the gap below it. Values more than 80 dB below
            the clip's maximum are raised to that level, so a clip's values depend on all of it. Channels are mixed;
            SpeechBrain would treat each by itself. Its InputNormalization is not part of Fbank:
            \(setting: .key, "normalize.scope=clip"), or dataset. At another audio.sample_rate, 25 ms and 10 ms become samples by Python's
            round, and the transform keeps its 400: above 16 kHz, where SpeechBrain stops, too, set frame.fft_length.
            """,
        source: "speechbrain 1.1.2 speechbrain/lobes/features.py 38-173, processing/features.py 58-199, 381-759"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000),
            frame: FrameConfiguration(rounding: .even, fftLength: 400, window: .hamming, align: .center, pad: .zero),
            transform: .mel(
                MelConfiguration(bins: 40, scale: .htk, norm: .none, triangles: .symmetric).upToHalfTheRate()),
            scale: ScaleConfiguration(kind: .db, topDB: 80), normalize: .none, isResolved: false)
    }
}
