import ArgumentParser
import ConfigurationFiles
import FeatureModel

/// `veery presets`
struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List the presets, or print one as a configuration to copy and change.",
        discussion: """
            Examples:
              veery presets
              veery presets log-mel > my.yaml
              veery extract manifest.csv -o features.h5 --config my.yaml

            A configuration file may also extend a preset and change single keys:

              extends: kaldi-fbank
              audio: {sample_rate: 8 kHz}
              transform: {bins: 40}

            Times such as '25 ms', next_power_of_two and half (of the sample rate)
            become numbers at the configured sample rate.
            """)

    @Argument(help: "The preset to print as YAML.")
    var name: String?

    @Flag(help: "Print the configuration as JSON, as feature files store it, with times in samples.")
    var json = false

    func validate() throws {
        _ = try name.map(Preset.named)
        if json, name == nil { throw ValidationError("--json prints one preset: give its name.") }
    }

    func run() throws {
        guard let name else { return try list() }
        let preset = try Preset.named(name)
        guard !json else {
            return try Console.output(ConfigurationText.json(preset.configuration()) + "\n")
        }
        let words = [preset.summary] + (preset.notes.map { $0.split(separator: "\n").map(String.init) } ?? [])
        try Console.output(words.map { "# \($0)\n" }.joined() + (try ConfigurationText.yaml(preset.definition())))
    }

    private func list() throws {
        let width = Preset.allCases.map(\.rawValue.count).max() ?? 0
        for preset in Preset.allCases {
            let padding = String(repeating: " ", count: width - preset.rawValue.count + 2)
            try Console.output(preset.rawValue + padding + preset.summary + "\n")
        }
    }
}
