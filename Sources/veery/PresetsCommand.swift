import ArgumentParser
import ConfigurationFiles
import FeatureModel

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List the presets, or the keys of a configuration, or print a preset to copy and change.",
        discussion: """
            Examples:
              veery presets
              veery presets log-mel > my.yaml
              veery presets --keys frame
              veery extract manifest.csv -o features.h5 --config my.yaml

            A configuration file may also extend a preset and change single keys:

              extends: kaldi-fbank
              audio: {sample_rate: 8 kHz}
              transform: {bins: 40}

            Times such as '25 ms', next_power_of_two and half (of the sample rate) are
            converted to numbers by the configured sample rate.
            """)

    @Argument(
        help: "The preset to print as YAML; with --keys, a section such as frame.", completion: .presetsOrSections)
    var name: String?

    @Flag(help: "List the keys of a configuration with their meanings, defaults and ranges: of a section, or all.")
    var keys = false

    @Flag(
        help:
            "Print the configuration as JSON, as feature files store it: with times in samples; or the keys."
    )
    var json = false

    @Option(help: ArgumentHelp("Print a document about the keys, for 'make schema'.", visibility: .hidden))
    var document: ConfigurationDocument?

    func validate() throws {
        if keys {
            _ = try KeyList(section: name)
        } else {
            _ = try name.map(Preset.named)
            if json, name == nil {
                throw ValidationError("--json prints one preset, or the keys with --keys: name it.")
            }
        }
    }

    func run() throws {
        if let document { return try Console.output(data: document.text()) }
        if keys {
            let list = try KeyList(section: name)
            return try json ? Console.output(json: list) : Console.output(styled: list.text(Console.reportStyle))
        }
        guard let name else { return try list() }
        let preset = try Preset.named(name)
        guard !json else { return try Console.output(ConfigurationText.json(preset.configuration()) + "\n") }
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

extension ConfigurationDocument: ExpressibleByArgument {}
