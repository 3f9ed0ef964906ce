import ConfigurationFiles
import FeatureModel
import Messages
import Platform
import Testing

/// The sentences about files of configurations and `--set`, each once.
struct ConfigurationFileSentencesTests {
    private static let presets = Preset.allCases.map(\.rawValue).joined(separator: ", ")
    private static let value = ConfigurationError.invalidValue(key: "frame.hop", found: "0", expected: "words")

    private static let errors: [(ConfigurationFileError, String)] = [
        (.unreadable(path: "a.yaml", reason: "words"), "a.yaml: cannot read the configuration: words"),
        (.system(path: "a.yaml", code: ENOENT), "a.yaml: cannot read the configuration: no such file"),
        (.system(path: "a.yaml", code: EACCES), "a.yaml: cannot read the configuration: no permission to read it"),
        (.notYAML(path: "a.yaml", reason: "words"), "a.yaml: expected YAML or JSON: words"),
        (.invalid(path: "a.yaml", value, nil), "a.yaml: \(value)"),
        (
            .unknownPreset(path: "a.yaml", name: "kaldi-fbnk"),
            "a.yaml: extends: expected the name of a preset, found 'kaldi-fbnk'; did you mean 'kaldi-fbank'?"
        ),
        (
            .unknownPreset(path: "a.yaml", name: "nothing-like-it-at-all"),
            "a.yaml: extends: expected the name of a preset, found 'nothing-like-it-at-all'; there are: \(presets)"
        ),
        (
            .unknownPreset(path: "a.yaml", name: nil),
            "a.yaml: extends: expected the name of a preset, found something else; there are: \(presets)"
        ),
        (
            .notAnAssignment("frame.hop"),
            "--set: expected section.key=value, such as frame.hop=160 or frame.length='25 ms', found 'frame.hop'"
        ),
        (.badAssignment("frame.hop=[1", reason: "words"), "--set frame.hop=[1: expected YAML or JSON: words"),
        (
            .emptyAssignment("frame.hop="),
            "--set frame.hop=: expected a value after the equals sign, found nothing; an empty text is written "
                + "'frame.hop=\"\"'"
        ),
    ]

    @Test(arguments: errors) func `an error`(error: ConfigurationFileError, sentence: String) {
        #expect(error.description == sentence)
    }
}
