import FeatureModel

/// Configurations that together hold every kind of every section, with values that are not the defaults.
enum KindsOfConfiguration {
    static let all = (try? windows() + banks() + others()) ?? []

    private static func with(
        audio: AudioConfiguration? = nil, condition: ConditionConfiguration = .none, frame: FrameConfiguration? = nil,
        _ transform: TransformConfiguration = .fft(bins: nil), _ scale: ScaleConfiguration? = nil
    ) throws -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: audio ?? AudioConfiguration(), condition: condition, frame: frame ?? FrameConfiguration(),
            transform: transform, scale: scale ?? ScaleConfiguration())
    }

    private static func windows() throws -> [FeatureConfiguration] {
        let shapes: [WindowFunction] = [
            .rectangular, .hann, .hamming, .blackman, .blackmanHarris, .nuttall, .bartlett, .flatTop, .povey,
            .kaiser(beta: 14), .kaiser(beta: 0), .kaiser(beta: 8.6), .gaussian(sigma: 1e-7), .gaussian(sigma: 60),
            .gaussian(sigma: 1.0 / 3), .tukey(alpha: 0.5), .tukey(alpha: 1),
        ]
        return try shapes.map { try with(frame: FrameConfiguration(window: $0, symmetric: true)) }
    }

    private static func banks() throws -> [FeatureConfiguration] {
        let mel = try MelConfiguration(
            bins: 40, low: 20, high: 7600, scale: .htk, norm: .none, triangles: .mel, spectrum: .magnitude)
        let linear = try MelConfiguration(bins: 30, low: 100.5, high: 4000, scale: .linear, norm: .none)
        var all: [TransformConfiguration] = [
            .mel(mel), .mel(mel, deltas: try DeltaConfiguration(order: 2, window: 9)), .mel(linear),
        ]
        for zeroth in CepstrumConfiguration.Zeroth.allCases {
            for norm in CepstrumConfiguration.Normalization.allCases {
                all += try [mel, linear].map {
                    .mfcc(
                        try CepstrumConfiguration(
                            bins: 12, bank: $0, norm: norm, lifter: 22.5, zeroth: zeroth,
                            deltas: DeltaConfiguration(order: 1, window: 3)))
                }
                all.append(.lfcc(try CepstrumConfiguration(bins: 29, bank: linear, norm: norm, zeroth: zeroth)))
            }
        }
        return try all.map { try with($0) }
    }

    private static func others() throws -> [FeatureConfiguration] {
        let filter = try DCTFilterConfiguration(mode: .bandPass, low: .bin(20), high: .hertz(3400))
        var all = [
            try with(audio: AudioConfiguration(channels: .number(3), scale: .int16, duration: 29.97)),
            try with(condition: ConditionConfiguration(removeDC: true, dctFilter: filter, preEmphasis: 0.97)),
            try with(
                condition: ConditionConfiguration(
                    dctFilter: DCTFilterConfiguration(
                        mode: .bandStop, low: .hertz(49.5), high: .bin(9), pages: .separate))),
            try with(frame: FrameConfiguration(align: .center, pad: .edge, dropLast: true)),
            try with(frame: FrameConfiguration(align: .center, pad: .zero)),
            try with(frame: FrameConfiguration(align: .kaldi, removeDC: true, preEmphasis: 0.97)),
            try with(.fft(bins: 100, step: 3), ScaleConfiguration(kind: .complex, reference: 0.5)),
        ]
        for type in CosineTransformType.allCases {
            for norm in CosineNormalization.allCases {
                all.append(
                    try with(.dct(bins: 64, type: type, norm: norm), ScaleConfiguration(kind: .linear, limit: -2)))
            }
        }
        for note in ["C1", "A2", "E3", "e4", "B0", "F#3", "Bb-1", "G-1", "D5"] {
            let pitch = MusicalPitch(note: note) ?? .hertz(1)
            all.append(
                try with(.musical(MusicalConfiguration(lowest: pitch, notes: 12, pointsPerNote: 3, tuning: 442.5))))
        }
        all.append(try with(.musical(MusicalConfiguration(lowest: .hertz(27.5), notes: 1))))
        for kind in ScaleConfiguration.Kind.allCases where kind != .linear && kind != .complex {
            let scale = try ScaleConfiguration(
                kind: kind, floor: 1e-7, reference: 20, topDB: kind.isLogarithmic ? 77.5 : nil, offset: -3.25,
                factor: 1e-3, limit: 1e6,
                pcen: PCENConfiguration(gain: 0, bias: 1e-6, power: 0.25, timeConstant: 0.06, epsilon: 1e-12))
            all.append(try with(.fft(bins: 9), scale))
        }
        return all
    }
}
