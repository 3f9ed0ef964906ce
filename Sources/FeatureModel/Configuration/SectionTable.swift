/// A section of a configuration, with a table of its keys.
protocol ConfigurationSection: Hashable, Sendable {
    static var table: SectionTable<Self> { get }

    /// Refuses values out of range, and contradicting values.
    func validate() throws(ConfigurationError)
}

extension ConfigurationSection {
    func validate() throws(ConfigurationError) { try Self.table.check(self) }
}

/// The keys of a section: the source of decoding, encoding, errors, schema and documentation.
///
/// The type itself has no constraint on `Section`: Swift would look the conformance up for every section at every start.
struct SectionTable<Section: Sendable>: Sendable {
    /// The keys of some kinds of a section, or all keys of a section without kinds.
    struct Variant: Sendable {
        /// The values of the key `kind`; empty: the section has no kinds.
        let kinds: [String]
        /// The name in the schema.
        let definition: String
        /// What the kinds are, in a sentence.
        let sentence: String
        /// The keys except `kind`.
        let keys: [ConfigurationKey<Section>]
        /// The section of a kind with the default of every key; a required key is overwritten.
        let standard: @Sendable (_ kind: String) -> Section

        var names: [String] { (kinds.isEmpty ? [] : ["kind"]) + keys.map(\.name) }
    }

    /// The keys that lead to the section, such as `condition.dct_filter`.
    let path: String
    /// What the section is for, in a sentence.
    let sentence: String
    let variants: [Variant]
    /// What the key `kind` is for.
    private var kindSentence = ""
    /// The default kind; nil: there are no kinds.
    private var standardKind: String?
    /// Whether the name of a kind without keys of its own may be given instead of the whole section, as in `window: hann`.
    private var isShort = false
    private var kind: @Sendable (Section) -> String = { _ in "" }

    init(_ path: String, _ sentence: String, standard: Section, _ keys: [ConfigurationKey<Section>]) {
        (self.path, self.sentence) = (path, sentence)
        let name = String(path.split(separator: ".").last ?? "")
        variants = [Variant(kinds: [], definition: name, sentence: sentence, keys: keys) { _ in standard }]
    }

    /// A section whose keys depend on its kind.
    init(
        _ path: String, _ sentence: String, kind: @escaping @Sendable (Section) -> String, standardKind: String,
        kindSentence: String, isShort: Bool = false, _ variants: [Variant]
    ) {
        (self.path, self.sentence, self.kind, self.variants) = (path, sentence, kind, variants)
        (self.standardKind, self.kindSentence, self.isShort) = (standardKind, kindSentence, isShort)
    }

    var kinds: [String] { variants.flatMap(\.kinds) }

    var allowedKinds: String { "one of " + kinds.joined(separator: ", ") }

    /// What an error expects instead of something other than a mapping.
    var allowed: String {
        "a mapping with the keys "
            + (kinds.isEmpty ? variants.flatMap(\.names).joined(separator: ", ") : "kind and those of that kind")
    }

    func variant(of kind: String) -> Variant? { variants.first { $0.kinds.contains(kind) || $0.kinds.isEmpty } }

    /// Reads a section; keys that are missing or null have their defaults.
    ///
    /// - Throws: `ConfigurationError.unknownKey` or `.foreignKey` for the first unknown key, `.invalidValue` for a refused value
    ///   and for a key of another kind.
    func read(_ value: ConfigurationValue) throws(ConfigurationError) -> Section where Section: ConfigurationSection {
        guard let entries = value.entries else { throw .invalidValue(key: path, found: value.found, expected: allowed) }
        var kind = standardKind ?? ""
        if standardKind != nil, let stated = value["kind"], !stated.isNull {
            kind = stated.text ?? ""
            guard kinds.contains(kind) else {
                let found = stated.text.map { ConfigurationKeys.found($0, among: kinds) } ?? stated.found
                throw .invalidValue(key: "\(path).kind", found: found, expected: allowedKinds)
            }
        }
        let variant = variant(of: kind) ?? variants[0]
        if let key = entries.map(\.key).filter({ !variant.names.contains($0) }).min() {
            throw unknown(key, of: kind, variant)
        }
        var section = variant.standard(kind)
        for key in variant.keys { try key.read(value[key.name], &section, "\(path).\(key.name)") }
        try section.validate()
        return section
    }

    /// The error for a key that the kind lacks.
    private func unknown(_ key: String, of kind: String, _ variant: Variant) -> ConfigurationError {
        let owners = variants.filter { $0.names.contains(key) }.flatMap(\.kinds)
        guard !owners.isEmpty else { return ConfigurationKeys.unknown(key, in: path, known: variant.names) }
        // With only two variants, the key belongs to the other.
        let others =
            variants.allSatisfy { $0.kinds.count == 1 } ? " (\(key): kind \(owners.joined(separator: ", ")))" : ""
        let takesNone = variant.names == ["kind"]
        return .invalidValue(
            key: "\(path).\(key)", found: takesNone ? key : "it with kind: \(kind)",
            expected: (takesNone
                ? "no key besides kind: \(kind)" : "only \(variant.names.joined(separator: ", ")) for this kind")
                + others)
    }

    /// Refuses a section with a value out of range.
    func check(_ section: Section) throws(ConfigurationError) {
        try variant(of: kind(section))?.keys.check(section, in: path)
    }

    func write(_ section: Section) -> ConfigurationValue {
        let kind = kind(section)
        let variant = variant(of: kind)
        let standard = variant?.standard(kind)
        let entries = (variant?.keys ?? []).compactMap { key -> ConfigurationValue.Entry? in
            let value = key.write(section)
            if !key.about.isAlwaysWritten, let standard, key.write(standard) == value { return nil }
            return ConfigurationValue.Entry(key: key.name, value: value)
        }
        return .mapping((kinds.isEmpty ? [] : [.init(key: "kind", value: .text(kind))]) + entries)
    }

    /// The table for documentation, without the type of the section.
    var description: SectionDescription {
        let kind = KeyDescription(
            name: "kind", sentence: kindSentence, unit: "", allowed: allowedKinds, form: .names(kinds),
            standard: standardKind.map { .text($0) }, isAlwaysWritten: true)
        return SectionDescription(
            path: path, sentence: sentence, isShort: isShort,
            variants: variants.map { variant in
                let standard = variant.standard(variant.kinds.first ?? "")
                let keys = variant.keys.map { key in
                    var about = key.about
                    about.standard = key.required == nil ? key.write(standard) : nil
                    return about
                }
                return SectionDescription.Variant(
                    kinds: variant.kinds, definition: variant.definition, sentence: variant.sentence,
                    keys: (variant.kinds.isEmpty ? [] : [kind]) + keys)
            })
    }
}
