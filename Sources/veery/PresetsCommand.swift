import ArgumentParser
import ConfigurationFiles
import FeatureModel
import Messages
import Presentation

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List the presets or the keys of configurations, or print a preset.",
        discussion: """
            A preset that is printed can be copied, changed and given to 'veery extract'
            by --config. A configuration file may also extend a preset and change single keys:

              extends: kaldi-fbank
              audio: {sample_rate: 8 kHz}
              transform: {bins: 40}

            A model's own file, such as preprocessor_config.json of transformers, or the
            folder that it is in, is read wherever a preset is named. Here it is printed
            with what each of its fields does.

            Values such as '25 ms', next_power_of_two and half (of the sample rate) become
            numbers by the configured sample rate.

            --golden writes NAME.wav, a short sound at the preset's rate, NAME.npy, its
            features (float32, rows x bins, before a normalisation over a dataset), and
            NAME.json: tolerance, configuration, versions, checksums. Tests of other
            programs may use them. Those of a model's own file are named after its folder
            and it: tiny-preprocessor_config.json-golden.wav.

            Examples:
              veery presets
              veery presets log-mel > my.yaml
              veery presets --keys frame
              veery presets whisper --golden goldens
              veery presets preprocessor_config.json
              veery presets preprocessor_config.json --golden goldens
              veery extract manifest.csv -o features.h5 --config my.yaml
            """)

    @Argument(
        help: ArgumentHelp(
            "The preset, or the model's own file, to print as YAML; with --keys, a section such as frame.",
            valueName: "name|file"),
        completion: .presetsOrSections)
    var name: String?

    @Flag(help: "List the keys of configurations with their meanings, defaults and ranges.")
    var keys = false

    @Flag(
        help:
            "Print JSON: the list, the keys, or the configuration as feature files store it, with times in samples."
    )
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write a short sound and its features into this folder: of the preset or file, or of all presets.",
            valueName: "folder"),
        completion: .directory)
    var golden: String?

    @Flag(help: "With --golden: replace files of the same names that have other content.")
    var overwrite = false

    @Flag(
        help: ArgumentHelp(
            "With --json and a model's own file: add the file's name, and what of the original is not part of the features, as the library takes it.",
            visibility: .hidden))
    var model = false

    @Option(
        help: ArgumentHelp(
            "With --model: the sample rate that is set over the file, as 'extract --set audio.sample_rate' does.",
            visibility: .hidden))
    var rate: String?

    @Flag(help: ArgumentHelp("Print the tables of the keys as JSON, for 'make schema'.", visibility: .hidden))
    var tables = false

    func validate() throws {
        guard golden == nil || !(keys || json) else {
            throw ValidationError("--golden writes files: --keys and --json print.")
        }
        guard golden != nil || !overwrite else { throw ValidationError("--overwrite is for --golden.") }
        if keys {
            _ = try KeyList(section: name)
        } else {
            _ = try name.map(NamedConfiguration.given)
        }
    }

    func run() throws {
        if tables {
            return try Console.output(
                json: JSONObject(entries: [
                    "version": FeatureConfiguration.formatVersion, "sections": ConfigurationKeys.sections,
                ]))
        }
        if keys {
            let list = try KeyList(section: name)
            return try json ? Console.output(json: list) : Console.output(styled: list.text(Console.reportStyle))
        }
        if let golden {
            try OutputName.refuseLinkToNothing(golden)
            let subjects = try subjects(in: golden)
            let written = try GoldenFiles(subjects).write(to: golden, overwrite: overwrite)
            let (all, folder) = (3 * subjects.count, golden.printable)
            return Console.note(
                written == 0
                    ? "\(folder): all \(Wording.count(all, "file")) are there already, with the same content"
                    : "wrote \(Wording.count(written, "file")) of \(Wording.count(all)) to \(folder)")
        }
        guard let name else {
            let list = try PresetList()
            return try json ? Console.output(json: list) : Console.output(list.text)
        }
        let named: NamedPreset
        switch try NamedConfiguration.given(name) {
        case .preset(let found):
            named = found
            if let warning = NamedConfiguration.namesakeWarning(name, found) { Console.warn(warning) }
        case .path(let path):
            let report = ModelFileReport(source: try ModelSource(path: path))
            return try Console.output(
                !json ? report.text : model ? report.jsonOfModel(at: rate) : report.json)
        }
        let preset = named.preset
        guard !json else { return try Console.output(ConfigurationText.json(named.configuration()) + "\n") }
        let notes = preset.note.map { "\($0)".split(separator: "\n").map(String.init) } ?? []
        let own = name == preset.rawValue ? [] : ["\(name): \(named.words)"]
        let windows = preset.window.map { [CuttingAdvice.windows($0)] } ?? []
        let words = own + [preset.summary] + notes + windows + ["Source: \(preset.source)"]
        try Console.output(words.map { "# \($0)\n" }.joined() + (try ConfigurationText.yaml(named.definition())))
    }

    /// What --golden writes the features of, into this folder.
    private func subjects(in folder: String) throws -> [GoldenFiles.Subject] {
        guard let name else { return try Preset.allCases.map { try GoldenFiles.Subject(NamedPreset($0)) } }
        switch try NamedConfiguration.given(name) {
        case .preset(let named):
            if let warning = NamedConfiguration.namesakeWarning(name, named) { Console.warn(warning) }
            return [try GoldenFiles.Subject(named, given: name)]
        case .path(let path): return [try GoldenFiles.Subject(ModelSource(path: path), in: folder)]
        }
    }
}
