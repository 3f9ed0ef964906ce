/// A configuration with a name.
public enum Preset: String, CaseIterable, Sendable {
    /// 80 Slaney mel bands at 16 kHz, natural logarithm, normalised over the dataset.
    case logMel = "log-mel"
    /// A DCT-II spectrogram in decibels of unscaled 16-bit samples.
    case scrollingDCT = "scrolling-dct"
    /// The magnitude spectrum of buffers of 512 samples.
    case mixerFFT = "mixer-fft"

    /// What the preset is for, in a line.
    public var summary: String {
        switch self {
        case .logMel: "80 Slaney mel bands, 25 ms frames every 10 ms at 16 kHz, ln, z-score over the train split"
        case .scrollingDCT: "DCT-II of 1024 samples every 512, Hann, 16-bit scale, dB: a scrolling DCT spectrogram"
        case .mixerFFT: "FFT magnitude of 512-sample buffers without window or overlap: a mixer's spectrum bars"
        }
    }

    /// What differs from the program that the preset reproduces, and other things to know; nil: nothing.
    public var notes: String? {
        switch self {
        case .logMel: nil
        case .scrollingDCT:
            """
            The value is 20·log10(|X[k]| / 1024), X the unscaled DCT-II. It is floored at 0 dB, where the source's picture
            begins (black); the source's values go below, to minus infinity for silence. For quieter detail set
            scale.floor, a power: 10485.76 is -20 dB. Down there single precision shows beside a loud tone: what lies
            more than 60 dB below the loudest value of its frame may be off by more than 0.001 dB.
            First channel only, at the file's own rate, not normalised, whole frames only: all as in the source.
            """
        case .mixerFFT:
            """
            256 bins, |X[k]|/512. The source keeps the Nyquist term in the imaginary part of bin 0, so its bin 0 is
            hypot(DC, Nyquist)/512; here it is |X[0]|/512, and the Nyquist term is left out.
            Channels are mixed; the source gives each track a spectrum of its own (use audio.channels or a manifest's
            channel column). At the file's own rate, not normalised.
            """
        }
    }

    /// The configuration itself.
    ///
    /// - Throws: Never in practice; a test holds every preset to be valid.
    public func configuration() throws(ConfigurationError) -> FeatureConfiguration {
        switch self {
        case .logMel:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000), frame: FrameConfiguration(),
                transform: .mel(MelConfiguration(high: 8000)), scale: ScaleConfiguration())
        case .scrollingDCT:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil, channels: .first, scale: .int16),
                frame: FrameConfiguration(length: .samples(1024), hop: .samples(512), fftLength: 1024),
                transform: .dct(bins: nil),
                scale: ScaleConfiguration(kind: .db, floor: 1_048_576, reference: 1_048_576),
                normalize: NormalizeConfiguration(scope: .none))
        case .mixerFFT:
            try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .samples(512), hop: .samples(512), fftLength: 512, window: .rectangular),
                transform: .fft(bins: 256), scale: ScaleConfiguration(kind: .magnitude, reference: 512),
                normalize: NormalizeConfiguration(scope: .none))
        }
    }
}
