/// The mapping of a configuration, in which keys are set before it is decoded.
package struct ConfigurationTree {
    package private(set) var root: ConfigurationValue
    /// The preset that the configuration is based on; nil: none.
    package let preset: Preset?

    package init(_ root: ConfigurationValue) { (self.root, preset) = (root, nil) }

    package init(_ preset: Preset) throws(ConfigurationError) {
        self.preset = preset
        root = try preset.definition().value
    }

    /// A preset with the settings of a model's name.
    package init(_ named: NamedPreset) throws(ConfigurationError) {
        try self.init(named.preset)
        for setting in named.settings { try set(setting.path, setting.value) }
    }

    /// The value of `audio.sample_rate` in Hz; nil: null, none, or no such number.
    package var sampleRate: Int? {
        (root["audio"]?["sample_rate"]).flatMap { AudioConfiguration.sampleRate(of: $0) }
    }

    /// Sets the value at a path of keys. Another kind of transform, window or scale keeps the settings that both have, and so does
    /// another scope of normalisation.
    ///
    /// - Throws: `ConfigurationError` if a key is set in something without keys, or has more parts than any key.
    package mutating func set(_ keys: [String], _ value: ConfigurationValue) throws(ConfigurationError) {
        // Each part takes a piece of the stack.
        guard keys.count <= Self.maximumDepth else {
            throw .invalidValue(
                key: (keys.prefix(Self.maximumDepth).joined(separator: ".") + "…").excerpt,
                found: "a key of \(keys.count) parts",
                expected: "a key such as frame.hop")
        }
        // A section that is set by a mapping keeps its other keys, as in a file that extends a preset.
        if keys.count == 1, value.entries != nil, root[keys[0]]?.entries != nil {
            return try set(all: .mapping([.init(key: keys[0], value: value)]))
        }
        try forget(keys, value)
        root = try Self.setting(root, [], keys[...], value)
    }

    /// Sets all keys of a file, section by section, the kind or scope of each first.
    ///
    /// - Throws: `ConfigurationError` as `set`.
    package mutating func set(all text: ConfigurationValue) throws(ConfigurationError) {
        guard let sections = text.entries else {
            // Decoding reports that this is not a mapping.
            root = text
            return
        }
        for section in sections where !section.value.isNull {
            guard let keys = section.value.entries, root[section.key]?.entries != nil else {
                root[section.key] = section.value
                continue
            }
            let leading = ["kind", "scope"]
            for key in leading { if let value = section.value[key] { try set([section.key, key], value) } }
            for entry in keys where !leading.contains(entry.key) { root[section.key]?[entry.key] = entry.value }
        }
    }

    /// Drops the settings that the new kind, or scope, at `keys` does not have.
    private mutating func forget(_ keys: [String], _ value: ConfigurationValue) throws(ConfigurationError) {
        guard root.entries != nil else { return }
        switch keys {
        case ["normalize", "scope"]:
            // Constants replace statistics, and the other way round.
            let isConstant = value.text == NormalizeConfiguration.Scope.constant.rawValue
            for key in isConstant ? ["method", "ddof", "epsilon", "epsilon_in"] : ["mean", "std"] {
                root["normalize"]?[key] = nil
            }
            // Values that are not normalised have no lower bound of that.
            if value.text == NormalizeConfiguration.Scope.none.rawValue { root["normalize"]?["minimum"] = nil }
        case ["transform", "kind"]:
            let kind = root["transform"]?["kind"]?.text ?? TransformConfiguration.Kind.mel.rawValue
            if kind != value.text { root["transform"] = try transform(from: kind, to: value.text ?? "") }
        case ["frame", "window", "kind"]:
            guard let window = root["frame"]?["window"] else { return }
            if (window["kind"] ?? window).text != value.text { root["frame"]?["window"] = .mapping([]) }
        case ["scale", "kind"]:
            let before = ConfigurationKeys.keys(ofScale: root["scale"]?["kind"]?.text ?? "")
            let after = ConfigurationKeys.keys(ofScale: value.text ?? "")
            for key in before where !after.contains(key) { root["scale"]?[key] = nil }
        default: return
        }
    }

    /// The transform of another kind: what the preset has for it, or the settings that both kinds have.
    private func transform(from before: String, to after: String) throws(ConfigurationError) -> ConfigurationValue {
        guard let after = TransformConfiguration.Kind(rawValue: after) else { return .mapping([]) }
        if let transform = preset?.transform(of: after) { return transform.value }
        // Back at the preset's own kind.
        if let own = try preset?.definition().transform, own.kind == after { return own.value }
        guard let before = TransformConfiguration.Kind(rawValue: before), let keys = root["transform"]?.entries else {
            return .mapping([])
        }
        let names = before.keysKept(for: after)
        return .mapping(keys.compactMap { entry in names[entry.key].map { .init(key: $0, value: entry.value) } })
    }

    /// More than the parts of any key.
    private static let maximumDepth = 16

    private static func setting(
        _ node: ConfigurationValue, _ path: [String], _ keys: ArraySlice<String>, _ value: ConfigurationValue
    ) throws(ConfigurationError) -> ConfigurationValue {
        guard let key = keys.first else { return value }
        var mapping = node
        if node.isNull {
            mapping = .mapping([])
        } else if path == ["frame", "window"], node.scalar != nil {
            mapping = .mapping([.init(key: "kind", value: node)])
        }
        guard mapping.entries != nil else {
            throw .invalidValue(
                key: path.isEmpty ? "(top level)" : path.joined(separator: "."),
                found: node.scalar == nil ? "a list" : node.found,
                expected: "a mapping, in which to set '\(key.excerpt)'")
        }
        mapping[key] = try setting(mapping[key] ?? .mapping([]), path + [key], keys.dropFirst(), value)
        return mapping
    }
}
