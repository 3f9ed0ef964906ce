import FeatureModel
import Platform
import SignalProcessing

/// Variations from the spectrum to the stored value: bands, cepstra, scale, normalisation. Of equally good ones, the first wins.
enum ValueVariations {
    static func all(_ context: VariationContext) -> [Variation] {
        (context.isMel ? bank(context) : []) + (context.configuration.transform.cepstrum.map(cepstra) ?? [])
            + scales(context) + ScaleVariations.together(context) + normalizations(context)
    }

    private static func bank(_ context: VariationContext) -> [Variation] {
        var list =
            Variation.each("transform.mel_scale", "slaney htk linear")
            + Variation.each("transform.mel_norm", "slaney none")
            + Variation.each("transform.triangles", "hertz mel symmetric")
            + ["power", "magnitude", "real"].map { Variation("transform.spectrum=\($0) transform.spectrum_epsilon=0") }
            + ["1e-9", "1e-6", "1e-5", "1e-10"].map {
                Variation(
                    "transform.spectrum=magnitude transform.spectrum_epsilon=\($0)", note: "sqrt(|X|^2 + \($0))")
            }
            + Variation.each("transform.order", "ascending descending")
        for (program, scale, norm, triangles) in [
            ("librosa's bank", "slaney", "slaney", "hertz"), ("torchaudio's bank", "htk", "none", "hertz"),
            ("Kaldi's bank", "htk", "none", "mel"), ("htk=True of librosa", "htk", "slaney", "hertz"),
            ("norm=None of librosa", "slaney", "none", "hertz"),
        ] {
            list.append(
                Variation(
                    "transform.mel_scale=\(scale) transform.mel_norm=\(norm) transform.triangles=\(triangles)",
                    note: program))
        }
        if context.configuration.transform.bank?.rate != nil {
            list.append(Variation("transform.bank_rate=null", note: "a bank of the samples' own rate"))
            list.append(
                Variation("transform.bank_rate=null transform.high=null", note: "a bank of the samples' own rate"))
        }
        list += [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].filter { $0 != Int(context.rate) }.map {
            Variation("transform.bank_rate=\($0) transform.high=null", note: "a bank computed for \($0) Hz")
        }
        let half = context.rate / 2
        let lows: [Double] = [0, 20, 30, 40, 50, 55, 60, 64, 80, 90, 100, 125, 150, 200, 300, 500]
        list += lows.filter { $0 < half }.map { Variation("transform.low=\($0.word)") }
        let highs: [Double] = [
            half, half - 400, 3800, 4000, 5500, 6000, 6600, 7000, 7500, 7600, 7800, 8000, 10_000, 11_025, 12_000,
            14_000, 15_000, 16_000, 20_000,
        ]
        list += highs.filter { $0 > 0 && $0 <= half }.map { Variation("transform.high=\($0.word)") }
        return list + warps(context)
    }

    /// Vocal tract length normalisation: the factors that Kaldi's programs choose from, and cutoffs of a bank that has one.
    private static func warps(_ context: VariationContext) -> [Variation] {
        guard let bank = context.configuration.transform.bank, bank.scale == .htk else { return [] }
        let none =
            bank.warp == .none
            ? [] : [Variation("transform.vtln_warp=null transform.vtln_low=100 transform.vtln_high=null")]
        guard bank.triangles == .mel || bank.warp != .none else { return none }
        let factors = (80...125).filter { $0 != 100 }.map {
            Variation("transform.vtln_warp=\((Double($0) / 100).word)")
        }
        guard bank.warp != .none else { return factors }
        let half = context.rate / 2
        return none + factors + Variation.each("transform.vtln_low", "60 80 100 150 200 300")
            + [half - 200, half - 400, half - 500, half - 600, half - 1000, 3400, 3500, 7200, 7000]
            .filter { $0 > 0 && $0 < half }.map { Variation("transform.vtln_high=\($0.word)") }
    }

    private static func cepstra(_ cepstrum: CepstrumConfiguration) -> [Variation] {
        let energy = Variation(
            "transform.c0=energy transform.energy=windowed",
            note: "the energy after pre-emphasis and window: raw_energy=false of Kaldi")
        guard cepstrum.zeroth == .energy else { return cepstra + [energy] }
        return cepstra + [energy, Variation("transform.energy=raw")]
            + Variation.each("transform.energy_floor", "0 1 0.1 0.01 1e-10 1e-5")
    }

    private static let cepstra =
        [
            Variation("transform.lifter=0 transform.lifter_form=htk"),
            Variation("transform.lifter=22 transform.lifter_form=htk"),
        ]
        + [10, 12, 16, 20, 24, 26].map { Variation("transform.lifter=\($0) transform.lifter_form=htk") } + [
            Variation("transform.lifter=22 transform.lifter_form=librosa", note: "the weights of librosa's lifter")
        ] + Variation.each("transform.lifter_form", "htk librosa")
        + Variation.each("transform.dct_norm", "ortho htk none")
        + Variation.each("transform.energy=raw transform.energy_floor=0 transform.c0", "first last energy none")
        + Variation.each("transform.bands", "20 23 26 30 40 64 80 128")

    private static func scales(_ context: VariationContext) -> [Variation] {
        var list = Variation.each("scale.kind", "ln log10 db")
        list += Variation.each("scale.top_db=null scale.guard=max scale.kind", "power magnitude")
        if context.configuration.transform != .raw {
            list += Variation.each(
                "scale.top_db=null scale.guard=max scale.kind=power scale.exponent",
                "0.5 \(1.0 / 3) 0.33 0.3 0.25 0.6 \(2.0 / 3) 2")
            list.append(Variation("scale.exponent=1"))
        }
        if context.configuration.scale.kind == .pcen { return list + pcen }
        list.append(Variation("scale.top_db=null scale.kind=pcen", note: "PCEN as librosa's"))
        guard context.isLogarithmic else { return list + whisper }
        list += Variation.each(
            "scale.floor", "1e-10 0x1p-23 1e-5 1e-6 1e-8 1e-12 1e-7 1e-9 1e-11 1e-3 0.01 1e-16 0x1p-24 1 1e-20")
        list += Variation.each("scale.guard", "max add zero")
        for floor in [0x1p-24, 0.01, 0.001, 1e-6, 1e-10, 1e-8, 1e-5, 1, 1e-9, 1e-7, 1e-12] {
            let note = "ln(v + \(floor)) rather than a lower bound"
            list.append(
                Variation(
                    "scale.floor=\(floor.word) scale.guard=add",
                    note: context.configuration.scale.kind == .ln ? note : nil))
        }
        list += Variation.each("scale.top_db", "null 80 60 100 120")
        list += limits(context)
        if context.configuration.scale.isRelativeToMaximum {
            list.append(Variation("scale.reference=1", note: "not relative to the clip's maximum"))
        } else {
            list.append(
                Variation("scale.limit=null scale.reference=max", note: "relative to the clip's maximum: ref=np.max"))
        }
        list.append(Variation("scale.offset=0 scale.factor=1", note: "the logarithm as it is"))
        list.append(
            Variation(
                "scale.top_db=null scale.offset=0 scale.factor=1",
                note: "the logarithm as it is, without Whisper's limits"))
        return list + whisper
    }

    /// The limits that the least value says, where it is one: the distance from the greatest, or a floor.
    private static func limits(_ context: VariationContext) -> [Variation] {
        guard let limits = context.limits else { return [] }
        let scale = context.configuration.scale
        let extent = (limits.greatest - limits.least) / scale.factor
        let half = (extent * 2).rounded() / 2
        let rounding = 1e-5 * max(extent, abs(limits.least), abs(limits.greatest)) / scale.factor
        // Of decibels, natural logarithms and those to the base 10.
        let distances = [1, 10 / log(10), 10].compactMap { unit -> Variation? in
            let decibels = (extent * unit).rounded()
            if decibels > 0, abs(extent - decibels / unit) <= rounding {
                return Variation("scale.top_db=\(decibels.word)")
            }
            guard half > 0, abs(extent - half) <= rounding else { return nil }
            let note = "no value more than \(half.word) below the greatest"
            return Variation("scale.top_db=\((half * unit).word)", note: note)
        }
        return distances
            + floors(context).flatMap { floor in
                ["scale.floor=\(floor)", "scale.floor=\(floor) scale.guard=add"].map { Variation($0) }
            }
    }

    /// The powers of two digits that the least value is the logarithm of.
    static func floors(_ context: VariationContext) -> [String] {
        guard let limits = context.limits else { return [] }
        let scale = context.configuration.scale
        let value = limits.least / scale.factor - scale.offset
        return [exp(value), pow(10, value), pow(10, value / 10)].compactMap { power in
            let floor = power * scale.reference
            guard floor > 1e-30, floor < 1e6 else { return nil }
            let unit = pow(10, (log(floor) / log(10)).rounded(.down) - 1)
            let digits = (floor / unit).rounded()
            guard abs(floor / unit / digits - 1) < 1e-4 else { return nil }
            // The number with these digits, not the product.
            return "\(Int(digits))e\(Int((log(unit) / log(10)).rounded()))"
        }
    }

    /// The keys of PCEN.
    private static let pcen = [
        ("gain", "0.98 0.8 0.5 0.6 0.9 1"), ("bias", "2 1 0.5 10"), ("power", "0.5 0.25 0.1 1"),
        ("eps", "1e-6 1e-5 1e-8 1e-10 1e-12 1e-3"), ("time_constant", "0.4 0.06 0.1 0.395 0.5 1"),
        ("smoothing", "0.025 0.04 0.1 0.05 0.02 0.01 0.005"), ("reference", "1 0x1p-31 0x1p-62 1073741824 0x1p-30"),
        ("smoothing", "null"), ("start", "one first"),
    ].flatMap { key, values in Variation.each("scale.\(key)", values) }

    private static let whisper = [
        Variation(
            "scale.kind=log10 scale.floor=1e-10 scale.top_db=80 scale.offset=4 scale.factor=0.25",
            note: "Whisper's limits: (max(log10 v, maximum - 8) + 4)/4")
    ]

    private static func normalizations(_ context: VariationContext) -> [Variation] {
        let scale = context.configuration.scale
        // A normalisation takes a reference away, which is seen without it.
        let isReferenced = scale.reference != 1 && context.configuration.normalize.scope == .clip
        let normalize = context.configuration.normalize
        var minimum: [Variation] = []
        if normalize.minimum != nil {
            minimum = [Variation("normalize.minimum=null", note: "low values are not cut off")]
        } else if normalize.scope != .none {
            minimum = [Variation("normalize.minimum=0", note: "values below 0 are cut off")]
        }
        return (isReferenced ? [Variation(scope("none") + " scale.reference=1")] : []) + minimum + scopes
            + epsilons(normalize)
    }

    /// What a normalisation by the clip's own spread may add to it. All keys are set: it replaces what made the normalisation.
    private static func epsilons(_ normalize: NormalizeConfiguration) -> [Variation] {
        guard normalize.scope == .clip, normalize.method == .zscore else { return [] }
        return ["std", "variance"].flatMap { placement in
            "1e-12 1e-10 1e-9 1e-8 1e-7 1e-6 1e-5 1e-4 1e-3 1e-2 0.1 1".split(separator: " ").map { epsilon in
                let axis = normalize.axis.rawValue
                return Variation(
                    scope("clip", "zscore", axis, ddof: normalize.ddof, epsilon: String(epsilon), in: placement))
            }
        }
    }

    private static func scope(
        _ scope: String, _ method: String = "zscore", _ axis: String = "bin", ddof: Int = 0, epsilon: String = "0",
        in placement: String = "std"
    ) -> String {
        "normalize.scope=\(scope) normalize.method=\(method) normalize.axis=\(axis) normalize.ddof=\(ddof) "
            + "normalize.epsilon=\(epsilon) normalize.epsilon_in=\(placement) normalize.mean=null normalize.std=null"
            + (scope == "none" ? " normalize.minimum=null" : "")
    }

    private static let scopes: [Variation] = {
        var list = [scope("none")]
        for axis in ["bin", "all"] {
            for ddof in [0, 1] {
                list.append(scope("clip", "zscore", axis, ddof: ddof))
                for placement in ["std", "variance"] {
                    for epsilon in ["1e-5", "1e-3", "1e-2"] {
                        list.append(scope("clip", "zscore", axis, ddof: ddof, epsilon: epsilon, in: placement))
                    }
                }
            }
            for method in ["mean", "minmax", "range"] { list.append(scope("clip", method, axis)) }
        }
        return list.map { Variation($0) }
    }()
}
