import ArgumentParser
import FeatureModel

/// What `veery live` shows.
enum LiveDisplay: String, ExpressibleByArgument, CaseIterable {
    /// A scrolling spectrogram.
    case spectrogram
    /// The bars of the latest frames.
    case bars
    /// The same on a musical axis, with the strongest note's name.
    case notes
    /// A smooth line through the lowest bins.
    case curve
    /// The spectrum, with the envelope of an equaliser over it.
    case equalizer

    /// What suits a configuration, where nobody has asked for another.
    init(preset: Preset?, transform: TransformConfiguration) {
        switch (preset, transform) {
        case (_, .musical): self = .notes
        case (.mixerFFT, _): self = .bars
        case (.liveWaveform, _): self = .curve
        default: self = .spectrogram
        }
    }

    /// The configuration to compute where nobody has asked for one.
    ///
    /// - Parameter isRecorded: Whether the features are stored: those that 'veery extract' computes by default.
    func preset(isRecorded: Bool) -> Preset {
        switch self {
        case .spectrogram: isRecorded ? .logMel : .spectrogram
        case .bars: .mixerFFT
        case .notes: .musicalSpectrum
        case .curve: .liveWaveform
        case .equalizer: .scrollingDCT
        }
    }
}
