import ConfigurationFiles
import FeatureModel
import ModelFiles

extension UnknownPresetError: CustomStringConvertible {
    package var description: String {
        guard !isPath else {
            let question = Preset.question(about: name)
            return
                "'\(name.excerpt)': there is no such file; --preset takes the name of a preset, a model's own file, or the "
                + "folder that it is in.\(question.isEmpty ? "" : " D\(question.dropFirst())")"
        }
        let alternatives = Preset.alternatives(to: name)
        let sentence = alternatives.prefix(1).uppercased() + alternatives.dropFirst()
        let end = sentence.hasSuffix("?") ? "" : "."
        return
            "Unknown preset '\(name.excerpt)'. \(sentence)\(end) A model's own file, or its folder, is given by its path."
    }
}

extension ModelSourceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let path, let error): "\(path): \(error)"
        case .archive(let path, let reason): "\(path): cannot read the model's configuration in it: \(reason)"
        case .nothingInFolder(let path, let names):
            "\(path): expected a folder with one of \(names.joined(separator: ", ")), of a format that is read; found none: give "
                + "the file itself"
        case .unrecognisedInFolder(let path, let files):
            "\(path): no file in it is read as a model's own: "
                + files.map { "\(ConfigurationInput.name(of: $0.path)): \($0.reason)" }.joined(separator: "; ")
        case .disagreement(let path, let one, let other):
            "\(path): \(one) and \(other) describe different features: give the one that the model uses"
        }
    }
}

extension ModelFileError: CustomStringConvertible {
    /// How many fields are named.
    private static let maximumNamed = 8

    package var description: String {
        switch self {
        case .malformed(let reason): "not read as a model's own file: \(reason): correct it, or fetch the file again"
        case .unrecognised(let reason):
            "not read as a model's own file: \(reason); a configuration of Veery is given by --config"
        case .repeated(let field): "\(field) is given twice: leave one of them in a copy of the file"
        case .unknownClass(let name, let field, let format, let known):
            "\(field): the features of '\(name.excerpt)' cannot be computed; those of \(format.title) that can are "
                + known.joined(separator: ", ")
        case .unknownField(let field, let owner, let nearest):
            "\(field): \(owner) has no such field\(nearest.map { " (did you mean '\($0)'?)" } ?? ""). If the features do not "
                + "depend on it, take it out of a copy of the file"
        case .invalid(let field, let found, let expected):
            "\(field): expected \(expected), found \(found): correct it in a copy of the file"
        case .unsupported(let field, let found, let expected, let advice):
            "\(field): expected \(expected), found \(found)"
                + (advice.isEmpty
                    ? ": such a value can be set in a copy of the file, if your model takes it" : ": \(advice)")
        case .several(let errors):
            errors.prefix(Self.maximumNamed).map { "\($0)" }.joined(separator: "\n  ")
                + (errors.count > Self.maximumNamed ? "\n  and \(errors.count - Self.maximumNamed) more" : "")
        case .refused(let error, let fields, let owner, let rate):
            fields.isEmpty
                ? "\(error)"
                : "\(fields.joined(separator: ", ")): \(error)"
                    + (owner.map { ", the value of \($0) itself" } ?? "")
                    + "; correct that in a copy of the file"
                    + (rate.map { ": \($0) is the rate of the features, to which recordings of any rate are resampled" }
                        ?? "")
        }
    }
}
