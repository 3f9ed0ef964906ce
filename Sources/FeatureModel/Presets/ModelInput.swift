/// The input of a model: a preset of the group `models`, or what a model's own file says, and what a configuration that starts from
/// it says otherwise.
///
/// A model gives plausible, wrong results for numbers that it was not trained with. So no advice is to change them.
package struct ModelInput: Hashable, Sendable {
    /// The preset of the model; nil: its own file says what its input is.
    package let preset: Preset?
    /// The name of the preset, or of the file.
    package let name: String
    /// The rate in Hz of the model's input; nil: that of the recording.
    package let usualRate: Double?
    /// The keys whose values differ from the preset's, in the order of a configuration. Settings that the preset's own text
    /// names, such as `transform.bins=128` of `whisper`, are those of other models of its kind, and are not among them.
    package let changes: [Change]
    /// What a file does not say, in a sentence; nil: it says all, or that is set.
    package let missing: String?

    /// A section that a file leaves open: what is set in it is no change of the input.
    package struct Open: Hashable, Sendable {
        /// Such as `scale`.
        package let section: String
        /// What the values are where nothing is set in it.
        package let remark: String

        package init(section: String, remark: String) { (self.section, self.remark) = (section, remark) }
    }

    /// The sample rate that a file asks for.
    package enum Rate: Hashable, Sendable {
        /// In Hz.
        case stated(Int)
        /// None: that of each recording, or of the caller.
        case open

        private static let openText = "open"

        /// `16000`, or `open`.
        package var text: String {
            switch self {
            case .stated(let rate): "\(rate)"
            case .open: Self.openText
            }
        }

        /// Reads such a text.
        ///
        /// - Parameters:
        ///   - text: Nil: the rate is that of the configuration.
        ///   - sampleRate: That of the configuration.
        package init(text: String?, of sampleRate: Int?) {
            let rate = text.map { Int($0) } ?? sampleRate
            self = rate.map { .stated($0) } ?? .open
        }
    }

    /// A key whose value is not the preset's.
    package struct Change: Hashable, Sendable {
        /// The key, such as `frame.hop`.
        package let key: String
        /// The preset's value, as it is written; nil: the preset has none.
        package let expected: String?
        /// The value that it has, as it is written; nil: it has none.
        package let found: String?
    }

    /// Keys that say which part of a recording is taken, how long clips are, or how values are computed and stored: a model leaves
    /// them open.
    private static let openKeys: Set<String> = [
        "audio.channels", "audio.duration", "audio.fit", "audio.crop", "audio.minimum", "audio.multiple",
        "audio.overshoot", "audio.resampler", "transform.engine",
    ]

    /// - Parameters:
    ///   - tree: The configuration as it is given.
    ///   - configuration: The configuration that was read of it; nil: it is refused.
    /// - Returns: Nil where the configuration does not start from a model's preset.
    package init?(_ tree: ConfigurationTree, _ configuration: FeatureConfiguration?) {
        guard let preset = tree.preset, preset.group == .models, let own = try? preset.definition() else { return nil }
        (self.preset, name, usualRate, missing) = (preset, preset.rawValue, preset.usualRate, nil)
        // Values that follow the sample rate differ with it, and are not changes of their own.
        let (given, definition) = (tree.root.leaves, own.value.leaves)
        let named = Self.namedSettings(of: preset, in: given)
        let keys = Self.differing(definition, given).filter { key in !named.contains { $0.key.shares(with: key) } }
        let read = configuration.flatMap { configuration in
            (try? preset.configuration()).map { (expected: $0, found: configuration) }
        }
        changes = Self.changes(of: keys, stated: (definition, given), read: read)
    }

    /// The changes of keys that are stated otherwise than the model's; as they were read, if nothing is refused.
    private static func changes(
        of keys: [String], stated: (expected: ConfigurationValue.Leaves, found: ConfigurationValue.Leaves),
        read: (expected: FeatureConfiguration, found: FeatureConfiguration)?
    ) -> [Change] {
        let values = read.map { ($0.expected.value.leaves, $0.found.value.leaves) } ?? stated
        // What is refused lacks keys that follow from others, and these were not changed.
        let changed =
            read == nil
            ? keys.filter { stated.found[$0] != nil }
            : differing(values.0, values.1).filter { key in keys.contains { $0.shares(with: key) } }
        return changed.map { Change(key: $0, expected: values.0[$0]?.written, found: values.1[$0]?.written) }
    }

    /// Whether a configuration is the input of a preset's model, or of another one of its kind.
    ///
    /// - Parameter own: The preset's configuration.
    static func isInput(_ configuration: FeatureConfiguration, of preset: Preset, _ own: FeatureConfiguration) -> Bool {
        let found = configuration.value.leaves
        let named = namedSettings(of: preset, in: found)
        return differing(own.value.leaves, found).allSatisfy { key in named.contains { $0.key.shares(with: key) } }
    }

    /// Those of the `settings` that a configuration has.
    private static func namedSettings(
        of preset: Preset, in given: ConfigurationValue.Leaves
    ) -> [(key: String, value: String)] {
        settings(in: preset).filter { setting in
            guard let value = given[setting.key] else { return false }
            // A file is named for the numbers in it.
            return value.written == setting.value || value.list != nil && Double(setting.value) == nil
        }
    }

    /// The settings such as `transform.bins=128` that the text of a preset names, and those of other models' names.
    private static func settings(in preset: Preset) -> [(key: String, value: String)] {
        let others = preset.aliases.flatMap { $0.settings.map(\.assignment) }.joined(separator: " ")
        return "\(preset.summary) \(preset.notes ?? "") \(others)".split { " \n(),;:".contains($0) }.compactMap {
            word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            // The word may end a sentence.
            return (parts[0], parts[1].hasSuffix(".") ? String(parts[1].dropLast()) : parts[1])
        }
    }

    /// The input of the model whose preset has the values of a configuration, such as one in a file; nil: there is none.
    ///
    /// Cost: makes the configurations of all presets of models.
    package init?(of configuration: FeatureConfiguration) {
        let found = configuration.value.leaves
        let preset = Preset.allCases.first { preset in
            guard preset.group == .models, let model = try? preset.configuration() else { return false }
            return Self.differing(model.value.leaves, found).isEmpty
        }
        guard let preset else { return nil }
        (self.preset, name, usualRate, changes, missing) = (preset, preset.rawValue, preset.usualRate, [], nil)
    }

    /// - Parameters:
    ///   - file: The name of a model's own file.
    ///   - own: What it says, or would say at the sample rate that is set over it.
    ///   - tree: The same with what is set over it.
    ///   - configuration: The configuration that was read of that; nil: it is refused.
    ///   - open: What it leaves open; nil: nothing.
    ///   - left: The keys and sections that it leaves to others.
    ///   - rate: The sample rate that it asks for.
    /// - Returns: Nil where the file's own configuration is refused.
    package init?(
        file: String, _ own: ConfigurationTree, changed tree: ConfigurationTree, _ configuration: FeatureConfiguration?,
        open: Open?, left: [String], rate: Rate
    ) {
        guard let model = try? FeatureConfiguration(own.root) else { return nil }
        (preset, name) = (nil, file)
        let rateKey = "audio.sample_rate"
        let (given, definition) = (tree.root.leaves, own.root.leaves)
        let keys = Self.differing(definition, given).filter { $0 != rateKey }
        let isOpen = { (key: String) in open.map { key.shares(with: $0.section) } ?? false }
        missing = keys.contains(where: isOpen) ? nil : open?.remark
        let others = Self.changes(
            of: keys.filter { key in !isOpen(key) && !left.contains { key.shares(with: $0) } },
            stated: (definition, given), read: configuration.map { (expected: model, found: $0) })
        switch rate {
        case .open: (usualRate, changes) = (nil, others)
        case .stated(let usual):
            usualRate = Double(usual)
            let found = tree.sampleRate
            let change = Change(
                key: rateKey, expected: "\(usual)", found: found.map { "\($0)" } ?? given[rateKey]?.written)
            changes = (found == usual ? [] : [change]) + others
        }
    }

    /// The keys of two configurations that are not equal, except for `openKeys` and those of `store`. Of a section or a value of
    /// another kind, those that only one of the kinds has follow from it.
    private static func differing(_ one: ConfigurationValue.Leaves, _ other: ConfigurationValue.Leaves) -> [String] {
        (one.keys + other.keys.filter { one[$0] == nil }).filter { key in
            guard !openKeys.contains(key), !key.hasPrefix("store."),
                one[key]?.written ?? "null" != other[key]?.written ?? "null"
            else { return false }
            if one[key] != nil, other[key] != nil { return true }
            let kinds = [
                "\(key.prefix { $0 != "." }).kind", String(key[..<(key.lastIndex(of: ".") ?? key.startIndex)]),
            ]
            return kinds.allSatisfy { one[$0] == nil || other[$0] == nil || one[$0]?.written == other[$0]?.written }
        }
    }

    /// What is changed, in words: `frame.hop is 100 instead of 160`; nil: nothing.
    private var words: String? {
        guard !changes.isEmpty else { return nil }
        let rest = changes.count - Self.maximumChanges
        return changes.prefix(Self.maximumChanges).map { change in
            switch (change.expected, change.found) {
            case (nil, let found): "\(change.key) is set to \(found ?? "nothing")"
            case (let expected?, nil): "\(change.key) is missing instead of \(expected)"
            case (let expected?, let found?): "\(change.key) is \(found) instead of \(expected)"
            }
        }.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// How many changes are named.
    private static let maximumChanges = 3

    /// A warning about a changed input of a model; nil: it is as the model expects.
    package var warning: String? {
        words.map { words in
            "\(name): \(words): a model gives wrong results for input that it was not trained with: leave that "
                + "change out unless yours was trained with it"
        }
    }

    /// An error that changes of a model's input have led to: instead of what else to change, it says what to leave out.
    package func refusal(_ error: ConfigurationError) -> String {
        switch error {
        case .unknownKey, .foreignKey: return "\(error)"
        case .invalidValue, .notBelow: break
        }
        guard let words else { return "\(error)" }
        let isOfRate = changes.contains { $0.key == "audio.sample_rate" }
        return "\(error): \(words), which the model of \(name) expects: leave that change out"
            + (isOfRate ? ", since recordings of any rate are resampled" : "")
    }
}

extension ConfigurationValue {
    /// The values below keys such as `frame.hop`, in order. `frame.window` itself has the kind of a window with parameters.
    fileprivate struct Leaves {
        private(set) var keys: [String] = []
        private var values: [String: ConfigurationValue] = [:]

        fileprivate subscript(key: String) -> ConfigurationValue? { values[key] }

        fileprivate mutating func add(_ value: ConfigurationValue, at path: String) {
            guard let entries = value.entries else {
                keys.append(path)
                values[path] = value
                return
            }
            for entry in entries { add(entry.value, at: entry.key(in: path)) }
        }
    }

    fileprivate var leaves: Leaves {
        var leaves = Leaves()
        leaves.add(self, at: "")
        return leaves
    }

    /// A value as it is written in a configuration.
    fileprivate var written: String {
        if let list {
            return list.count > 4 ? "a list of \(list.count)" : list.map(\.shortText).joined(separator: ", ")
        }
        guard let scalar else { return "something else" }
        if scalar.isNull { return "null" }
        return scalar.number?.shortText ?? scalar.flag.map { "\($0)" } ?? scalar.text?.excerpt ?? "something else"
    }
}

extension String {
    /// Whether one of two keys is the other, or leads to it: `rows` and `rows.count`.
    fileprivate func shares(with key: String) -> Bool {
        self == key || hasPrefix(key + ".") || key.hasPrefix(self + ".")
    }
}

extension ConfigurationValue.Entry {
    /// The full key, in a section or a value with parameters: `frame.hop`, `frame.window.beta`. That of the parameters' kind is the
    /// value's, `frame.window`, which may also be the kind alone.
    package func key(in path: String) -> String {
        path.isEmpty ? key : key == "kind" && path.contains(".") ? path : "\(path).\(key)"
    }
}
