import FeatureModel
import SignalProcessing

/// Variations from the spectrum to the stored value: bands, cepstra, scale, normalisation. Of equally good ones, the first wins.
enum ValueVariations {
    static func all(_ context: VariationContext) -> [Variation] {
        (context.isMel ? bank(context) : []) + (context.configuration.transform.cepstrum == nil ? [] : cepstra)
            + scales(context) + ScaleVariations.together(context) + normalizations(context)
    }

    private static func bank(_ context: VariationContext) -> [Variation] {
        let (scale, norm, triangles) = ("transform.mel_scale", "transform.mel_norm", "transform.triangles")
        var list = ConfigurationValue.names("slaney", "htk", "linear").map { Variation(scale, $0) }
        list += ConfigurationValue.names("slaney", "none").map { Variation(norm, $0) }
        list += ConfigurationValue.names("hertz", "mel", "symmetric").map { Variation(triangles, $0) }
        list += ConfigurationValue.names("power", "magnitude", "real").map { Variation("transform.spectrum", $0) }
        list += ConfigurationValue.names("ascending", "descending").map { Variation("transform.order", $0) }
        for (program, values) in [
            ("librosa's bank", ["slaney", "slaney", "hertz"]), ("torchaudio's bank", ["htk", "none", "hertz"]),
            ("Kaldi's bank", ["htk", "none", "mel"]), ("htk=True of librosa", ["htk", "slaney", "hertz"]),
            ("norm=None of librosa", ["slaney", "none", "hertz"]),
        ] {
            list.append(
                Variation(zip([scale, norm, triangles], values).map { ($0, .text($1)) }, note: program))
        }
        let half = context.rate / 2
        let lows: [Double] = [0, 20, 30, 40, 50, 55, 60, 64, 80, 90, 100, 125, 150, 200, 300, 500]
        list += lows.filter { $0 < half }.map { Variation("transform.low", .amount($0)) }
        let highs: [Double] = [
            half, half - 400, 3800, 4000, 5500, 6000, 6600, 7000, 7500, 7600, 7800, 8000, 10_000, 11_025, 12_000,
            14_000, 15_000, 16_000, 20_000,
        ]
        list += highs.filter { $0 > 0 && $0 <= half }.map { Variation("transform.high", .amount($0)) }
        return list
    }

    private static let cepstra: [Variation] = [
        ConfigurationValue.numbers(0, 22).map { Variation("transform.lifter", $0) },
        ConfigurationValue.names("ortho", "htk", "none").map { Variation("transform.dct_norm", $0) },
        ConfigurationValue.names("first", "last", "energy", "none").map { Variation("transform.c0", $0) },
        ConfigurationValue.numbers(20, 23, 26, 30, 40, 64, 80, 128).map { Variation("transform.bands", $0) },
    ].flatMap(\.self)

    private static func scales(_ context: VariationContext) -> [Variation] {
        var list: [Variation] = []
        let plain = [("scale.top_db", ConfigurationValue.null), ("scale.guard", .text("max"))]
        for kind in ["ln", "log10", "db"] { list.append(Variation("scale.kind", .text(kind))) }
        for kind in ["power", "magnitude"] { list.append(Variation(plain + [("scale.kind", .text(kind))])) }
        if context.configuration.transform != .raw {
            for exponent in [0.5, 1.0 / 3, 0.33, 0.3, 0.25, 0.6, 2.0 / 3, 2] {
                list.append(
                    Variation(plain + [("scale.kind", .text("power")), ("scale.exponent", .amount(exponent))]))
            }
            list.append(Variation("scale.exponent", .whole(1)))
        }
        if context.configuration.scale.kind == .pcen { return list + pcen }
        list.append(Variation([("scale.top_db", .null), ("scale.kind", .text("pcen"))], note: "PCEN as librosa's"))
        guard context.isLogarithmic else { return list + whisper }
        let floors: [Double] = [
            1e-10, Double(Float.ulpOfOne), 1e-5, 1e-6, 1e-8, 1e-12, 1e-7, 1e-9, 1e-11, 1e-3, 0.01, 1e-16, 0x1p-24, 1,
            1e-20,
        ]
        for floor in floors { list.append(Variation("scale.floor", .amount(floor))) }
        for guarding in ["max", "add"] { list.append(Variation("scale.guard", .text(guarding))) }
        for floor in [0x1p-24, 0.01, 0.001, 1e-6, 1e-10, 1e-8, 1e-5, 1] {
            let note = "ln(v + \(floor)) rather than a lower bound"
            list.append(
                Variation(
                    [("scale.floor", .amount(floor)), ("scale.guard", .text("add"))],
                    note: context.configuration.scale.kind == .ln ? note : nil))
        }
        list.append(Variation("scale.top_db", .null))
        for limit in [80.0, 60, 100, 120] { list.append(Variation("scale.top_db", .amount(limit))) }
        list.append(
            Variation([("scale.offset", .whole(0)), ("scale.factor", .whole(1))], note: "the logarithm as it is"))
        list.append(
            Variation(
                [("scale.top_db", .null), ("scale.offset", .whole(0)), ("scale.factor", .whole(1))],
                note: "the logarithm as it is, without Whisper's limits"))
        return list + whisper
    }

    /// The keys of PCEN.
    private static let pcen: [Variation] =
        [
            ("gain", [0.98, 0.8, 0.5, 0.6, 0.9, 1]), ("bias", [2, 1, 0.5, 10]), ("power", [0.5, 0.25, 0.1, 1]),
            ("eps", [1e-6, 1e-5, 1e-8, 1e-10, 1e-12, 1e-3]), ("time_constant", [0.4, 0.06, 0.1, 0.395, 0.5, 1]),
            ("smoothing", [0.025, 0.04, 0.1, 0.05, 0.02, 0.01, 0.005]),
            ("reference", [1, 0x1p-31, 0x1p-62, 0x1p30, 0x1p-30]),
        ].flatMap { key, values in values.map { Variation("scale.\(key)", .amount($0)) } } + [
            Variation("scale.smoothing", .null), Variation("scale.start", .text("one")),
            Variation("scale.start", .text("first")),
        ]

    private static let whisper = [
        Variation(
            [
                ("scale.kind", .text("log10")), ("scale.floor", .number(1e-10)), ("scale.top_db", .whole(80)),
                ("scale.offset", .whole(4)), ("scale.factor", .number(0.25)),
            ], note: "Whisper's limits: (max(log10 v, maximum - 8) + 4)/4")
    ]

    private static func normalizations(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        // A normalisation takes a reference away, which is seen without it.
        let isReferenced = scale.reference != 1 && context.configuration.normalize.scope == .clip
        let plain = isReferenced ? [scopes[0].with(("scale.reference", .whole(1)))] : []
        return plain + scopes
    }

    private static let scopes: [Variation] = {
        func scope(
            _ scope: String, _ method: String = "zscore", _ axis: String = "bin", ddof: Int = 0, epsilon: Double = 0,
            in placement: String = "std", note: String? = nil
        ) -> Variation {
            Variation(
                [
                    ("normalize.scope", .text(scope)), ("normalize.method", .text(method)),
                    ("normalize.axis", .text(axis)), ("normalize.ddof", .whole(ddof)),
                    ("normalize.epsilon", .amount(epsilon)), ("normalize.epsilon_in", .text(placement)),
                    ("normalize.mean", .null), ("normalize.std", .null),
                ], note: note)
        }
        var list = [scope("none")]
        for axis in ["bin", "all"] {
            for ddof in [0, 1] {
                list.append(scope("clip", "zscore", axis, ddof: ddof))
                for epsilon in [1e-5, 1e-3, 1e-2] {
                    list.append(scope("clip", "zscore", axis, ddof: ddof, epsilon: epsilon))
                }
                for epsilon in [1e-5, 1e-3, 1e-2] {
                    list.append(scope("clip", "zscore", axis, ddof: ddof, epsilon: epsilon, in: "variance"))
                }
            }
            for method in ["mean", "minmax", "range"] { list.append(scope("clip", method, axis)) }
        }
        return list
    }()
}
