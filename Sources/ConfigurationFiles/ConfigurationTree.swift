import FeatureModel
import Yams

/// A configuration as a tree of text, in which keys are set before it is read.
struct ConfigurationTree {
    private(set) var root: Node
    /// What another kind of transform is taken from first; nil: no preset.
    let preset: Preset?

    init(_ root: Node, preset: Preset?) {
        (self.root, self.preset) = (root, preset)
    }

    /// Sets the value at a path of keys. Another kind of transform, window or scale keeps the settings that both have.
    ///
    /// - Throws: `ConfigurationError` where something stands that no key can be set in.
    mutating func set(_ keys: [String], _ value: Node) throws {
        // A section that is set by a mapping keeps what that does not mention, as in a file that extends a preset.
        if keys.count == 1, value.mapping != nil, root[keys[0]]?.mapping != nil {
            try set(all: Node.mapping([Node(keys[0]): value]))
            return
        }
        try forget(keys, value)
        root = try Self.setting(root, [], keys[...], value)
    }

    /// Sets whatever a file says, section by section, the kind of each first.
    ///
    /// - Throws: `ConfigurationError` as `set`.
    mutating func set(all text: Node) throws {
        guard let sections = text.mapping else {
            // No mapping, which the configuration's decoder says better.
            root = text
            return
        }
        for (section, value) in sections where value.null == nil {
            guard let name = section.string, let keys = value.mapping, let own = root[name], own.mapping != nil else {
                try Self.insert(value, section, into: &root)
                continue
            }
            if let kind = value["kind"] { try set([name, "kind"], kind) }
            for (key, value) in keys where key.string != "kind" {
                try Self.insert(value, key, into: &root, section: name)
            }
        }
    }

    private static func insert(_ value: Node, _ key: Node, into root: inout Node, section: String? = nil) throws {
        guard let section else {
            root.mapping?[key] = value
            return
        }
        root.mapping?[Node(section)]?.mapping?[key] = value
    }

    /// Drops what would mean nothing once the kind at `keys` is another.
    private mutating func forget(_ keys: [String], _ value: Node) throws {
        guard keys.last == "kind", let section = keys.first, root.mapping != nil else { return }
        switch keys {
        case ["transform", "kind"]:
            let kind = root[section]?["kind"]?.string ?? TransformConfiguration.Kind.mel.rawValue
            if kind != value.string { root[section] = try transform(from: kind, to: value.string ?? "") }
        case ["frame", "window", "kind"]:
            guard root[section]?.mapping != nil, let window = root[section]?["window"] else { return }
            if (window["kind"] ?? window).string != value.string { root[section]?["window"] = Node.mapping([:]) }
        case ["scale", "kind"]:
            let kinds = [root[section]?["kind"]?.string ?? "", value.string ?? ""]
            let (before, after) = (try Self.scaleKeys(kinds[0]), try Self.scaleKeys(kinds[1]))
            guard let scale = root[section]?.mapping else { return }
            let dropped = before.subtracting(after)
            root[section] = Node.mapping(
                Node.Mapping(scale.filter { $0.key.string.map { !dropped.contains($0) } ?? true }))
        default: return
        }
    }

    /// The keys that stand beside a kind of scale; none where there is no such kind.
    private static func scaleKeys(_ kind: String) throws -> Set<String> {
        guard let kind = ScaleConfiguration.Kind(rawValue: kind) else { return [] }
        let scale = try YAMLEncoder().encodeNode(ScaleConfiguration(kind: kind))
        return Set(scale.mapping.map(Array.init)?.compactMap(\.key.string) ?? [])
    }

    /// What stands in for the transform once another kind is asked for: what the preset has for it, or the settings that both
    /// kinds have.
    private func transform(from before: String, to after: String) throws -> Node {
        guard let after = TransformConfiguration.Kind(rawValue: after) else { return Node.mapping([:]) }
        if let transform = preset?.transform(of: after) { return try YAMLEncoder().encodeNode(transform) }
        // Back at the preset's own kind.
        if let own = try preset?.definition().transform, own.kind == after { return try YAMLEncoder().encodeNode(own) }
        guard let before = TransformConfiguration.Kind(rawValue: before), let keys = root["transform"]?.mapping else {
            return Node.mapping([:])
        }
        let names = before.keysKept(for: after)
        var kept: [(Node, Node)] = []
        for (key, value) in keys {
            if let name = key.string.flatMap({ names[$0] }) { kept.append((Node(name), value)) }
        }
        return Node.mapping(Node.Mapping(kept))
    }

    private static func setting(
        _ node: Node, _ path: [String], _ keys: ArraySlice<String>, _ value: Node
    ) throws(ConfigurationError) -> Node {
        guard let key = keys.first else { return value }
        let isWindowName = path == ["frame", "window"] && node.scalar != nil && node.null == nil
        let instead: Node.Mapping? = node.null != nil ? [:] : isWindowName ? [Node("kind"): node] : nil
        guard var mapping = node.mapping ?? instead else {
            throw .invalidValue(
                key: path.isEmpty ? "(top level)" : path.joined(separator: "."),
                found: node.string.map { "'\($0.excerpt)'" } ?? "a list",
                expected: "a mapping, in which to set '\(key.excerpt)'")
        }
        mapping[Node(key)] = try setting(mapping[Node(key)] ?? Node.mapping([:]), path + [key], keys.dropFirst(), value)
        return Node.mapping(mapping)
    }
}
