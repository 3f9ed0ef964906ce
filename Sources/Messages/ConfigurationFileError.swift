import ConfigurationFiles
import FeatureModel
import FileIO
import Platform

extension ConfigurationFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot read the configuration: \(reason)"
        case .system(let path, let code): "\(path): cannot read the configuration: \(Self.words(code))"
        case .notYAML(let path, let reason): "\(path): expected YAML or JSON: \(reason)"
        case .modelFile(let path):
            "\(path): a model's own file, and no configuration of Veery: give it by --preset instead of --config"
        case .invalid(let path, let error, let model): "\(path): \(model?.refusal(error) ?? "\(error)")"
        case .unknownPreset(let path, let name):
            "\(path): extends: expected the name of a preset, found \(name.map { "'\($0.excerpt)'" } ?? "something else"); "
                + Preset.alternatives(to: name ?? "")
        case .notAnAssignment(let text):
            "--set: expected section.key=value, such as frame.hop=160 or frame.length='25 ms', found '\(text.excerpt)'"
        case .badAssignment(let text, let reason): "--set \(text.excerpt): expected YAML or JSON: \(reason)"
        case .emptyAssignment(let text):
            "--set \(text.excerpt): expected a value after the equals sign, found nothing; an empty text is written "
                + "'\(text.excerpt)\"\"'"
        }
    }

    private static func words(_ code: Int32) -> String {
        switch code {
        case ENOENT: "no such file"
        case EACCES, EPERM: "no permission to read it"
        default: "\(SystemError(code: code))"
        }
    }
}
