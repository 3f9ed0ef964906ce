import FeatureModel

package enum ConfigurationFileError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: String)
    /// The text is neither YAML nor JSON.
    case notYAML(path: String, reason: String)
    /// A value in the file is not accepted.
    case invalid(path: String, ConfigurationError)
    /// The value of `extends` is not the name of a preset; nil: it is not a text.
    case unknownPreset(path: String, name: String?)
    case notAnAssignment(String)
    case emptyAssignment(String)
}

extension ConfigurationFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot read the configuration: \(reason)"
        case .notYAML(let path, let reason): "\(path): expected YAML or JSON: \(reason)"
        case .invalid(let path, let error): "\(path): \(error)"
        case .unknownPreset(let path, let name):
            "\(path): extends: expected the name of a preset, found \(Self.found(name)); "
                + "there are: \(Preset.allCases.map(\.rawValue).joined(separator: ", "))"
        case .notAnAssignment(let text):
            "--set: expected section.key=value, such as frame.hop=160 or frame.length='25 ms', found '\(text.excerpt)'"
        case .emptyAssignment(let text):
            "--set \(text.excerpt): expected a value after the equals sign, found nothing"
        }
    }

    private static func found(_ name: String?) -> String {
        guard let name else { return "something else" }
        let question = Preset.question(about: name)
        return "'\(name.excerpt)'\(question.isEmpty ? "" : " (\(question))")"
    }
}
