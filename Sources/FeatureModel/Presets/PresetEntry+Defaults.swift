extension PresetEntry {
    /// The sample rate of the default features, in Hz.
    static let logMelRate = 16_000

    static let logMel = PresetEntry(
        .defaults, "80 Slaney mel bands, 25 ms frames every 10 ms at 16 kHz, ln, z-score over the train split",
        source: "Schemas/conventions.md, Keys: the defaults", usualRate: Double(logMelRate)
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: logMelRate), frame: FrameConfiguration.standard.withStoredFFTLength(),
            transform: .mel(MelConfiguration().upToHalfTheRate()), scale: ScaleConfiguration(), isResolved: false)
    }

    static let spectrogram = PresetEntry(
        .defaults, "FFT power in dB at the recording's own rate, 25 ms Hann frames every 5 ms: for looking at",
        notes: """
            10 log10 |X[k]|^2 of all bins from 0 Hz to half the rate, +-1 full scale, floored at -100 dB; a sine of full
            scale reaches 20 log10(length / 4). Times become samples at each recording's rate; the transform is the next
            power of two. Frames are centred on multiples of 5 ms, the first at 0 s, and mirrored at both ends.
            The default of veery render and veery live. For a picture, frames and bins stand as close as its pixels, and
            values are shown relative to the maximum.
            """, source: "Schemas/conventions.md, Presets", usualRate: 44_100
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .seconds(0.025), hop: .seconds(0.005), fftLength: nil, align: .center, pad: .reflect),
            transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .db), normalize: .none)
    }
}
