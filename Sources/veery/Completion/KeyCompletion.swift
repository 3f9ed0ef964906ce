import FeatureModel

/// Completions of presets, and of sections of a configuration.
enum PresetCompletion {
    static func names(_ line: CommandLineWords) -> [Completion] {
        Preset.allCases.map { Completion(word: $0.rawValue, note: $0.summary) }
    }

    static func namesOrSections(_ line: CommandLineWords) -> [Completion] {
        guard line.others.contains("--keys") else { return names(line) }
        return ConfigurationKeys.sections.map { Completion(word: $0.path, note: $0.sentence) }
    }
}

/// Completions of `--set section.key=value`.
enum KeyCompletion {
    static func assignments(_ line: CommandLineWords) -> [Completion] {
        guard let equals = line.prefix.firstIndex(of: "=") else {
            return keys.map { Completion(word: $0.path + "=", note: $0.key.sentence) }
        }
        let path = line.prefix[..<equals]
        var words: [String] = []
        for (known, key) in keys where path.elementsEqual(known) {
            // A key may have other values in sections of another kind.
            for name in names(key.form) where !words.contains(name) { words.append(name) }
        }
        return words.map { Completion(word: "\(path)=\($0)") }
    }

    private static var keys: [(path: String, key: KeyDescription)] {
        var keys: [(path: String, key: KeyDescription)] = []
        for section in ConfigurationKeys.sections {
            keys += section.rows.map { ("\(section.path).\($0.key.name)", $0.key) }
        }
        return keys
    }

    /// The values of a closed set.
    private static func names(_ form: ValueForm) -> [String] {
        switch form {
        case .flag: ["true", "false"]
        case .names(let names): names
        case .either(let forms): forms.flatMap(names)
        case .text, .whole, .number, .quantity, .section, .list: []
        }
    }
}
