import ArgumentParser
import FeatureModel
import LiveAnalysis
import Plotting
import Terminal

enum DepthOption: String, ExpressibleByArgument, CaseIterable {
    case auto
    case full = "24"
    case indexed = "256"
    case ascii

    func depth(environment: [String: String]) -> ColorDepth {
        ColorDepth(rawValue: rawValue) ?? ColorDepth.best(environment: environment)
    }
}

struct LiveDisplayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is shown: spectrogram, bars, notes, curve or equalizer. Default: by the preset.", valueName: "kind"))
    var display: LiveDisplay?

    @Option(
        help: ArgumentHelp(
            "How many seconds a spectrogram shows; 0: a column for each frame.", valueName: "s"))
    var span = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The values at the ends of the colours or of the axis, such as -80:0. Default: adapted to the sound; for false-color in dB, 0:30.1.",
            valueName: "low:high"), transform: ValueRange.expecting("two numbers, the lower first, such as -80:0"))
    var range: ValueRange?

    @Option(
        help: ArgumentHelp(
            "The colours, as in 'veery render'. Default: magma; for scrolling-dct, false-color.", valueName: "table"))
    var colors: ColorTable?

    @Option(help: "How many colours the terminal has: auto, 24 (bits), 256, or ascii (none).")
    var depth = DepthOption.auto

    @Option(help: ArgumentHelp("The maximum number of pictures a second.", valueName: "n"))
    var fps = 60.0

    func validate() throws {
        try ValidationError.check("span", span, in: 0...3600)
        try ValidationError.check("fps", fps, in: 0.01...120)
    }

    var isEmpty: Bool { display == nil && range == nil && colors == nil && span == 10 && depth == .auto && fps == 60 }

    func display(_ settings: ConfigurationOptions, _ configuration: FeatureConfiguration) -> LiveDisplay {
        display
            ?? LiveDisplay(
                preset: settings.preset.flatMap { NamedPreset($0)?.preset }, transform: configuration.transform)
    }

    func table(_ configuration: FeatureConfiguration) -> ColorTable {
        // The table is for decibels of an unscaled DCT of 16-bit samples.
        let isSource = configuration.transform.kind == .dct && configuration.scale.kind == .db
        return colors ?? (isSource ? .falseColor : .magma)
    }

    /// The values at the ends; nil: they adapt.
    func range(_ configuration: FeatureConfiguration) -> ClosedRange<Float>? {
        let isSource = table(configuration) == .falseColor && configuration.units == "dB"
        return range?.range ?? (isSource ? ColorTable.falseColorRange : nil)
    }

    func pane(_ display: LiveDisplay, _ track: LiveTrack) throws -> any LivePane {
        let source = PaneSource(track.plan, bins: track.rows.bins)
        let configuration = track.plan.configuration
        switch display {
        case .spectrogram: return SpectrogramPane(source, span: span, range: range(configuration))
        case .bars: return BarsPane(source, range: range?.range)
        case .curve: return CurvePane(source, range: range?.range)
        case .notes:
            guard case .musical(let musical) = configuration.transform.method, source.labels.hasFrequencies else {
                throw ValidationError("--display notes shows a musical axis: use --preset musical-spectrum.")
            }
            return NotesPane(source, tuning: musical.tuning, range: range?.range)
        case .equalizer:
            guard let equalizer = track.equalizer, source.labels.hasFrequencies else {
                throw ValidationError(
                    "--display equalizer shows a spectrum: leave the configuration out, or use one with frequencies.")
            }
            return EqualizerPane(source, equalizer: equalizer, inputRate: track.format.sampleRate, range: range?.range)
        }
    }
}

enum LiveDisplay: String, ExpressibleByArgument, CaseIterable {
    case spectrogram
    case bars
    /// The same on a musical axis, with the strongest note's name.
    case notes
    case curve
    case equalizer

    init(preset: Preset?, transform: TransformConfiguration) {
        switch (preset, transform.method) {
        case (_, .musical): self = .notes
        case (.mixerFFT, _): self = .bars
        case (.liveWaveform, _): self = .curve
        default: self = .spectrogram
        }
    }

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
