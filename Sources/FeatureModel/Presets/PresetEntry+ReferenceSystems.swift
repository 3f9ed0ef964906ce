extension PresetEntry {
    static let scrollingDCT = PresetEntry(
        .referenceSystems, "DCT-II of 1024 samples every 512, Hann, 16-bit scale, dB: a scrolling DCT spectrogram",
        notes: """
            The value is 20·log10(|X[k]| / 1024), X the unscaled DCT-II, floored at -80 dB (scale.floor, a power), far
            below what rounding to 16 bits leaves; in the source, silence is minus infinity. Its picture
            is black up to 0 dB and full at 30.1 dB: \(setting: .range, "0:30.1") of veery render, the default with \(setting: .colors)
            false-color.
            First channel only, at the file's own rate, not normalised, whole frames only: all as in the source.
            """, source: "Schemas/conventions.md, Presets"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil, channels: .first, scale: .int16),
            frame: FrameConfiguration(length: .samples(1024), hop: .samples(512), fftLength: 1024),
            transform: .dct(bins: nil),
            // 0 dB is |X| = 1024; the floor is 80 dB below, where the rounding to 16 bits has long drowned everything.
            scale: ScaleConfiguration(kind: .db, floor: 0.01048576, reference: 1_048_576), normalize: .none)
    }

    static let mixerFFT = PresetEntry(
        .referenceSystems, "FFT magnitude of 512-sample buffers without window or overlap: a mixer's spectrum bars",
        notes: """
            256 bins, |X[k]|/512. The source keeps the Nyquist term in the imaginary part of bin 0, so its bin 0 is
            hypot(DC, Nyquist)/512; here it is |X[0]|/512, and the Nyquist term is left out.
            Channels are mixed; the source gives each track a spectrum of its own (use audio.channels or a manifest's
            channel column). At the file's own rate, not normalised.
            """, source: "Schemas/conventions.md, Presets"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .samples(512), hop: .samples(512), fftLength: 512, window: .rectangular),
            transform: .fft(bins: 256), scale: ScaleConfiguration(kind: .magnitude, reference: 512),
            normalize: .none)
    }

    static let musicalSpectrum = PresetEntry(
        .referenceSystems, "magnitude at 11,025 Hz on 89 notes from C1 to E8, 8 points a note",
        notes: """
            Channels are mixed and resampled to 11,025 Hz; 4096 samples every 1102, Hann; |X| unscaled, +-1 full scale.
            712 points (muSpectrum): C1 to E8, 8 a note, by a parabola through the three bins around each point. It can
            overshoot: beside a sharp peak a point may be below 0, as in the source. Below about 370 Hz neighbouring
            points lie within one bin of 2.69 Hz; a warning says so.
            \(setting: .key, "transform.kind=fft") gives the 2048 bins that the points are read from (spectrum).
            """, source: "Schemas/conventions.md, Musical axis", variants: [.fft: .fft(bins: 2048)]
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 11_025),
            frame: FrameConfiguration(length: .samples(4096), hop: .samples(1102), fftLength: 4096),
            transform: .musical(MusicalConfiguration()), scale: ScaleConfiguration(kind: .magnitude),
            normalize: .none)
    }

    static let liveWaveform = PresetEntry(
        .referenceSystems, "lowest 200 FFT magnitudes of 8192-sample buffers, limited to 100: a live waveform",
        notes: """
            |X[k]| unscaled, k = 0 ... 199, +-1 full scale, nothing above 100. \(setting: .key, "transform.step=8") gives the 25 points
            that the source draws. First channel only, as in the source; whole buffers only: what is left at the end is
            dropped.
            """, source: "Schemas/conventions.md, Presets"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil, channels: .first),
            frame: FrameConfiguration(
                length: .samples(8192), hop: .samples(8192), fftLength: 8192, window: .rectangular),
            transform: .fft(bins: 200), scale: ScaleConfiguration(kind: .magnitude, limit: 100), normalize: .none)
    }
}
