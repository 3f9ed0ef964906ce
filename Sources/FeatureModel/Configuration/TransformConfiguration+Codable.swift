extension TransformConfiguration.Kind {
    /// The keys that stand beside this kind.
    var keys: [String] {
        switch self {
        case .fft: ["bins", "step"]
        case .dct: ["bins", "type", "norm"]
        case .mel: ["bins"] + MelConfiguration.keys + DeltaConfiguration.keys
        case .mfcc: CepstrumConfiguration.keys
        case .lfcc: CepstrumConfiguration.linearKeys
        case .musical: MusicalConfiguration.keys
        }
    }
}

extension TransformConfiguration.Kind {
    /// The settings that this kind and another share: keys of this one, and what they are called beside the other.
    ///
    /// Bands are counted by `bins` where they are the result and by `bands` where cepstra are made of them; `bins` of a transform,
    /// of bands and of cepstra are different things. Notes share nothing with the others.
    package func keysKept(for other: Self) -> [String: String] {
        var kept = Dictionary(uniqueKeysWithValues: Set(keys).intersection(other.keys).map { ($0, $0) })
        guard self != other else { return kept }
        let (bands, otherBands) = (bandsKey, other.bandsKey)
        if bands != otherBands || bands == "bins" { kept["bins"] = nil }
        if let bands, let otherBands { kept[bands] = otherBands }
        return kept
    }

    /// The key that counts the bands of the filter bank; nil: there is none.
    private var bandsKey: String? {
        switch self {
        case .mel: "bins"
        case .mfcc, .lfcc: "bands"
        case .fft, .dct, .musical: nil
        }
    }
}

extension TransformConfiguration: Codable {
    /// Reads the `transform` section; the other keys depend on `kind`.
    public init(from decoder: any Decoder) throws {
        let kind = try SectionReader(decoder).choice("kind", default: Kind.mel)
        let section = try SectionReader(
            decoder, keys: ["kind"] + kind.keys, ofOthers: Kind.allCases.flatMap(\.keys), kind: kind.rawValue,
            owners: { key in Kind.allCases.filter { $0.keys.contains(key) }.map(\.rawValue) })
        func bins() throws -> Int? {
            guard section.has("bins") else { return nil }
            let expected = "null or a whole number from 1"
            let bins = try section.value("bins", default: 0, expected: expected)
            guard bins >= 1 else { throw section.invalid("bins", expected: expected) }
            return bins
        }
        switch kind {
        case .fft:
            self = .fft(bins: try bins(), step: try section.integer("step", default: 1, in: 1...Self.greatestStep))
        case .dct:
            let number = try section.integer("type", default: 2, in: 1...4)
            self = .dct(
                bins: try bins(), type: CosineTransformType(rawValue: number) ?? .two,
                norm: try section.choice("norm", default: .none))
        case .mel:
            self = .mel(
                try MelConfiguration(section, bands: "bins", default: 80), deltas: try DeltaConfiguration(section))
        case .mfcc: self = .mfcc(try CepstrumConfiguration(section, isLinear: false))
        case .lfcc: self = .lfcc(try CepstrumConfiguration(section, isLinear: true))
        case .musical: self = .musical(try MusicalConfiguration(section))
        }
    }

    /// The greatest distance of two bins that are kept.
    public static let greatestStep = FrameConfiguration.longest

    /// Writes the keys that this kind has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(kind, forKey: AnyCodingKey("kind"))
        switch self {
        case .fft(let bins, let step):
            try container.encode(bins, forKey: AnyCodingKey("bins"))
            try container.encode(step, forKey: AnyCodingKey("step"))
        case .dct(let bins, let type, let norm):
            try container.encode(bins, forKey: AnyCodingKey("bins"))
            try container.encode(type, forKey: AnyCodingKey("type"))
            try container.encode(norm, forKey: AnyCodingKey("norm"))
        case .mel(let mel, let deltas):
            try container.encode(mel.bins, forKey: AnyCodingKey("bins"))
            try mel.encode(to: &container)
            try deltas.encode(to: &container)
        case .mfcc(let cepstrum): try cepstrum.encode(to: &container, isLinear: false)
        case .lfcc(let cepstrum): try cepstrum.encode(to: &container, isLinear: true)
        case .musical(let musical): try musical.encode(to: &container)
        }
    }
}
