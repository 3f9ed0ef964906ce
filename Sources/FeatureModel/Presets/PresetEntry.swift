/// What a preset is: its text, the source of its numbers, and its configuration. Each is defined once, in the file of its group.
struct PresetEntry: Sendable {
    let group: PresetGroup
    /// The preset in a line.
    let summary: String
    /// Differences from the original, what is assumed where that is ambiguous, and related settings; nil: nothing to say.
    let notes: Note?
    /// Where the numbers are written: a program with its version, file and lines, or a page of this documentation.
    let source: String
    /// The rate in Hz that the original reads by default, where the preset has none of its own: 44.1 kHz where that is the rate of the
    /// sound card.
    let usualRate: Double
    /// What a user gets who asks the preset for another kind of transform.
    let variants: [TransformConfiguration.Kind: TransformConfiguration]
    /// The configuration as printed and changed: with times, and edges of half the rate, where the original defines them so.
    let definition: @Sendable () throws(ConfigurationError) -> FeatureConfiguration

    init(
        _ group: PresetGroup, _ summary: String, notes: Note? = nil, source: String, usualRate: Double = 44_100,
        variants: [TransformConfiguration.Kind: TransformConfiguration] = [:],
        definition: @escaping @Sendable () throws(ConfigurationError) -> FeatureConfiguration
    ) {
        (self.group, self.summary, self.notes, self.source) = (group, summary, notes, source)
        (self.usualRate, self.variants, self.definition) = (usualRate, variants, definition)
    }
}

extension Preset {
    /// The definition behind the name.
    var entry: PresetEntry {
        switch self {
        case .logMel: .logMel
        case .spectrogram: .spectrogram
        case .whisper: .whisper
        case .voxtral: .voxtral
        case .qwen3ASR: .qwen3ASR
        case .parakeet: .parakeet
        case .lasr: .lasr
        case .seamless: .seamless
        case .gemma3n: .gemma3n
        case .wav2vec2: .wav2vec2
        case .moonshine: .moonshine
        case .encodec: .encodec
        case .ast: .ast
        case .astSpeechCommands: .astSpeechCommands
        case .audioMAE: .audioMAE
        case .beats: .beats
        case .vggish: .vggish
        case .yamnet: .yamnet
        case .pannsCNN14: .pannsCNN14
        case .clap: .clap
        case .birdnetLow: .birdnetLow
        case .birdnetHigh: .birdnetHigh
        case .perch1: .perch1
        case .librosaLogMel: .librosaLogMel
        case .librosaMFCC: .librosaMFCC
        case .torchaudioLogMel: .torchaudioLogMel
        case .torchaudioMFCC: .torchaudioMFCC
        case .kaldiFBank: .kaldiFBank
        case .kaldiMFCC: .kaldiMFCC
        case .htkMFCC: .htkMFCC
        case .espnet: .espnet
        case .icefall: .icefall
        case .lhotseFBank: .lhotseFBank
        case .speechbrainFBank: .speechbrainFBank
        case .scrollingDCT: .scrollingDCT
        case .mixerFFT: .mixerFFT
        case .musicalSpectrum: .musicalSpectrum
        case .liveWaveform: .liveWaveform
        }
    }
}

extension PresetEntry {
    /// The sample rate of the default features, in Hz.
    static let logMelRate = 16_000

    static let logMel = PresetEntry(
        .defaults, "80 Slaney mel bands, 25 ms frames every 10 ms at 16 kHz, ln, z-score over the train split",
        source: "Schemas/conventions.md, Keys: the defaults"
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
            """, source: "Schemas/conventions.md, Presets"
    ) { () throws(ConfigurationError) in
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(
                length: .seconds(0.025), hop: .seconds(0.005), fftLength: nil, align: .center, pad: .reflect),
            transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .db), normalize: .none)
    }
}
