import FeatureModel
import Foundation
import Yams

/// Puts a configuration together: a preset or a file, then single values on top of it.
package struct ConfigurationSource {
    private var root: Node
    /// The file it came from, for messages; nil: a preset.
    private let file: String?

    /// Begins with a preset.
    ///
    /// - Throws: `ConfigurationError`; a test holds every preset to be valid.
    package init(preset: Preset) throws {
        root = try YAMLEncoder().encodeNode(preset.configuration())
        file = nil
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
        do {
            root = try Yams.compose(yaml: text) ?? Node.mapping([:])
        } catch {
            throw ConfigurationFileError.notYAML(path: path, reason: "\(error)")
        }
        if root == Node("", Tag(.null)) || root.null != nil { root = Node.mapping([:]) }
    }

    /// Sets one value by an assignment such as `frame.hop=160` or `scale.kind=db`.
    ///
    /// Another kind of transform drops the keys of the kind before it, which would mean nothing to it.
    ///
    /// - Throws: `ConfigurationFileError.notAnAssignment`, or `.notYAML` where the value cannot be read.
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
            value = try Yams.compose(yaml: text) ?? Node("", Tag(.null))
        } catch {
            throw ConfigurationFileError.notYAML(path: "--set \(assignment)", reason: "\(error)")
        }
        if keys == ["transform", "kind"], root["transform"]?["kind"]?.string != value.string {
            root["transform"] = Node.mapping([:])
        }
        root = Self.setting(root, keys[...], value)
    }

    /// The configuration.
    ///
    /// - Throws: `ConfigurationError`, within a `ConfigurationFileError` that names the file if there is one.
    package func configuration() throws -> FeatureConfiguration {
        do {
            return try YAMLDecoder().decode(FeatureConfiguration.self, from: root)
        } catch {
            // Yams wraps some errors of ours, and lets others through.
            var found: any Error = error
            if case DecodingError.dataCorrupted(let context) = error { found = context.underlyingError ?? error }
            guard let file, let invalid = found as? ConfigurationError else { throw found }
            throw ConfigurationFileError.invalid(path: file, invalid)
        }
    }

    private static func setting(_ node: Node, _ keys: ArraySlice<String>, _ value: Node) -> Node {
        guard let key = keys.first else { return value }
        var mapping = node.mapping ?? [:]
        mapping[Node(key)] = setting(mapping[Node(key)] ?? Node.mapping([:]), keys.dropFirst(), value)
        return Node.mapping(mapping)
    }
}

extension YAMLEncoder {
    /// The tree that a value is written as.
    fileprivate func encodeNode(_ value: some Encodable) throws -> Node {
        try Yams.compose(yaml: encode(value)) ?? Node.mapping([:])
    }
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
