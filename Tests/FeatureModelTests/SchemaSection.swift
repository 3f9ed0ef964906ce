import Testing

/// A section of a configuration, of one kind where there are several, and its definition in the schema.
struct SchemaSection: Sendable, CustomTestStringConvertible {
    /// Its name among the schema's definitions.
    let definition: String
    /// Where it is in a configuration.
    let path: [String]
    /// Keys that it needs, as JSON.
    private let own: String

    var testDescription: String { definition }

    private init(_ definition: String, _ path: [String], _ own: String = "") {
        (self.definition, self.path, self.own) = (definition, path, own)
    }

    private static func kind(_ name: String) -> String { "\"kind\":\"\(name)\"" }

    static let all =
        ["audio", "condition", "frame", "normalize", "rows", "patches", "store"].map { SchemaSection($0, [$0]) }
        + ["fft", "dct", "mel", "mfcc", "lfcc", "musical"].map { SchemaSection($0, ["transform"], kind($0)) }
        + [
            SchemaSection("plain_scale", ["scale"]), SchemaSection("pcen", ["scale"], kind("pcen")),
            SchemaSection("kaiser", ["frame", "window"], kind("kaiser") + #","beta":8"#),
            SchemaSection("gaussian", ["frame", "window"], kind("gaussian") + #","sigma":50"#),
            SchemaSection("tukey", ["frame", "window"], kind("tukey") + #","alpha":0.5"#),
            SchemaSection("peak_gain", ["condition", "gain"], kind("peak")),
            SchemaSection("minmax_gain", ["condition", "gain"], kind("minmax")),
            SchemaSection("zscore_gain", ["condition", "gain"], kind("zscore")),
            SchemaSection("rms_gain", ["condition", "gain"], kind("rms")),
            SchemaSection("clamp_gain", ["condition", "gain"], kind("clamp")),
            SchemaSection("dct_filter", ["condition", "dct_filter"], #""mode":"band_pass","low":0,"high":4000"#),
        ]

    /// A configuration with the section.
    ///
    /// - Parameters:
    ///   - keys: What is set in it, as JSON; replaces a key that it needs.
    ///   - key: The key that is probed: others that its values depend on are set so that they allow all of them.
    func json(_ keys: String, probing key: String? = nil) -> String {
        let needed = own.split(separator: ",").map(String.init).filter { own in
            keys.isEmpty || !keys.hasPrefix(String(own.prefix { $0 != ":" }) + ":")
        }
        let company = key.flatMap { Self.company["\(definition).\($0)"] } ?? ""
        let inner = (needed + [company, keys]).filter { !$0.isEmpty }.joined(separator: ",")
        let outer = key.flatMap { Self.companyOutside["\(definition).\($0)"] } ?? ""
        let text = path.reversed().reduce("{\(inner)}") { "{\"\($1)\":\($0)}" }
        return outer.isEmpty ? text : "{\(outer),\(text.dropFirst())"
    }

    /// The same in other sections: at 1 Hz, 25 ms are less than a sample.
    private static let companyOutside = [
        "audio.sample_rate": #""frame":{"length":1,"hop":1,"fft_length":1},"transform":{"kind":"fft"}"#,
        "store.layout": #""audio":{"duration":3}"#, "frame.rounding": #""audio":{"sample_rate":null}"#,
    ]

    /// What a key needs in its section for all of its values to be allowed.
    private static let company = [
        "frame.length": #""fft_length":null"#, "frame.fft_length": #""length":1"#,
        "frame.rounding": #""length":"25 ms","hop":"10 ms""#, "frame.drop_last": #""align":"center""#,
        "mfcc.bins": #""bands":8192"#, "mfcc.bands": #""bins":1"#, "lfcc.bins": #""bands":8192"#,
        "lfcc.bands": #""bins":1"#, "musical.notes": #""lowest":0.001"#, "musical.tuning": #""notes":1"#,
        "normalize.mean": #""scope":"constant","std":1"#, "normalize.std": #""scope":"constant","mean":0"#,
        "audio.fit": #""duration":3"#, "audio.crop": #""duration":3"#, "plain_scale.exponent": #""kind":"power""#,
        "rows.resize_method": #""resize":0.5"#, "rows.resize_multiple": #""resize":0.5"#,
        "rows.fill": #""count":9"#, "rows.fill_order": #""count":9"#,
        "condition.pre_emphasis_first": #""pre_emphasis":0.5"#, "mel.spectrum_epsilon": #""spectrum":"magnitude""#,
        "mfcc.spectrum_epsilon": #""spectrum":"magnitude""#, "lfcc.spectrum_epsilon": #""spectrum":"magnitude""#,
        "mfcc.lifter_form": #""lifter":22"#, "lfcc.lifter_form": #""lifter":22"#, "patches.lead": #""length":65536"#,
        "mfcc.energy": #""c0":"energy""#, "lfcc.energy": #""c0":"energy""#, "mfcc.energy_floor": #""c0":"energy""#,
        "lfcc.energy_floor": #""c0":"energy""#, "mel.vtln_low": #""vtln_warp":1"#, "mfcc.vtln_low": #""vtln_warp":1"#,
        "mel.vtln_high": #""vtln_warp":1,"vtln_low":1e-12"#, "mfcc.vtln_high": #""vtln_warp":1,"vtln_low":1e-12"#,
        "patches.hop": #""length":65536"#, "patches.rest": #""length":9"#, "patches.stacked": #""length":9"#,
    ]
}
