/// What a preset is: its text, the source of its numbers, and its configuration. Each is defined once, in the file of its group.
struct PresetEntry: Sendable {
    let group: PresetGroup
    /// The preset in a line.
    let summary: String
    /// Differences from the original, what is assumed where that is ambiguous, and related settings; nil: nothing to say.
    let notes: Note?
    /// Where the numbers are written: a program with its version, file and lines, or a page of this documentation.
    let source: String
    /// The rate in Hz that the preset's samples are meant for: its own, or the one that the original reads by default, 44.1 kHz for
    /// presets that use the rate of the sound card.
    let usualRate: Double
    /// What a user gets who asks the preset for another kind of transform.
    let variants: [TransformConfiguration.Kind: TransformConfiguration]
    /// The configuration as printed and changed: with times, and edges of half the rate, where the original defines them so.
    let definition: @Sendable () throws(ConfigurationError) -> FeatureConfiguration

    init(
        _ group: PresetGroup, _ summary: String, notes: Note? = nil, source: String, usualRate: Double,
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
