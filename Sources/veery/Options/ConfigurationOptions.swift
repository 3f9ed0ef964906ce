import ArgumentParser
import ConfigurationFiles
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A configuration by name; 'veery presets' lists them. Or a model's own file, or the folder that it is in: \
            preprocessor_config.json, model_config.yaml, fbank.conf and others; 'veery presets FILE' says what is \
            understood. Default: \(Preset.logMel.rawValue) in 'veery extract' and with 'veery live --record', \
            \(Preset.spectrogram.rawValue) for pictures and 'veery live'.
            """, valueName: "name|file"), completion: .presets)
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "A configuration file in YAML or JSON, or a feature file, for its configuration. Keys that it lacks are as in "
                + "\(Preset.logMel.rawValue), or as in the preset that its key 'extends' names.", valueName: "file"),
        completion: .configuration)
    var config: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "Change one value, such as frame.hop=160. Repeatable; 'veery presets --keys' lists the keys. More examples: "
                + "frame.length='25 ms', scale.kind=db.",
            valueName: "section.key=value"), completion: .assignments)
    var assignments: [String] = []

    /// The configuration, and the preset that it is based on. Reads the file once, since it may be a pipe.
    ///
    /// - Parameters:
    ///   - preset: The default if neither a preset nor a file is given; `--set` changes it.
    ///   - features: A feature file whose clips are to be kept: its configuration is the default instead.
    ///   - more: Further assignments, of options of their own.
    /// - Throws: `ValidationError` for a mistake on the command line; what `ConfigurationSource` throws for one in the file.
    func chosen(
        default preset: Preset = .logMel, changing features: String? = nil, more: [String] = []
    ) throws -> ChosenConfiguration {
        var model: ModelSource?
        var namesake: String?
        var changed: ConfigurationSource
        if let config {
            changed = try GivenFile.haveConfiguration(config) ? Self.stored(config) : ConfigurationSource(file: config)
        } else if let name = self.preset {
            switch try NamedConfiguration.given(name) {
            case .preset(let named):
                changed = try ConfigurationSource(named)
                namesake = NamedConfiguration.namesakeWarning(name, named)
            case .path(let path):
                let found = try ModelSource(path: path)
                (model, changed) = (found, ConfigurationSource(found))
            }
        } else if let features {
            changed = try Self.stored(features)
        } else {
            changed = ConfigurationSource(preset: preset)
        }
        let source = changed
        do {
            for assignment in ordered + more { try changed.set(assignment) }
            let configuration = try changed.configuration()
            return ChosenConfiguration(
                configuration: configuration, preset: source.preset, model: changed.model, source: model,
                inputs: changed.inputs(of: configuration), paths: changed.paths(of: configuration), namesake: namesake)
        } catch {
            // An error without --set is in the file.
            _ = try source.configuration()
            throw ValidationError(words(error, changed.model))
        }
    }

    /// The configuration of a feature file, or of a set.
    private static func stored(_ path: String) throws -> ConfigurationSource {
        CrashGuard.start(path.printable)
        defer { CrashGuard.stop() }
        let features = try FeatureReader(path: path)
        try features.checkMetadata()
        return try ConfigurationSource(text: features.configuration, path: path, inputs: features.header.inputs)
    }

    /// How many assignments a title has at most.
    private static let titledAssignments = 2

    /// What was given, for the title of a picture: `whisper with transform.bins=128`, `tiny/preprocessor_config.json`; nil: nothing was.
    ///
    /// Files are named with their folders, since those of models all have the same names.
    func title(_ chosen: ChosenConfiguration) -> String? {
        guard !isDefault || !assignments.isEmpty else { return nil }
        let name =
            (config ?? chosen.source?.path).map(RelativeFolder.named) ?? preset ?? chosen.preset?.rawValue ?? "default"
        guard !assignments.isEmpty else { return name }
        let rest = assignments.count - Self.titledAssignments
        return "\(name) with \(assignments.prefix(Self.titledAssignments).joined(separator: ", "))"
            + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Whether neither a preset nor a file is given.
    var isDefault: Bool { preset == nil && config == nil }

    /// Whether a key, such as `frame.hop`, is set by `--set`, alone or with its section.
    func sets(_ key: String) -> Bool {
        assignments.contains { assignment in
            let path = assignment.prefix { $0 != "=" }
            return path == key || key.hasPrefix(path + ".")
        }
    }

    /// The assignments with each `kind` before the keys of its section, which it would reset.
    private var ordered: [String] {
        func path(_ assignment: String) -> [Substring] { assignment.prefix { $0 != "=" }.split(separator: ".") }
        var ordered: [String] = []
        for assignment in assignments {
            let keys = path(assignment)
            guard keys.count == 2, keys[1] == "kind" else {
                ordered.append(assignment)
                continue
            }
            let isBefore = { (earlier: String) in
                let own = path(earlier)
                return own.first == keys[0] && (own.count == 1 || own.last == "kind")
            }
            ordered.insert(assignment, at: ordered.lastIndex(where: isBefore).map { $0 + 1 } ?? 0)
        }
        return ordered
    }

    /// The error with the assignment that caused it.
    private func words(_ error: any Error, _ model: ModelInput?) -> String {
        var found = error
        if case ConfigurationFileError.invalid(_, let inner, _) = error { found = inner }
        let key: String
        switch found {
        case ConfigurationError.invalidValue(let name, _, _), ConfigurationError.unknownKey(let name, _, _),
            ConfigurationError.foreignKey(let name, _, _), ConfigurationError.notBelow(let name, _, _, _):
            key = name
        default: return "\(found)"
        }
        let blamed = assignments.last { assignment in
            let path = String(assignment.prefix { $0 != "=" })
            return key == path || key.hasPrefix(path + ".") || path.hasPrefix(key + ".")
        }
        let refused = (found as? ConfigurationError).flatMap { model?.refusal($0) }
        let words = (blamed.map { "--set \($0.excerpt): " } ?? "") + (refused ?? "\(found)")
        // What this build lacks is not suggested.
        return transformLibraryVersion() == nil ? words.replacing(" (did you mean 'fftw'?)", with: "") : words
    }

    func validate() throws {
        if preset != nil, config != nil {
            throw ValidationError(
                "Give either --preset or --config, not both; a configuration file may have 'extends: NAME' at its top.")
        }
        _ = try preset.map(NamedConfiguration.given)
    }
}

struct ChosenConfiguration {
    let configuration: FeatureConfiguration
    /// Nil: a file that extends none.
    let preset: Preset?
    /// The model whose input it is, with the changes to that input.
    let model: ModelInput?
    /// The model's own file that it comes from; nil: none.
    let source: ModelSource?
    /// The files that values were read from.
    let inputs: [ConfigurationInput]
    /// The paths of those that keys were read from, by key, for messages.
    let paths: [String: String]
    /// A file or folder of the preset's name, and what the name was taken for; nil: there is none.
    var namesake: String?

    /// Likely mistakes, and what of a model's own file is not part of the features, a sentence each.
    func warnings(of plan: FeaturePlan) throws -> [String] {
        let ofRate = try preset?.rateWarning(for: configuration, sampleRate: plan.sampleRate)
        return remarks + plan.warnings(for: model) + [ofRate].compactMap { $0.map { "\($0)" } }
    }

    /// How many files next to the one of a folder that was read are named.
    private static let maximumOthers = 4

    /// Which file of a folder says what the features are, and which others do not; nil: it was given itself, or there is none.
    var origin: String? {
        source.flatMap { source in
            let others = source.passedOver.prefix(Self.maximumOthers).map(\.printable)
            let rest = source.passedOver.count - others.count
            return source.given.map { given in
                "\(given.printable): \(source.path.printable) says what the features are"
                    + (others.isEmpty ? "" : ", and not \(others.joined(separator: ", "))")
                    + (rest > 0 ? " and \(rest) more" : "")
            }
        }
    }

    /// Prints the likely mistakes, after what a folder's file is.
    func report(_ plan: FeaturePlan) throws {
        if let origin { Console.note(origin) }
        for warning in try warnings(of: plan) { Console.warn(warning) }
    }

    /// What of a model's own file is not part of the features, and what the name of a file was taken for.
    var remarks: [String] {
        if let namesake { return [namesake] }
        guard let source else { return [] }
        return (source.model.remarks + [model?.missing].compactMap(\.self)).map { "\(source.path.printable): \($0)" }
    }
}

extension NamedConfiguration {
    /// What the name of a preset on the command line means; the error suggests the nearest.
    static func given(_ name: String) throws -> NamedConfiguration {
        do {
            return try NamedConfiguration(name)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The warning where a preset has the name of a file or a folder; nil: there is none.
    static func namesakeWarning(_ name: String, _ preset: NamedPreset) -> String? {
        FileStatus(path: name) == nil
            ? nil
            : "'\(name.printable)' is taken for the preset \(preset.words), not for the file or folder of that name: give that as "
                + "./\(name.printable)"
    }
}
