import ArgumentParser
import ConfigurationFiles
import FeatureModel

/// Where the configuration comes from.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A configuration by name; 'veery presets' lists them. Default: \(Preset.logMel.rawValue) in 'veery extract' and \
            with 'veery live --record', otherwise \(Preset.spectrogram.rawValue).
            """, valueName: "name"))
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "A configuration in YAML or JSON; what it leaves out is as in \(Preset.logMel.rawValue).", valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var config: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "Change one value, such as frame.hop=160, frame.length='25 ms' or scale.kind=db. May be repeated.",
            valueName: "section.key=value"))
    var assignments: [String] = []

    /// What was asked for, where the default is `log-mel`.
    var configuration: FeatureConfiguration { get throws { try configuration(default: .logMel) } }

    /// What was asked for.
    ///
    /// - Parameter preset: What is taken, and changed by `--set`, where neither a preset nor a file is named.
    func configuration(default preset: Preset) throws -> FeatureConfiguration {
        var source: ConfigurationSource
        if let config {
            source = try ConfigurationSource(file: config)
        } else {
            source = try ConfigurationSource(preset: named(default: preset) ?? preset)
        }
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    /// The preset that the configuration begins with; nil: a file.
    func named(default preset: Preset) throws -> Preset? {
        try config == nil ? self.preset.map(Preset.named) ?? preset : nil
    }

    /// Whether a key, such as `frame.hop`, is set by `--set`.
    func sets(_ key: String) -> Bool { assignments.contains { $0.hasPrefix(key + "=") } }

    func validate() throws {
        if preset != nil, config != nil { throw ValidationError("Give either --preset or --config, not both.") }
        _ = try preset.map(Preset.named)
    }
}

extension Preset {
    /// The preset of a name; the error suggests the nearest.
    static func named(_ name: String) throws -> Preset {
        if let preset = Preset(rawValue: name) { return preset }
        let names = allCases.map(\.rawValue)
        let nearest = nearestName(to: name, in: names).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError("Unknown preset '\(name)'.\(nearest) There are: \(names.joined(separator: ", ")).")
    }
}
