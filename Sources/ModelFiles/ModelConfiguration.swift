import FeatureModel

/// A key that a model's file sets.
package struct ModelSetting: Hashable, Sendable {
    /// A field that a key's value comes from.
    package struct Source: Hashable, Sendable {
        package let field: String
        /// Whether the file has the field; false: the value is the default of its class.
        package let isStated: Bool
        /// The file, in the folder of this one, that the value was read from; nil: the field has it.
        package let file: String?
    }

    /// The key, such as `frame.hop`.
    package let key: String
    package let value: ConfigurationValue
    /// Empty: the class has this value, whatever its fields are.
    package let fields: [Source]
}

/// What a model's own file says of its features: each field accounted for.
package struct ModelConfiguration: Sendable {
    /// A field that nothing in the features depends on.
    package struct Unused: Hashable, Sendable {
        package let field: String
        package let reason: String
    }

    package let format: ModelFormat
    /// The class, or the kind of features.
    package let className: String
    /// The keys that are set, in the order in which they are set.
    package let settings: [ModelSetting]
    package let unused: [Unused]
    /// What of the original is not part of the features, a sentence each.
    package let remarks: [String]
    /// What the file does not say; nil: nothing is left open.
    package let open: ModelInput.Open?
    /// The settings, to be changed and decoded. What the class defines as times, or by half the sample rate, follows that.
    package let tree: ConfigurationTree
    private let source: Source

    /// What a configuration is made of.
    private struct Source: Sendable {
        let row: FrontEnd
        let members: [JSONValue.Member]
        let prefix: String
        let elsewhere: [String: String]
        /// The files in the folder of this one that were asked for; nil: there is none of that name.
        let neighbours: [String: String?]
    }

    /// What the program makes of the file at another sample rate in Hz, as if the file had it: edges that count from half of it follow it,
    /// as times do. Nil: the class takes no rate, or the file is refused at that one.
    package func at(rate: Int) -> ModelConfiguration? {
        guard let name = source.row.rateField else { return nil }
        let value = format.notation == .words ? JSONValue.string("\(rate)") : .number("\(rate)")
        let members = source.members.filter { $0.name != name } + [.init(name: name, value: value)]
        return try? ModelConfiguration(
            source.row, members, prefix: source.prefix, elsewhere: source.elsewhere,
            neighbours: { [neighbours = source.neighbours] in neighbours[$0] ?? nil })
    }

    /// The keys and sections that the file leaves to others: what is set in them is no change of its features. Kaldi's recipes have programs
    /// of their own for normalisation, deltas and spliced frames.
    package var left: [String] {
        guard format == .kaldi else { return [] }
        return ["normalize", "patches", "transform.deltas", "transform.delta_window"].filter { key in
            !settings.contains { $0.key.hasPrefix(key) && $0.fields.contains(where: \.isStated) }
        }
    }

    /// The sample rate that the file asks for. Kaldi's programs take it with the command, too, so one that the file does not state is open.
    package var rate: ModelInput.Rate {
        let setting = settings.last { $0.key == "audio.sample_rate" }
        let isStated = setting?.fields.contains(where: \.isStated) ?? false
        guard format != .kaldi || isStated, let rate = tree.sampleRate else { return .open }
        return .stated(rate)
    }

    /// Applies a class to fields.
    ///
    /// - Parameters:
    ///   - members: The fields.
    ///   - prefix: What is in front of their names in the file.
    ///   - elsewhere: The full names of fields that lie outside of that section.
    ///   - neighbours: The text of a file in the folder of this one.
    ///   - unused: Fields outside of the class that the caller has accounted for.
    init(
        _ row: FrontEnd, _ members: [JSONValue.Member], prefix: String = "", elsewhere: [String: String] = [:],
        unused: [Unused] = [], neighbours: @escaping (String) -> String? = { _ in nil }
    ) throws(ModelFileError) {
        var read: [String: String?] = [:]
        let reading = try Reading(row, members, prefix: prefix, elsewhere: elsewhere) { name in
            let text = neighbours(name)
            read[name] = .some(text)
            return text
        }
        source = Source(row: row, members: members, prefix: prefix, elsewhere: elsewhere, neighbours: read)
        (format, className) = (row.format, row.name)
        settings = reading.settings
        self.unused = reading.unused + unused
        remarks = reading.remarks
        open = row.open?(reading)
        var tree = ConfigurationTree(.mapping([]))
        do {
            // Kinds and scopes decide which other keys there are.
            let isKind = { (setting: ModelSetting) in setting.key.hasSuffix(".kind") || setting.key == "normalize.scope"
            }
            for setting in reading.settings.filter(isKind) + reading.settings.filter({ !isKind($0) }) {
                try tree.set(setting.key.split(separator: ".").map(String.init), setting.value)
            }
            _ = try FeatureConfiguration(tree.root)
        } catch {
            throw Self.refused(error, row, reading.settings)
        }
        self.tree = tree
    }

    /// The error of a configuration with the fields that its key, and those that limit it, were set from: those of the file, if there
    /// are any, since a default is right with the others.
    private static func refused(
        _ error: ConfigurationError, _ row: FrontEnd, _ settings: [ModelSetting]
    ) -> ModelFileError {
        let rateKey = "audio.sample_rate"
        let (key, limits): (String, [String]) =
            switch error {
            case .unknownKey(let key, _, _), .foreignKey(let key, _, _): (key, [])
            case .invalidValue(let key, _, let expected):
                // What is expected may name another key.
                (
                    key,
                    settings.map(\.key).filter { $0 != key && expected.contains($0) }
                        + (expected.contains("half the sample rate") ? [rateKey] : [])
                )
            case .notBelow(let key, _, let upper, _): (key, [upper])
            }
        func sources(_ key: String) -> [ModelSetting.Source] {
            settings.filter { $0.key == key || $0.key.hasPrefix(key + ".") || key.hasPrefix($0.key + ".") }
                .flatMap(\.fields)
        }
        let own = sources(key)
        let all = own + limits.flatMap(sources)
        let stated = all.filter(\.isStated)
        var fields: [String] = []
        for source in stated.isEmpty ? all : stated where !fields.contains(source.field) { fields.append(source.field) }
        return .refused(
            error, fields: fields, owner: !own.contains(where: \.isStated) ? row.name : nil,
            rate: limits.contains(rateKey) ? sources(rateKey).first { fields.contains($0.field) }?.field : nil)
    }
}
