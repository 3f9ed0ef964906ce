import Essentials
import FeatureModel

/// A configuration and the rate that it is used at.
struct RatedConfiguration {
    let configuration: FeatureConfiguration
    let sampleRate: Int
    /// The model whose input it is, and what is changed in that; nil: none is known.
    private(set) var model: ModelInput?
    /// What of a model's own file is not part of the features, a sentence each.
    private(set) var remarks: [String] = []

    /// The longest text, in bytes.
    static let maximumLength = 1 << 20

    private static let maximumDepth = 32

    /// The depth of brackets outside of texts; more than `maximumDepth` is not counted.
    private static func depth(of text: UnsafeRawBufferPointer) -> Int {
        var (depth, maximum, isText, isEscaped) = (0, 0, false, false)
        for byte in text where maximum <= maximumDepth {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if isText {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
                maximum = max(maximum, depth)
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
            }
        }
        return maximum
    }

    /// A preset.
    ///
    /// - Parameter rate: In Hz; nil: the preset's own.
    init(preset name: String, rate: Int?) throws(InterfaceError) {
        guard let named = NamedPreset(name) else {
            throw InterfaceError(
                .unknownPreset,
                "unknown preset '\(name.excerpt)': expected the name of a preset, or a model's own file; "
                    + Preset.alternatives(to: name))
        }
        do {
            var tree = try ConfigurationTree(named)
            let configuration = try named.configuration()
            if let rate, let own = configuration.audio.sampleRate, own != rate {
                try tree.set(["audio", "sample_rate"], .whole(rate))
                try self.init(Self.configuration(tree), rate: rate)
            } else {
                try self.init(configuration, rate: rate)
            }
            model = ModelInput(tree, self.configuration)
        } catch {
            throw InterfaceError(error)
        }
    }

    /// A text.
    ///
    /// - Parameter rate: In Hz; nil: that of the configuration.
    init(json text: UnsafeRawBufferPointer, rate: Int?) throws(InterfaceError) {
        guard text.count <= Self.maximumLength else {
            throw InterfaceError(
                .invalidConfiguration,
                "the configuration: expected at most \(Self.maximumLength) bytes, found \(text.count)")
        }
        // Each level takes a part of the stack, which may be small.
        guard Self.depth(of: text) <= Self.maximumDepth else {
            throw InterfaceError(
                .invalidConfiguration,
                "the configuration: expected at most \(Self.maximumDepth) levels of JSON, found more")
        }
        let value: ConfigurationValue
        do {
            value = try JSONDecoder().decode(ConfigurationValue.self, from: Data(text))
        } catch {
            throw InterfaceError(.invalidConfiguration, "the configuration: expected JSON: \(Self.words(of: error))")
        }
        do {
            try self.init(value, rate: rate)
        } catch {
            throw InterfaceError(error)
        }
    }

    private init(_ stated: ConfigurationValue, rate: Int?) throws {
        var stated = stated
        let extended = stated["extends"] ?? .null
        let assignments = stated["set"] ?? .null
        stated["extends"] = nil
        stated["set"] = nil
        let file = stated["model"] ?? .null
        stated["model"] = nil
        var tree = ConfigurationTree(stated)
        let own = tree
        if !extended.isNull {
            guard let name = extended.text, let named = NamedPreset(name) else {
                throw ConfigurationError.invalidValue(
                    key: "extends", found: extended.found,
                    expected: "one of " + Preset.allCases.map(\.rawValue).joined(separator: ", "))
            }
            tree = try ConfigurationTree(named)
            try tree.set(all: stated)
        }
        try tree.assign(assignments)
        // A rate that the text does not state is not a contradiction.
        let isStated = (stated["audio"]?["sample_rate"] ?? assignments["audio.sample_rate"]) != nil
        if let rate, !isStated, tree.root["audio"]?["sample_rate"]?.isNull != true {
            try tree.set(["audio", "sample_rate"], .whole(rate))
        }
        guard !file.isNull else {
            try self.init(Self.configuration(tree), rate: rate)
            model = ModelInput(tree, self.configuration)
            return
        }
        guard extended.isNull, let entries = file.entries, let name = file["name"]?.text,
            entries.allSatisfy({
                ["name", "remarks", "open", "open_remark", "left", "rate"].contains($0.key) && $0.value.text != nil
            })
        else {
            throw ConfigurationError.invalidValue(
                key: "model", found: file.found,
                expected: "the texts name and remarks of a model's own file, without the key extends")
        }
        let open = file["open"]?.text.map {
            ModelInput.Open(section: $0, remark: file["open_remark"]?.text ?? "")
        }
        let left = (file["left"]?.text ?? "").split(separator: " ").map(String.init)
        let usual = ModelInput.Rate(text: file["rate"]?.text, of: own.sampleRate)
        do {
            try self.init(FeatureConfiguration(tree.root), rate: rate)
        } catch let error as ConfigurationError {
            guard let changed = ModelInput(file: name, own, changed: tree, nil, open: open, left: left, rate: usual)
            else {
                throw error
            }
            throw InterfaceError(.invalidConfiguration, changed.refusal(error))
        }
        model = ModelInput(file: name, own, changed: tree, self.configuration, open: open, left: left, rate: usual)
        let said = (file["remarks"]?.text ?? "").split(separator: "\n").map(String.init)
        remarks = (said + [model?.missing].compactMap(\.self)).map { "\(name): \($0)" }
    }

    /// - Throws: `InterfaceError` where it is refused and changes the input of a model, otherwise `ConfigurationError`.
    private static func configuration(_ tree: ConfigurationTree) throws -> FeatureConfiguration {
        do {
            return try FeatureConfiguration(tree.root)
        } catch {
            guard let model = ModelInput(tree, nil) else { throw error }
            throw InterfaceError(.invalidConfiguration, model.refusal(error))
        }
    }

    private init(_ configuration: FeatureConfiguration, rate: Int?) throws(InterfaceError) {
        if let rate, let own = configuration.audio.sampleRate, own != rate {
            throw InterfaceError(
                .invalidConfiguration,
                "configuration audio.sample_rate: this configuration counts frames in samples at \(own) Hz, and the plan is to have "
                    + "\(rate) Hz: leave the plan's rate out, and give that of the samples where features are computed"
            )
        }
        guard let rate = rate ?? configuration.audio.sampleRate else {
            throw InterfaceError(
                .invalidArgument,
                "sample rate: expected a rate in Hz, since features are computed at the recording's own (audio.sample_rate is null); found none"
            )
        }
        (self.configuration, sampleRate) = (configuration, rate)
    }

    /// The configuration as /provenance/configuration in a feature file has it.
    static func text(of configuration: FeatureConfiguration) -> String { (try? configuration.sortedJSON()) ?? "" }

    private static func words(of error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context):
            context.underlyingError.map { "\($0)" } ?? context.debugDescription
        default: "\(error)"
        }
    }
}

extension ConfigurationTree {
    /// Sets the values of a mapping whose keys are paths such as `frame.hop`, kinds first: they decide which other keys exist.
    fileprivate mutating func assign(_ assignments: ConfigurationValue) throws(ConfigurationError) {
        guard !assignments.isNull else { return }
        guard let entries = assignments.entries else {
            throw .invalidValue(
                key: "set", found: assignments.found, expected: "a mapping of keys such as frame.hop to values")
        }
        let sorted = entries.sorted { $0.key < $1.key }
        for isKind in [true, false] {
            for entry in sorted where entry.key.hasSuffix(".kind") == isKind {
                let keys = entry.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                try set(keys, entry.value)
            }
        }
    }
}
