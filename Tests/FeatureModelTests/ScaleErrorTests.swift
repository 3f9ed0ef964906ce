import FeatureModel
import Testing

struct ScaleErrorTests {
    typealias Case = RefusedConfiguration

    private static let noTopDB = "null, or a scale.kind of db, ln or log10"

    @Test(arguments: [
        Case(
            #"{"scale":{"floor":0}}"#, "scale.floor", found: "0", expected: "1.2e-38 to 3.4e38 (every logarithm has"
        ),
        Case(#"{"scale":{"floor":-1}}"#, "scale.floor", found: "-1", expected: "1.2e-38"),
        Case(#"{"scale":{"reference":0}}"#, "scale.reference", found: "0", expected: "1.2e-38"),
        Case(#"{"scale":{"reference":1e39}}"#, "scale.reference", found: "1e+39", expected: "3.4e38"),
        Case(#"{"scale":{"factor":0}}"#, "scale.factor", found: "0", expected: "1.2e-38 to 3.4e38"),
        Case(#"{"scale":{"factor":-0.25}}"#, "scale.factor", found: "-0.25", expected: "1.2e-38 to 3.4e38"),
        Case(#"{"scale":{"offset":1e39}}"#, "scale.offset", found: "1e+39", expected: "-3.4e38 to 3.4e38"),
        Case(#"{"scale":{"limit":-1e39}}"#, "scale.limit", found: "-1e+39", expected: "-3.4e38 to 3.4e38"),
        Case(#"{"scale":{"limit":"all"}}"#, "scale.limit", found: "'all'", expected: "null or a number"),
        Case(#"{"scale":{"offset":"x"}}"#, "scale.offset", found: "'x'", expected: "a number"),
    ])
    func `floor, reference and factor are positive, the others finite`(example: Case) throws { try example.check() }

    @Test(arguments: [
        Case(#"{"scale":{"top_db":-1}}"#, "scale.top_db", found: "-1", expected: "null or 0 dB or more"),
        Case(
            #"{"scale":{"top_db":"80 dB"}}"#, "scale.top_db", found: "'80 dB'", expected: "null or a number of dB"),
        Case(
            #"{"scale":{"kind":"power","top_db":80}}"#, "scale.top_db", found: "80.0 with scale.kind: power",
            expected: noTopDB),
        Case(
            #"{"scale":{"kind":"pcen","top_db":80}}"#, "scale.top_db", found: "with scale.kind: pcen",
            expected: noTopDB),
        Case(
            #"{"transform":{"kind":"dct"},"scale":{"kind":"linear","top_db":80}}"#, "scale.top_db",
            found: "with scale.kind: linear", expected: noTopDB),
    ])
    func `top_db is 0 dB or more, with a logarithm`(example: Case) throws { try example.check() }

    @Test(arguments: [
        Case(#"{"scale":{"kind":"pcen","gain":-1}}"#, "scale.gain", found: "-1", expected: "0.0 to 100.0"),
        Case(#"{"scale":{"kind":"pcen","bias":0}}"#, "scale.bias", found: "0", expected: "1e-30 to 1e+30"),
        Case(#"{"scale":{"kind":"pcen","power":0}}"#, "scale.power", found: "0", expected: "1e-06 to 100.0"),
        Case(
            #"{"scale":{"kind":"pcen","time_constant":0}}"#, "scale.time_constant", found: "0",
            expected: "1e-06 to 3600.0"),
        Case(#"{"scale":{"kind":"pcen","eps":0}}"#, "scale.eps", found: "0", expected: "1e-30 to 1e+30"),
        Case(#"{"scale":{"kind":"pcen","eps":"x"}}"#, "scale.eps", found: "'x'", expected: "a number"),
        Case(
            #"{"scale":{"kind":"ln","gain":1}}"#, "scale.gain", found: "with kind: ln",
            expected: "only kind, floor, reference, "),
        Case(#"{"scale":{"eps":1}}"#, "scale.eps", found: "with kind: ln", expected: "only kind, floor"),
    ])
    func `PCEN's parameters have ranges, and go with PCEN alone`(example: Case) throws { try example.check() }

    /// The scales that each kind of transform allows.
    private static let allowed: [TransformConfiguration.Kind: [ScaleConfiguration.Kind]] = [
        .fft: [.magnitude, .power, .db, .ln, .log10, .complex, .pcen],
        .dct: [.magnitude, .power, .db, .ln, .log10, .linear, .pcen],
        .mel: [.magnitude, .power, .db, .ln, .log10, .pcen], .mfcc: [.magnitude, .power, .db, .ln, .log10],
        .lfcc: [.magnitude, .power, .db, .ln, .log10], .musical: [.magnitude, .power, .db, .ln, .log10],
        .raw: [.linear],
    ]

    @Test(arguments: TransformConfiguration.Kind.allCases)
    func `each transform allows the scales that mean something for it`(transform: TransformConfiguration.Kind) throws {
        let allowed = try #require(Self.allowed[transform])
        for scale in ScaleConfiguration.Kind.allCases {
            let frame = transform == .raw ? #""frame":{"window":"rectangular"},"# : ""
            let json =
                #"{\#(frame)"transform":{"kind":"\#(transform.rawValue)"},"scale":{"kind":"\#(scale.rawValue)"}}"#
            guard !allowed.contains(scale) else {
                #expect(try configuration(json).scale.kind == scale)
                continue
            }
            try RefusedConfiguration(
                json, "scale.kind", found: "\(scale.rawValue) with transform.kind: \(transform.rawValue)",
                expected: "one of \(allowed.map(\.rawValue).joined(separator: ", ")) for this transform"
            ).check()
        }
    }
}
