import FeatureModel
import Yams

/// Puts a configuration together: a preset or a file, then single values on top of it.
package struct ConfigurationSource {
    /// The preset that it begins with; nil: a file that extends none.
    package let preset: Preset?
    /// As text would say it; nil: a preset as it is, which to take through text and back would double the start of a run.
    private var edited: ConfigurationTree?
    /// The file it came from, for messages; nil: a preset.
    private let file: String?

    /// The longest assignment, in bytes.
    private static let longestAssignment = 4096

    /// Begins with a preset.
    package init(preset: Preset) {
        file = nil
        self.preset = preset
    }

    /// Begins with a file of YAML or JSON (which is YAML), or a pipe; what it does not mention has the defaults of `log-mel`, or is
    /// as in the preset that its key `extends` names.
    ///
    /// - Throws: `ConfigurationFileError`.
    package init(file path: String) throws {
        try self.init(text: ConfigurationFile.text(path: path), path: path)
    }

    /// Begins with a text of YAML or JSON; `path` is for messages.
    ///
    /// - Throws: `ConfigurationFileError`.
    package init(text: String, path: String) throws {
        file = path
        var root: Node
        do throws(YAMLText.Problem) {
            root = try YAMLText.tree(text) ?? Node.mapping([:])
        } catch {
            throw ConfigurationFileError.notYAML(path: path, reason: error.reason)
        }
        if root.null != nil { root = Node.mapping([:]) }
        guard let extended = root["extends"], extended.null == nil else {
            // Null is as if it were not there.
            if root["extends"] != nil { root.mapping?[Node("extends")] = nil }
            preset = nil
            edited = ConfigurationTree(root, preset: nil)
            return
        }
        guard let name = extended.string, extended.scalar != nil, let preset = Preset(rawValue: name) else {
            throw ConfigurationFileError.unknownPreset(path: path, name: extended.string)
        }
        self.preset = preset
        root.mapping?[Node("extends")] = nil
        var tree = try Self.tree(of: preset)
        do {
            try tree.set(all: root)
        } catch let error as ConfigurationError {
            throw ConfigurationFileError.invalid(path: path, error)
        }
        edited = tree
    }

    /// Sets one value by an assignment such as `frame.hop=160` or `scale.kind=db`.
    ///
    /// Another kind of transform, window or scale keeps the settings that both kinds have, and drops those that would mean
    /// nothing to it. A window that is a name becomes a mapping where one of its keys is set.
    ///
    /// - Throws: `ConfigurationFileError.notAnAssignment`, `.emptyAssignment`, or `.notYAML` where the value cannot be read; `ConfigurationError`
    ///   (within one that names the file, if there is one) where something stands that no key can be set in.
    package mutating func set(_ assignment: String) throws {
        guard assignment.utf8.count <= Self.longestAssignment, let equals = assignment.firstIndex(of: "=") else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        // Spaces as in 'frame.hop = 160' are nobody's key; a colon is YAML's, which is not asked for before the value.
        let keys = assignment[..<equals].split(separator: ".", omittingEmptySubsequences: false).map { key in
            String(key.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard keys.count <= 3, keys.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        let text = String(assignment[assignment.index(after: equals)...])
        let node: Node?
        do throws(YAMLText.Problem) {
            node = try YAMLText.tree(text)
        } catch {
            throw ConfigurationFileError.notYAML(path: "--set \(assignment.excerpt)", reason: error.reason)
        }
        // Such as of a variable of the shell that is not set.
        guard let value = node, value.scalar?.string.isEmpty != true || value.null == nil else {
            throw ConfigurationFileError.emptyAssignment(assignment)
        }
        var tree = try tree()
        do {
            try tree.set(keys, value)
        } catch let error as ConfigurationError {
            throw named(error)
        }
        edited = tree
    }

    /// The configuration.
    ///
    /// - Throws: `ConfigurationError`, within a `ConfigurationFileError` that names the file if there is one.
    package func configuration() throws -> FeatureConfiguration {
        if edited == nil, let preset { return try preset.configuration() }
        do {
            return try YAMLDecoder().decode(FeatureConfiguration.self, from: Self.withPages(tree().root))
        } catch let error as ConfigurationError {
            throw named(error)
        } catch DecodingError.dataCorrupted(let context) {
            guard let error = context.underlyingError as? ConfigurationError else {
                throw DecodingError.dataCorrupted(context)
            }
            throw named(error)
        }
    }

    /// The same with `condition.dct_filter.pages` filled in: what a person leaves out is the default of today, whereas a
    /// stored configuration that does not have the key is one of version 0.1, whose pages were separate.
    private static func withPages(_ root: Node) -> Node {
        let key = Node(DCTFilterConfiguration.pagesKey)
        guard root.mapping != nil, var condition = root["condition"], condition.mapping != nil,
            var filter = condition["dct_filter"]?.mapping, filter[key].map({ $0.null != nil }) ?? true
        else { return root }
        filter[key] = Node(DCTFilterPages.overlapping.rawValue)
        condition["dct_filter"] = Node.mapping(filter)
        var filled = root
        filled["condition"] = condition
        return filled
    }

    /// What stands so far, as text would say it.
    private func tree() throws -> ConfigurationTree {
        if let edited { return edited }
        guard let preset else { return ConfigurationTree(Node.mapping([:]), preset: nil) }
        return try Self.tree(of: preset)
    }

    private static func tree(of preset: Preset) throws -> ConfigurationTree {
        ConfigurationTree(try YAMLEncoder().encodeNode(preset.definition()), preset: preset)
    }

    /// The error with the file that it is about, if there is one.
    private func named(_ error: ConfigurationError) -> any Error {
        file.map { ConfigurationFileError.invalid(path: $0, error) } ?? error
    }
}
