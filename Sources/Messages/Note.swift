import FeatureModel
import Manifests

extension Note: CustomStringConvertible {
    /// The text with the names of options.
    package var description: String { text { $0.option($1) } }
}

extension Note.Setting {
    /// The option, with its value.
    package func option(_ value: String? = nil) -> String {
        if case .column(let target?) = self { return "--column " + ShellText.word("\(target)=\(value ?? "")") }
        return name + (value.map { " " + $0 } ?? "")
    }

    private var name: String {
        switch self {
        case .column: "--column"
        case .labelSeparator: "--label-separator"
        case .oneHot: "--one-hot"
        case .recordingExtension: "--extension"
        case .quoting: "--quoting"
        case .timeUnit: "--time-unit"
        case .format: "--format"
        case .annotator: "--annotator"
        case .tier: "--tier"
        case .startColumn: "--start-column"
        case .endColumn: "--end-column"
        case .durationColumn: "--duration-column"
        case .labelColumn: "--label-column"
        case .pathColumn: "--path-column"
        case .withoutFFmpeg: "--no-ffmpeg"
        case .key: "--set"
        case .preset: "--preset"
        case .range: "--range"
        case .colors: "--colors"
        }
    }
}

extension Account {
    /// The account with the names of options.
    package var inWords: Account { naming { $0.description } }
}
