import ArrayFiles
import FeatureModel
import FileIO
import ModelFiles

/// A configuration made of a preset or a file, and of single values set over it.
package struct ConfigurationSource {
    /// The preset that it starts from; nil: a file that extends none.
    package let preset: Preset?
    /// The preset or file with the values that were set so far; nil: the unchanged preset.
    private var edited: ConfigurationTree?
    /// The file it came from, for messages; nil: a preset.
    private let file: String?
    /// The files that values were read from, as far as nothing was set over them.
    private var inputs: [ConfigurationInput] = []
    /// The paths of files that keys were read from, as they were given, or next to the file that names them.
    private var paths: [String: String] = [:]
    /// What a model's own file says; nil: it came from elsewhere.
    private let own: ModelConfiguration?
    /// The same at the sample rate that was set over it.
    private var ownAtRate: ModelConfiguration?
    /// What was set over a model's own file, in order.
    private var assigned: [(keys: [String], value: ConfigurationValue)] = []

    /// The longest assignment, in bytes.
    private static let longestAssignment = 1 << 20

    package init(preset: Preset) {
        (file, own) = (nil, nil)
        self.preset = preset
    }

    /// Starts from a preset, with what a model's name sets over it.
    package init(_ named: NamedPreset) throws(ConfigurationError) {
        self.init(preset: named.preset)
        if !named.settings.isEmpty { edited = try ConfigurationTree(named) }
    }

    /// Starts from what a model's own file says.
    package init(_ source: ModelSource) {
        file = source.path
        preset = nil
        (own, ownAtRate, edited) = (source.model, source.model, source.model.tree)
        inputs = source.inputs
        for setting in source.model.settings {
            paths[setting.key] = setting.fields.lazy.compactMap(\.file).first.map { Self.path($0, nextTo: source.path) }
        }
    }

    /// Starts from a file of YAML or JSON (which is YAML), or a pipe. Missing keys have the values of `log-mel`, or of the preset
    /// that the key `extends` names.
    package init(file path: String) throws { try self.init(text: ConfigurationFile.text(path: path), path: path) }

    /// Starts from a text of YAML or JSON; `path` is for messages. `inputs`: the files that values of it were read from before.
    package init(text: String, path: String, inputs known: [ConfigurationInput] = []) throws {
        inputs = known
        (file, own) = (path, nil)
        guard ModelFile(words: text) == nil else { throw ConfigurationFileError.modelFile(path: path) }
        var root: ConfigurationValue
        do {
            root = try YAMLText.value(text) ?? .null
        } catch {
            throw ConfigurationFileError.notYAML(path: path, reason: error.reason)
        }
        if root.isNull { root = .mapping([]) }
        if ModelFile.isMarked(by: root.entries?.map(\.key) ?? []) {
            throw ConfigurationFileError.modelFile(path: path)
        }
        for key in ["mean", "std"] {
            guard let value = root["normalize"]?[key] else { continue }
            let read = try Self.columns(value, of: ["normalize", key], nextTo: path)
            root["normalize"]?[key] = read.value
            if let input = read.input { inputs.append(input) }
            paths["normalize.\(key)"] = read.path
        }
        let extended = root["extends"] ?? .null
        root["extends"] = nil
        guard !extended.isNull else {
            preset = nil
            edited = ConfigurationTree(root)
            return
        }
        guard let name = extended.text, let named = NamedPreset(name) else {
            throw ConfigurationFileError.unknownPreset(path: path, name: extended.text)
        }
        preset = named.preset
        do {
            var tree = try ConfigurationTree(named)
            try tree.set(all: root)
            edited = tree
        } catch {
            throw ConfigurationFileError.invalid(path: path, error, nil)
        }
    }

    /// Sets one value by an assignment such as `frame.hop=160` or `scale.kind=db`.
    ///
    /// Another kind of transform, window or scale keeps the settings that both kinds have, and drops the others. Setting a key of a
    /// window that is given as a name makes it a mapping.
    ///
    /// - Throws: `ConfigurationFileError.notAnAssignment`, `.emptyAssignment`, or `.notYAML` for the value; `ConfigurationError`
    ///   (in one that names the file, if there is one) if a key is set in something without keys.
    package mutating func set(_ assignment: String) throws {
        guard assignment.utf8.count <= Self.longestAssignment, let equals = assignment.firstIndex(of: "=") else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        // Spaces as in 'frame.hop = 160' are not part of the key; a colon is a mistake for YAML.
        let keys = assignment[..<equals].split(separator: ".", omittingEmptySubsequences: false).map { key in
            String(key.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard keys.count <= 3, keys.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        let text = String(assignment[assignment.index(after: equals)...])
        let value: ConfigurationValue?
        do {
            value = try YAMLText.value(text)
        } catch {
            throw ConfigurationFileError.badAssignment(assignment, reason: error.reason)
        }
        // The value is missing, for example because a shell variable is not set.
        guard let value, !value.isNull || value.text?.isEmpty == false else {
            throw ConfigurationFileError.emptyAssignment(assignment)
        }
        do {
            var tree = try tree()
            let read = try Self.columns(value, of: keys)
            try tree.set(keys, read.value)
            if let own {
                assigned.append((keys, read.value))
                tree = try follow(own, tree)
            }
            inputs.removeAll { Self.isReplaced($0, bySetting: keys) }
            if let input = read.input { inputs.append(input) }
            let key = keys.joined(separator: ".")
            paths = paths.filter { $0.key != key && !$0.key.hasPrefix(key + ".") }
            paths[key] = read.path
            edited = tree
        } catch let error as ConfigurationError {
            throw named(error)
        }
    }

    /// What a model's own file says at the sample rate of `tree`, with all that was set over it.
    ///
    /// The rate is that of `audio.sample_rate` as a number; at the rate of the files, the file's own numbers hold.
    private mutating func follow(
        _ own: ModelConfiguration, _ tree: ConfigurationTree
    ) throws(ConfigurationError) -> ConfigurationTree {
        let rate = tree.sampleRate
        guard rate != ownAtRate?.tree.sampleRate else { return tree }
        let atRate = rate.flatMap { own.at(rate: $0) } ?? own
        ownAtRate = atRate
        var followed = atRate.tree
        for one in assigned { try followed.set(one.keys, one.value) }
        return followed
    }

    /// The value of a key or, where it is the name of a file with a number for each column, these numbers, the file, and its path.
    ///
    /// - Parameter file: A file in whose folder relative names start; nil: the working directory.
    /// - Throws: `ArrayFileError`.
    private static func columns(
        _ value: ConfigurationValue, of keys: [String], nextTo file: String? = nil
    ) throws(ArrayFileError) -> (value: ConfigurationValue, input: ConfigurationInput?, path: String?) {
        let (part, kind): (ColumnFile.Part, ConfigurationInput.Kind)
        switch keys {
        case ["normalize", "mean"]: (part, kind) = (.mean, .mean)
        case ["normalize", "std"]: (part, kind) = (.std, .std)
        default: return (value, nil, nil)
        }
        guard let name = value.text, value.number == nil, !value.isNull, !name.isEmpty else { return (value, nil, nil) }
        let path = path(name, nextTo: file ?? "")
        let (numbers, checksum) = try ColumnFile.contents(path: path, part)
        let input = ConfigurationInput(kind: kind, name: ConfigurationInput.name(of: path), xxh3: checksum.hex)
        return (.numbers(numbers), input, path)
    }

    /// A path that starts from the folder of a file.
    private static func path(_ name: String, nextTo file: String) -> String {
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        return name.hasPrefix("/") ? name : folder + name
    }

    /// Whether a file is no longer what a value comes from once a key is set.
    private static func isReplaced(_ input: ConfigurationInput, bySetting keys: [String]) -> Bool {
        switch input.kind {
        case .mean, .std: keys == ["normalize"] || keys == ["normalize", input.kind.rawValue]
        case .model: false
        }
    }

    /// The files that values of the configuration were read from, by what they say, then by name.
    ///
    /// - Parameter configuration: What `configuration()` returned.
    package func inputs(of configuration: FeatureConfiguration) -> [ConfigurationInput] {
        let order = ConfigurationInput.Kind.allCases
        return Set(inputs).filter { $0.kind == .model || configuration.normalize.mean != nil }
            .sorted { one, other in
                let (first, second) = (order.firstIndex(of: one.kind) ?? 0, order.firstIndex(of: other.kind) ?? 0)
                return (first, one.name, one.xxh3) < (second, other.name, other.xxh3)
            }
    }

    /// The paths of the files that the values of keys were read from, by key.
    ///
    /// - Parameter configuration: What `configuration()` returned.
    package func paths(of configuration: FeatureConfiguration) -> [String: String] {
        configuration.normalize.mean == nil ? [:] : paths
    }

    /// - Throws: `ConfigurationError`, within a `ConfigurationFileError` that names the file if there is one.
    package func configuration() throws -> FeatureConfiguration {
        if edited == nil, let preset { return try preset.configuration() }
        do {
            return try FeatureConfiguration(tree().root)
        } catch {
            throw named(error)
        }
    }

    /// The model whose input it is, and what is changed in that; nil: it starts from no model's preset, and no model's own file.
    package var model: ModelInput? {
        if let own, let file, let tree = try? tree() {
            let configuration = try? FeatureConfiguration(tree.root)
            return ModelInput(
                file: ConfigurationInput.name(of: file), (ownAtRate ?? own).tree, changed: tree, configuration,
                open: own.open, left: own.left, rate: own.rate)
        }
        guard preset?.group == .models, let tree = try? tree() else { return nil }
        return ModelInput(tree, try? FeatureConfiguration(tree.root))
    }

    private func tree() throws(ConfigurationError) -> ConfigurationTree {
        if let edited { return edited }
        return try preset.map { preset throws(ConfigurationError) in try ConfigurationTree(preset) }
            ?? ConfigurationTree(.mapping([]))
    }

    /// The error with the file that it is about, if there is one.
    private func named(_ error: ConfigurationError) -> any Error {
        file.map { ConfigurationFileError.invalid(path: $0, error, model) } ?? error
    }
}

extension ConfigurationInput {
    /// The name of a file without its folders.
    package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
