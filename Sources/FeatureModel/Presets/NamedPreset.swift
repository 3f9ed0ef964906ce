/// What a name of a configuration means: a preset; or, by the name of a model that takes nearly the same, a preset with the
/// settings that the model needs, as `whisper-large-v3` is `whisper` with `transform.bins=128`.
///
/// What is computed and stored is the preset with these settings; the name that was given is stored nowhere.
package struct NamedPreset: Sendable {
    package let preset: Preset
    /// Keys such as `transform.bins`, and their values, over those of the preset.
    package let settings: [ConfigurationValue.Entry]

    package init(_ preset: Preset) { self.init(preset, []) }

    private init(_ preset: Preset, _ settings: [ConfigurationValue.Entry]) {
        (self.preset, self.settings) = (preset, settings)
    }

    /// Who publishes the models that have names here, in small letters. Another word before a slash is a folder.
    private static let publishers: Set<Substring> = [
        "alibaba", "alibaba-damo", "amphion", "asapp", "birdset", "charactr", "cvssp", "dbd-research-group",
        "distil-whisper", "earthspeciesproject", "espnet", "facebook", "facebookresearch", "fixie-ai", "funaudiollm",
        "google", "hance-ai", "huggingface", "ibm-granite", "iic", "ina-foss", "k2-fsa", "kyutai", "laion", "m-a-p",
        "microsoft", "minzwon", "mispeech", "mistralai", "mit", "nvidia", "openai", "openmuq", "pyannote", "qwen",
        "resemble-ai", "snakers4", "speechbrain", "suno", "swivid", "systran", "usefulsensors", "wenet", "wespeaker",
        "worstchan", "yl4579",
    ]

    /// Looks a name up: as the name of a preset, then as one of a model, in capital or small letters, with `_` for `-`, and with its
    /// publisher in front, as in `openai/whisper-tiny`.
    ///
    /// - Complexity: O(bytes of `presets.txt`) for each preset, unless it is the name of one.
    package init?(_ name: String) {
        if let preset = Preset(rawValue: name) {
            self.init(preset)
            return
        }
        let own = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= 100, own.count <= 2,
            own.count < 2 || Self.publishers.contains(own[0].lowercased()[...])
        else { return nil }
        let plain = (own.last.map(String.init) ?? name).lowercased().replacing("_", with: "-")
        if own.count == 2, let preset = Preset(rawValue: plain) {
            self.init(preset)
            return
        }
        guard let (preset, alias) = Self.alias(plain) else { return nil }
        self.init(preset, alias.settings)
    }

    private static func alias(_ name: String) -> (Preset, PresetAlias)? {
        for preset in Preset.allCases {
            if let alias = preset.aliases.first(where: { $0.name == name }) { return (preset, alias) }
        }
        return nil
    }

    /// The configuration as printed and changed, as `Preset.definition()`.
    package func definition() throws(ConfigurationError) -> FeatureConfiguration {
        settings.isEmpty
            ? try preset.definition() : try FeatureConfiguration(ConfigurationTree(self).root, isResolved: false)
    }

    /// The configuration; frames defined by times have them in samples.
    package func configuration() throws(ConfigurationError) -> FeatureConfiguration { try definition().with() }

    /// `whisper with transform.bins=128`, or the name alone.
    package var words: String {
        guard !settings.isEmpty else { return preset.rawValue }
        return "\(preset.rawValue) with \(settings.map(\.assignment).joined(separator: ", "))"
    }
}

/// The name of a model that takes what a preset computes, and the settings that it needs beyond the preset's own.
package struct PresetAlias: Sendable {
    package let name: String
    package let settings: [ConfigurationValue.Entry]

    /// `whisper-large-v3 transform.bins=128`
    package var text: String { ([name] + settings.map(\.assignment)).joined(separator: " ") }

    /// - Parameter text: A name and settings, such as `whisper-large-v3 transform.bins=128`; nil: there is no name.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard let name = words.first else { return nil }
        self.name = String(name)
        settings = words.count == 2 ? ConfigurationValue.entries(String(words[1])) : []
    }
}

extension Preset {
    /// Names of models that take the same, or nearly.
    package var aliases: [PresetAlias] { entry.aliases }
}

extension ConfigurationValue.Entry {
    /// The parts of a key such as `transform.bins`.
    var path: [String] { key.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) } }

    /// `transform.bins=128`
    var assignment: String {
        let scalar = value.scalar
        return "\(key)=\(scalar?.number?.shortText ?? scalar?.flag.map { "\($0)" } ?? value.text ?? "null")"
    }
}
