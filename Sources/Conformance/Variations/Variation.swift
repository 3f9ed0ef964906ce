import FeatureModel

/// A named change to a configuration that may explain why values differ.
package struct Variation: Hashable, Sendable {
    /// A key and its value.
    package struct Assignment: Hashable, Sendable {
        /// The path, such as `frame.hop`.
        package let key: String
        package let value: ConfigurationValue

        /// The assignment as `--set` takes it, without quotation marks.
        package var text: String { "\(key)=\(valueText)" }

        /// The value, likewise.
        package var valueText: String { Self.text(value) }

        /// Whether it is the default of the key.
        fileprivate var isDefault: Bool {
            ConfigurationKeys.defaults(of: key).contains { Self.text($0) == valueText }
        }

        /// The value that a configuration has for the key, likewise; `default` where its kind has no such key.
        package func text(in configuration: FeatureConfiguration) -> String {
            value(in: configuration).map(Self.text) ?? "default"
        }

        /// The value itself; nil: the configuration's kind has no such key.
        package func value(in configuration: FeatureConfiguration) -> ConfigurationValue? {
            key.split(separator: ".").map(String.init)
                .reduce(Optional(configuration.value)) { value, key in value?[key] }
        }

        fileprivate static func text(_ value: ConfigurationValue) -> String {
            if let entries = value.entries {
                return "{" + entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
            }
            if let text = value.text { return text }
            if let list = value.list { return "[\(list.map(\.shortText).joined(separator: ", "))]" }
            if let whole = value.whole { return "\(whole)" }
            return value.number?.shortText ?? value.scalar?.flag.map { "\($0)" } ?? "null"
        }
    }

    /// What is set.
    package let assignments: [Assignment]
    /// Whether samples at another rate are taken as they are, as if they had the configured rate.
    package private(set) var ignoresRate = false
    /// Samples by which every frame starts later than it should, which no key says; negative: earlier.
    package private(set) var frameShift = 0
    /// More than the keys say, such as the program that does so; nil: nothing.
    package private(set) var note: String?

    /// The assignments that change a configuration.
    package func effective(on configuration: FeatureConfiguration) -> [Assignment] {
        assignments.filter { assignment in
            let before = assignment.text(in: configuration)
            return before != assignment.valueText && !(before == "default" && assignment.isDefault)
        }
    }

    /// Whether it changes a configuration, or how samples become frames.
    func isEffective(on configuration: FeatureConfiguration) -> Bool {
        ignoresRate || frameShift != 0 || !effective(on: configuration).isEmpty
    }

    /// What it counts as, in changed keys: what is one idea is no more than three, and constants of a scope go with it.
    func cost(on configuration: FeatureConfiguration) -> Int {
        let changed = effective(on: configuration).count {
            !($0.value.isNull && ["normalize.mean", "normalize.std"].contains($0.key))
        }
        return min(max(changed, 1), 3)
    }

    /// Whether the variation may be combined with another: they set no key both.
    func isApart(from other: Variation) -> Bool {
        let keys = Set(assignments.map(\.key))
        return !(ignoresRate && other.ignoresRate) && (frameShift == 0 || other.frameShift == 0)
            && !other.assignments.contains { keys.contains($0.key) }
    }

    /// The number that it sets a key to, and nothing else; nil: it does something else.
    func number(of key: String) -> Double? {
        guard let only = assignments.first, assignments.count == 1, only.key == key else { return nil }
        return only.value.number
    }

    /// The changed configuration; nil: it is not valid.
    func applied(to configuration: FeatureConfiguration) -> FeatureConfiguration? {
        guard !assignments.isEmpty else { return configuration }
        var tree = ConfigurationTree(configuration.value)
        for assignment in assignments {
            guard (try? tree.set(assignment.key.split(separator: ".").map(String.init), assignment.value)) != nil else {
                return nil
            }
        }
        return try? FeatureConfiguration(tree.root)
    }
}

extension Variation {
    /// A variation of assignments `key=value`, with a blank between two.
    init(_ words: String, note: String? = nil) {
        self.init(
            assignments: ConfigurationValue.entries(words).map { Assignment(key: $0.key, value: $0.value) }, note: note)
    }

    /// A variation for each of the values of a key, which may have other assignments before it.
    static func each(_ key: String, _ values: String) -> [Variation] {
        values.split(separator: " ").map { Variation("\(key)=\($0)") }
    }
}

extension [Variation] {
    /// Samples by which every frame starts later than it should; negative: earlier.
    var frameShift: Int { reduce(0) { $0 + $1.frameShift } }
}

extension Double {
    /// The number in an assignment, as a whole one where it is.
    var word: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
