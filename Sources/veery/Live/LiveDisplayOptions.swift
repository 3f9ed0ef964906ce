import ArgumentParser
import FeatureModel
import LiveAnalysis
import Plotting
import Terminal

/// `--depth`
enum DepthOption: String, ExpressibleByArgument, CaseIterable {
    /// What the terminal says that it can show.
    case auto
    /// 24-bit colour.
    case full = "24"
    /// 256 colours.
    case indexed = "256"
    /// ASCII without colour.
    case ascii

    /// The depth for a terminal of these environment variables.
    func depth(environment: [String: String]) -> ColorDepth {
        ColorDepth(rawValue: rawValue) ?? ColorDepth.best(environment: environment)
    }
}

/// How it is shown.
struct LiveDisplayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to show. Default: by the preset.", valueName: "kind"))
    var display: LiveDisplay?

    @Option(
        help: ArgumentHelp(
            "Seconds from the left end of a spectrogram to the right; 0: a column for each frame.", valueName: "s"))
    var span = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The values at the two ends of the colours or the axis, such as -80:0. Default: they follow what is seen; for false-color in dB, 0:30.1.",
            valueName: "low:high"), transform: ValueRange.expecting("two numbers, the lower first, such as -80:0"))
    var range: ValueRange?

    @Option(
        help: ArgumentHelp(
            "The colours, as in 'veery render'. Default: magma; for scrolling-dct, false-color.", valueName: "table"))
    var colors: ColorTable?

    @Option(help: "The terminal's colours: auto, 24 (bits), 256, or ascii (characters alone).")
    var depth = DepthOption.auto

    @Option(help: ArgumentHelp("Pictures a second at most.", valueName: "n"))
    var fps = 60.0

    func validate() throws {
        guard (0...3600).contains(span) else { throw ValidationError("--span: expected 0 to 3600, found \(span).") }
        guard (0.01...120).contains(fps) else { throw ValidationError("--fps: expected 0.01 to 120, found \(fps).") }
    }

    /// Whether nothing was said of it.
    var isEmpty: Bool {
        display == nil && range == nil && colors == nil && span == 10 && depth == .auto && fps == 60
    }

    /// The display that suits a configuration, unless another was asked for.
    func display(_ settings: ConfigurationOptions, _ configuration: FeatureConfiguration) -> LiveDisplay {
        display
            ?? LiveDisplay(preset: settings.preset.flatMap { Preset(rawValue: $0) }, transform: configuration.transform)
    }

    /// The colours of a configuration's values.
    func table(_ configuration: FeatureConfiguration) -> ColorTable {
        // Decibels of an unscaled DCT of 16-bit samples are what the table was made for.
        let isSource = configuration.transform.kind == .dct && configuration.scale.kind == .db
        return colors ?? (isSource ? .falseColor : .magma)
    }

    /// The values at the ends; nil: they follow what is seen.
    func range(_ configuration: FeatureConfiguration) -> ClosedRange<Float>? {
        let isSource = table(configuration) == .falseColor && configuration.units == "dB"
        return range?.range ?? (isSource ? ColorTable.falseColorRange : nil)
    }

    /// The pane of a track.
    func pane(_ display: LiveDisplay, _ track: LiveTrack) throws -> any LivePane {
        let source = PaneSource(track.plan, bins: track.rows.bins)
        let configuration = track.plan.configuration
        switch display {
        case .spectrogram: return SpectrogramPane(source, span: span, range: range(configuration))
        case .bars: return BarsPane(source, range: range?.range)
        case .curve: return CurvePane(source, range: range?.range)
        case .notes:
            guard case .musical(let musical) = configuration.transform, source.labels.hasFrequencies else {
                throw ValidationError("--display notes shows a musical axis: use --preset musical-spectrum.")
            }
            return NotesPane(source, tuning: musical.tuning, range: range?.range)
        case .equalizer:
            guard let equalizer = track.equalizer, source.labels.hasFrequencies else {
                throw ValidationError(
                    "--display equalizer shows a spectrum: leave the configuration out, or use one with frequencies.")
            }
            return EqualizerPane(
                source, equalizer: equalizer, inputRate: track.format.sampleRate, range: range?.range)
        }
    }
}
