import FeatureModel
import Foundation
import Yams

/// Puts a configuration together: a preset or a file, then single values on top of it.
package struct ConfigurationSource {
    /// As text would say it; nil: a preset as it is, which to take through text and back would double the start of a run.
    private var edited: Node?
    /// The file it came from, for messages; nil: a preset.
    private let file: String?
    private let preset: Preset?

    /// Begins with a preset.
    ///
    package init(preset: Preset) {
        file = nil
        self.preset = preset
    }

    /// Begins with a file of YAML or JSON (which is YAML); what it does not mention has the defaults of `log-mel`.
    ///
    /// - Throws: `ConfigurationFileError`.
    package init(file path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ConfigurationFileError.unreadable(path: path, reason: readingProblem(error))
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ConfigurationFileError.unreadable(path: path, reason: "expected text in UTF-8")
        }
        try self.init(text: text, path: path)
    }

    /// Begins with a text of YAML or JSON; `path` is for messages.
    ///
    /// - Throws: `ConfigurationFileError`.
    package init(text: String, path: String) throws {
        file = path
        preset = nil
        do {
            let root = try Yams.compose(yaml: text) ?? Node.mapping([:])
            edited = Self.isNothing(root) ? Node.mapping([:]) : root
        } catch {
            throw ConfigurationFileError.notYAML(path: path, reason: "\(error)")
        }
    }

    /// Sets one value by an assignment such as `frame.hop=160` or `scale.kind=db`.
    ///
    /// Another kind of transform, window or scale drops the keys of the kind before it, which would mean nothing to it. A
    /// window that is a name becomes a mapping where one of its keys is set.
    ///
    /// - Throws: `ConfigurationFileError.notAnAssignment`, or `.notYAML` where the value cannot be read; `ConfigurationError`
    ///   (within one that names the file, if there is one) where something stands that no key can be set in.
    package mutating func set(_ assignment: String) throws {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        let keys = assignment[..<equals].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count <= 3, keys.allSatisfy({ !$0.isEmpty }) else {
            throw ConfigurationFileError.notAnAssignment(assignment)
        }
        let text = String(assignment[assignment.index(after: equals)...])
        let value: Node
        do {
            // A text without a value, such as a comment, stands for null.
            value = try Yams.compose(yaml: text) ?? Yams.compose(yaml: "null") ?? Node.mapping([:])
        } catch {
            throw ConfigurationFileError.notYAML(path: "--set \(assignment)", reason: "\(error)")
        }
        var root = try node()
        try forget(keys, value, in: &root)
        do throws(ConfigurationError) {
            edited = try Self.setting(root, [], keys[...], value)
        } catch {
            throw named(error)
        }
    }

    /// The configuration.
    ///
    /// - Throws: `ConfigurationError`, within a `ConfigurationFileError` that names the file if there is one.
    package func configuration() throws -> FeatureConfiguration {
        if edited == nil, let preset { return try preset.configuration() }
        do {
            return try YAMLDecoder().decode(FeatureConfiguration.self, from: Self.withPages(node()))
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
            var filter = condition["dct_filter"]?.mapping, filter[key].map(isNothing) ?? true
        else { return root }
        filter[key] = Node(DCTFilterPages.overlapping.rawValue)
        condition["dct_filter"] = Node.mapping(filter)
        var filled = root
        filled["condition"] = condition
        return filled
    }

    /// What stands so far, as text would say it.
    private func node() throws -> Node {
        if let edited { return edited }
        guard let preset else { return Node.mapping([:]) }
        return try YAMLEncoder().encodeNode(preset.configuration())
    }

    /// Drops what would mean nothing once the kind at `keys` is another.
    private func forget(_ keys: [String], _ value: Node, in root: inout Node) throws {
        guard keys.last == "kind", let section = keys.first, root.mapping != nil else { return }
        switch keys {
        case ["transform", "kind"]:
            let kind = root[section]?["kind"]?.string ?? TransformConfiguration.Kind.mel.rawValue
            if kind != value.string { root[section] = try transform(of: value) }
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

    /// What stands in for the transform once another kind is asked for: what the preset has for it, or nothing.
    private func transform(of kind: Node) throws -> Node {
        guard let kind = kind.string.flatMap(TransformConfiguration.Kind.init(rawValue:)),
            let transform = preset?.transform(of: kind)
        else { return Node.mapping([:]) }
        return try YAMLEncoder().encodeNode(transform)
    }

    /// The error with the file that it is about, if there is one.
    private func named(_ error: ConfigurationError) -> any Error {
        file.map { ConfigurationFileError.invalid(path: $0, error) } ?? error
    }

    private static func setting(
        _ node: Node, _ path: [String], _ keys: ArraySlice<String>, _ value: Node
    ) throws(ConfigurationError) -> Node {
        guard let key = keys.first else { return value }
        let isWindowName = path == ["frame", "window"] && node.scalar != nil && !isNothing(node)
        let instead: Node.Mapping? = isNothing(node) ? [:] : isWindowName ? [Node("kind"): node] : nil
        guard var mapping = node.mapping ?? instead else {
            throw .invalidValue(
                key: path.isEmpty ? "(top level)" : path.joined(separator: "."),
                found: node.string.map { "'\($0)'" } ?? "a list", expected: "a mapping, in which to set '\(key)'")
        }
        mapping[Node(key)] = try setting(mapping[Node(key)] ?? Node.mapping([:]), path + [key], keys.dropFirst(), value)
        return Node.mapping(mapping)
    }

    private static func isNothing(_ node: Node) -> Bool { node.null != nil }
}

/// What kept a file from being read, without the words around it that Foundation adds.
private func readingProblem(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
        return String(cString: strerror(Int32(underlying.code)))
    }
    switch (error as NSError).code {
    case CocoaError.fileReadNoSuchFile.rawValue: return "no such file"
    case CocoaError.fileReadNoPermission.rawValue: return "no permission to read it"
    default: return "\(error.localizedDescription)"
    }
}
