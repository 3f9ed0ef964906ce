extension Preset {
    /// The configuration; frames defined by times have them in samples, at the preset's sample rate.
    ///
    /// - Throws: Never in practice; a test holds every preset to be valid.
    public func configuration() throws(ConfigurationError) -> FeatureConfiguration {
        let definition = try definition()
        return try FeatureConfiguration(
            audio: definition.audio, condition: definition.condition, frame: definition.frame,
            transform: definition.transform, scale: definition.scale, normalize: definition.normalize,
            store: definition.store)
    }

    /// The configuration as printed and changed: with times, and edges of half the rate, where the program that it reproduces
    /// defines them so. At another sample rate they follow that.
    ///
    /// - Throws: Never in practice, as `configuration()`.
    package func definition() throws(ConfigurationError) -> FeatureConfiguration {
        switch self {
        case .logMel:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000), frame: FrameConfiguration.standard.withStoredFFTLength(),
                transform: .mel(MelConfiguration().upToHalfTheRate()), scale: ScaleConfiguration(), isResolved: false)
        case .spectrogram:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .seconds(0.025), hop: .seconds(0.005), fftLength: nil, align: .center, pad: .reflect),
                transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .db), normalize: .none)
        case .scrollingDCT:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil, channels: .first, scale: .int16),
                frame: FrameConfiguration(length: .samples(1024), hop: .samples(512), fftLength: 1024),
                transform: .dct(bins: nil),
                // 0 dB is |X| = 1024; the floor is 80 dB below, where the rounding to 16 bits has long drowned everything.
                scale: ScaleConfiguration(kind: .db, floor: 0.01048576, reference: 1_048_576), normalize: .none)
        case .mixerFFT:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .samples(512), hop: .samples(512), fftLength: 512, window: .rectangular),
                transform: .fft(bins: 256), scale: ScaleConfiguration(kind: .magnitude, reference: 512),
                normalize: .none)
        case .musicalSpectrum:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 11_025),
                frame: FrameConfiguration(length: .samples(4096), hop: .samples(1102), fftLength: 4096),
                transform: .musical(MusicalConfiguration()), scale: ScaleConfiguration(kind: .magnitude),
                normalize: .none)
        case .liveWaveform:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil, channels: .first),
                frame: FrameConfiguration(
                    length: .samples(8192), hop: .samples(8192), fftLength: 8192, window: .rectangular),
                transform: .fft(bins: 200), scale: ScaleConfiguration(kind: .magnitude, limit: 100), normalize: .none)
        case .librosaLogMel: try librosa(.mel(MelConfiguration(bins: 128)))
        case .librosaMFCC: try librosa(.mfcc(CepstrumConfiguration(bins: 20, bank: MelConfiguration(bins: 128))))
        case .torchaudioLogMel:
            try torchaudio(.mel(MelConfiguration(bins: 128, scale: .htk, norm: .none)), ScaleConfiguration(kind: .ln))
        case .torchaudioMFCC:
            try torchaudio(
                .mfcc(CepstrumConfiguration(bins: 40, bank: MelConfiguration(bins: 128, scale: .htk, norm: .none))),
                ScaleConfiguration(kind: .db, topDB: 80))
        case .kaldiFBank: try kaldi(.mel(kaldiBank()))
        case .kaldiMFCC: try kaldi(.mfcc(CepstrumConfiguration(bank: kaldiBank(), lifter: 22, zeroth: .energy)))
        case .htkMFCC:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000, channels: .first, scale: .int16),
                frame: FrameConfiguration(window: .hamming, symmetric: true).withStoredFFTLength(),
                transform: .mfcc(
                    CepstrumConfiguration(
                        bank: MelConfiguration(bins: 23, scale: .htk, norm: .none, triangles: .mel).upToHalfTheRate(),
                        norm: .htk, lifter: 22, zeroth: .last, deltas: DeltaConfiguration(order: 2))),
                // HTK floors a band at 1, so that its logarithm is never negative.
                scale: ScaleConfiguration(kind: .ln, floor: 1), normalize: .none, isResolved: false)
        case .whisper:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000),
                frame: FrameConfiguration(
                    length: .samples(400), hop: .samples(160), fftLength: 400, align: .center, pad: .reflect,
                    dropLast: true), transform: .mel(MelConfiguration(high: 8000)),
                scale: ScaleConfiguration(kind: .log10, topDB: 80, offset: 4, factor: 0.25), normalize: .none)
        }
    }

    /// `librosa.stft`'s defaults: zeros past the ends since version 0.9.
    private func librosa(_ transform: TransformConfiguration) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .samples(2048), hop: .samples(512), fftLength: 2048, align: .center, pad: .zero),
            transform: transform, scale: ScaleConfiguration(kind: .db, topDB: 80), normalize: .none)
    }

    private func torchaudio(
        _ transform: TransformConfiguration, _ scale: ScaleConfiguration
    ) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .samples(400), hop: .samples(200), fftLength: 400, align: .center, pad: .reflect),
            transform: transform, scale: scale, normalize: .none)
    }

    private func kaldi(_ transform: TransformConfiguration) throws(ConfigurationError) -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000, channels: .first, scale: .int16),
            frame: FrameConfiguration(window: .povey, symmetric: true, removeDC: true, preEmphasis: 0.97)
                .withStoredFFTLength(), transform: transform,
            // Kaldi's floor: the distance from 1 to the next single-precision number, 2^-23.
            scale: ScaleConfiguration(kind: .ln, floor: Double(Float.ulpOfOne)), normalize: .none, isResolved: false)
    }

    private func kaldiBank() throws(ConfigurationError) -> MelConfiguration {
        try MelConfiguration(bins: 23, low: 20, scale: .htk, norm: .none, triangles: .mel)
    }
}
