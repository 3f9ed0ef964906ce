import ArrayFiles
import FeatureModel
import ModelFiles

/// A configuration made of a preset or a file, and of single values set over it.
package struct ConfigurationSource {
    /// The preset that it starts from; nil: a file that extends none.
    package let preset: Preset?
    /// The preset or file with the values that were set so far; nil: the unchanged preset.
    private var edited: ConfigurationTree?
    /// The file it came from, for messages; nil: a preset.
    private let file: String?
    /// What a model's own file says; nil: it came from elsewhere.
    private let own: ConfigurationTree?

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
        (own, edited) = (source.model.tree, source.model.tree)
    }

    /// Starts from a file of YAML or JSON (which is YAML), or a pipe. Missing keys have the values of `log-mel`, or of the preset
    /// that the key `extends` names.
    package init(file path: String) throws { try self.init(text: ConfigurationFile.text(path: path), path: path) }

    /// Starts from a text of YAML or JSON; `path` is for messages.
    package init(text: String, path: String) throws {
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
            root["normalize"]?[key] = try Self.columns(value, of: ["normalize", key], nextTo: path)
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
            try tree.set(keys, Self.columns(value, of: keys))
            edited = tree
        } catch let error as ConfigurationError {
            throw named(error)
        }
    }

    /// The value of a key or, where it is the name of a file with a number for each column, these numbers.
    ///
    /// - Parameter file: A file in whose folder relative names start; nil: the working directory.
    /// - Throws: `ArrayFileError`.
    private static func columns(
        _ value: ConfigurationValue, of keys: [String], nextTo file: String? = nil
    ) throws(ArrayFileError) -> ConfigurationValue {
        let part: ColumnFile.Part
        switch keys {
        case ["normalize", "mean"]: part = .mean
        case ["normalize", "std"]: part = .std
        default: return value
        }
        guard let name = value.text, value.number == nil, !value.isNull, !name.isEmpty else { return value }
        let folder = file.flatMap { file in file.lastIndex(of: "/").map { file[...$0] } } ?? ""
        return .numbers(try ColumnFile.numbers(path: name.hasPrefix("/") ? name : folder + name, part))
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
            let name = file.split(separator: "/").last.map(String.init) ?? file
            return ModelInput(file: name, own, changed: tree, try? FeatureConfiguration(tree.root))
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
