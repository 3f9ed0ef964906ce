import FeatureModel
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

/// A detail in which another program differs, and the finding that is expected.
struct BrokenDetail: Sendable, CustomTestStringConvertible {
    let preset: Preset
    /// Settings in which both differ from the preset.
    let base: [(String, ConfigurationValue)]
    /// What the other program does.
    let broken: [(String, ConfigurationValue)]
    /// The keys that an explanation names; others with the same effect are not accepted.
    let keys: Set<String>

    init(
        _ broken: [(String, ConfigurationValue)], _ preset: Preset = .logMel,
        base: [(String, ConfigurationValue)] = [], keys: Set<String>? = nil
    ) {
        (self.broken, self.preset, self.base) = (broken, preset, base)
        self.keys = keys ?? Set(broken.map(\.0))
    }

    init(
        _ key: String, _ value: ConfigurationValue, _ preset: Preset = .logMel,
        base: [(String, ConfigurationValue)] = [], keys: Set<String>? = nil
    ) {
        self.init([(key, value)], preset, base: base, keys: keys)
    }

    var testDescription: String {
        "\(preset.rawValue) "
            + broken.map { "\($0.0)=\(Variation.Assignment(key: $0.0, value: $0.1).valueText)" }
            .joined(separator: " ")
    }

    static let single: [BrokenDetail] = [
        .init("transform.mel_scale", .text("htk")), .init("transform.mel_norm", .text("none")),
        .init("transform.triangles", .text("mel")), .init("transform.triangles", .text("symmetric")),
        .init("transform.spectrum", .text("magnitude")), .init("transform.low", .whole(20)),
        .init("transform.low", .whole(64)), .init("transform.high", .whole(7600)),
        .init("transform.high", .whole(4000)), .init("transform.bins", .whole(64)),
        // Edges that nobody else has are found between the usual ones.
        .init("transform.low", .whole(53)), .init("transform.low", .whole(133)), .init("transform.high", .whole(7350)),
        .init("transform.low", .whole(10), .kaldiFBank), .init("transform.high", .whole(7950), .kaldiFBank),
        .init("transform.deltas", .whole(2)),
        .init("frame.window", .text("hamming")), .init("frame.window", .text("povey")),
        .init("frame.symmetric", .flag(true)), .init("frame.window", .text("rectangular")),
        .init("frame.remove_dc", .flag(true)), .init("frame.pre_emphasis", .number(0.97)),
        // A periodic Hann window is 0 at the first sample of a frame, so it is the same of the signal and of each frame.
        .init("condition.pre_emphasis", .number(0.97), keys: ["frame.pre_emphasis"]),
        .init("condition.remove_dc", .flag(true)),
        .init("frame.fft_length", .whole(1024)),
        .init("frame.length", .whole(512)), .init("frame.hop", .whole(200)),
        // A time that was rounded otherwise, where it is not a whole number of ms.
        .init("frame.hop", .whole(156), base: [("frame.hop", .whole(155))]),
        .init("frame.length", .whole(394), base: [("frame.length", .whole(395))]),
        .init("frame.align", .text("center")), .init("frame.align", .text("kaldi")),
        .init("audio.scale", .text("int16")), .init("scale.kind", .text("log10")), .init("scale.kind", .text("db")),
        .init("scale.kind", .text("power")), .init("scale.floor", .number(1e-5)),
        .init("scale.floor", .number(1e-6)), .init("scale.top_db", .whole(80)),
        .init(
            "condition.gain",
            .mapping([.init(key: "kind", value: .text("peak")), .init(key: "level", value: .whole(1))])),
        .init("audio.duration", .number(1.5)),
        .init("frame.window", .text("hann"), .kaldiFBank), .init("frame.remove_dc", .flag(false), .kaldiFBank),
        .init("audio.scale", .text("unit"), .kaldiFBank), .init("transform.low", .whole(0), .kaldiFBank),
        .init("transform.bins", .whole(80), .kaldiFBank), .init("transform.triangles", .text("hertz"), .kaldiFBank),
        .init("frame.align", .text("kaldi"), .kaldiFBank),
        .init("transform.energy", .text("windowed"), .kaldiMFCC),
        .init("transform.vtln_warp", .number(1.1), .kaldiFBank),
        .init("frame.window_at", .text("left"), .parakeet),
        .init("transform.lifter", .whole(0), .kaldiMFCC), .init("transform.c0", .text("first"), .kaldiMFCC),
        .init("frame.drop_last", .flag(false), .whisper), .init("scale.kind", .text("ln"), .whisper),
        .init("frame.pad", .text("reflect"), .librosaLogMel), .init("scale.top_db", .null, .librosaLogMel),
        .init("transform.bins", .whole(40), .librosaLogMel),
    ]

    static let several: [BrokenDetail] = [
        .init([("transform.low", .whole(53)), ("frame.window", .text("hamming"))], .kaldiFBank),
        // Of cepstra, either edge alone hardly shows.
        .init([("transform.low", .whole(20)), ("transform.high", .whole(7600))], .htkMFCC),
        .init([("transform.low", .whole(300)), ("transform.high", .whole(5500))], .htkMFCC),
        .init([("frame.window", .text("hamming")), ("transform.mel_scale", .text("htk"))]),
        .init(
            [("transform.high", .whole(7600)), ("scale.kind", .text("db"))], keys: ["transform.high", "scale.kind"]),
        .init([("frame.align", .text("center")), ("transform.mel_norm", .text("none"))]),
        .init([
            ("transform.mel_scale", .text("htk")), ("transform.mel_norm", .text("none")),
            ("transform.triangles", .text("mel")),
        ]),
        .init([("scale.floor", .number(0x1p-24)), ("scale.guard", .text("add"))]),
        .init([("normalize.scope", .text("clip"))], keys: ["normalize.scope"]),
        .init([("normalize.scope", .text("clip")), ("normalize.ddof", .whole(1))]),
        .init(
            [("normalize.scope", .text("clip")), ("normalize.method", .text("mean"))],
            keys: ["normalize.scope", "normalize.method"]),
        .init(
            [("normalize.scope", .text("clip")), ("normalize.axis", .text("all"))],
            keys: ["normalize.scope", "normalize.axis"]),
        .init(
            [("normalize.scope", .text("clip")), ("frame.window", .text("hamming"))],
            keys: ["normalize.scope", "frame.window"]),
        .init([("transform.bins", .whole(64)), ("transform.mel_scale", .text("htk"))]),
        .init(
            [("frame.pre_emphasis", .whole(0)), ("condition.pre_emphasis", .number(0.97))], .kaldiFBank),
        .init([("audio.scale", .text("unit")), ("frame.window", .text("hamming"))], .kaldiFBank),
        .init(
            [("scale.top_db", .null), ("scale.offset", .whole(0)), ("scale.factor", .whole(1))], .whisper),
    ]

    /// A gain of the waveform.
    private static func gain(_ kind: String, _ keys: (String, Double)...) -> ConfigurationValue {
        .mapping(
            [.init(key: "kind", value: .text(kind))]
                + keys.map { .init(key: $0.0, value: .number($0.1)) })
    }

    private static let raw: [(String, ConfigurationValue)] = [
        ("transform.kind", .text("raw")), ("scale.kind", .text("linear")), ("frame.window", .text("rectangular")),
    ]
    private static let samples =
        raw + [("frame.length", .whole(1)), ("frame.hop", .whole(1)), ("frame.fft_length", .whole(1))]
    private static let pcen: [(String, ConfigurationValue)] = [("scale.kind", .text("pcen"))]
    private static let second: [(String, ConfigurationValue)] = [("audio.duration", .number(1.5))]
    private static let half: [(String, ConfigurationValue)] = [("audio.duration", .number(0.5))]
    private static let epsilon: [(String, ConfigurationValue)] = [("normalize.epsilon", .number(0.01))]
    private static let hundred: [(String, ConfigurationValue)] = [("rows.count", .whole(100))]

    private static let patches: [(String, ConfigurationValue)] = [("patches.length", .whole(20))]
    private static let power: [(String, ConfigurationValue)] = [("scale.kind", .text("power"))]

    /// Details of several keys that fit together alone, and of patches.
    static let together: [BrokenDetail] = [
        .init(
            [("normalize.scope", .text("none")), ("scale.reference", .whole(1))], .parakeet,
            keys: ["normalize.scope", "scale.reference", "normalize.ddof", "normalize.epsilon"]),
        // The sum of the squared periodic Hann window of 400 samples is 150.
        .init([("scale.reference", .whole(150)), ("scale.floor", .number(1.5e-8))]),
        .init([("scale.reference", .whole(512)), ("scale.floor", .number(5.12e-8))]),
        .init([("scale.kind", .text("ln")), ("scale.top_db", .number(34.74355855226014))], .whisper),
        .init(
            [("transform.spectrum", .text("magnitude")), ("scale.exponent", .whole(2))], base: power,
            keys: ["transform.spectrum", "scale.exponent"]),
        .init(
            [("transform.spectrum", .text("magnitude")), ("scale.exponent", .number(0.6))],
            base: power + [("scale.exponent", .number(0.3)), ("transform.spectrum", .text("real"))]),
        .init(
            [
                ("scale.kind", .text("pcen")), ("scale.reference", .number(0x1p-31)),
                ("transform.spectrum", .text("magnitude")),
            ]),
        .init([("frame.fft_length", .null), ("frame.length", .whole(4096))], .librosaLogMel),
        .init("patches.hop", .whole(10), base: patches), .init("patches.length", .null, base: patches),
        .init("patches.rest", .text("fill"), base: patches),
    ]

    private static let constant: [(String, ConfigurationValue)] = [
        ("normalize.scope", .text("constant")), ("normalize.mean", .number(-6)), ("normalize.std", .number(4)),
    ]
    /// A normalisation by the clip.
    private static func clip(_ keys: (String, ConfigurationValue)...) -> [(String, ConfigurationValue)] {
        [("normalize.scope", .text("clip")), ("normalize.mean", .null), ("normalize.std", .null)] + keys
    }
    /// Values up to a distance from the greatest, and a number that is added to all.
    private static func added(_ floor: Double, top: ConfigurationValue) -> [(String, ConfigurationValue)] {
        [("scale.floor", .number(floor)), ("scale.guard", .text("add")), ("scale.top_db", top)]
    }

    /// Details of a normalisation, and limits of logarithms, several at once.
    static let ofValues: [BrokenDetail] = [
        .init(clip(("normalize.axis", .text("all"))), base: constant),
        .init(
            clip(("normalize.axis", .text("all")), ("normalize.ddof", .whole(1)), ("normalize.epsilon", .number(1e-5))),
            base: constant),
        .init(clip(("normalize.ddof", .whole(1)), ("normalize.epsilon", .number(1e-3))), base: constant),
        .init([
            ("normalize.scope", .text("clip")), ("normalize.axis", .text("all")), ("normalize.ddof", .whole(1)),
        ]),
        .init([
            ("normalize.scope", .text("clip")), ("normalize.ddof", .whole(1)), ("normalize.epsilon", .number(1e-4)),
        ]),
        .init([
            ("normalize.scope", .text("clip")), ("normalize.epsilon", .number(1e-2)),
            ("normalize.epsilon_in", .text("variance")),
        ]),
        .init("normalize.epsilon", .number(0.1), .parakeet),
        .init(added(1e-6, top: .null), .librosaLogMel), .init(added(1e-6, top: .number(60)), .librosaLogMel),
        .init(added(1e-8, top: .number(50))),
        // Natural logarithms up to 8 below the greatest.
        .init("scale.top_db", .number(80 / 2.302585092994046)), .init("scale.top_db", .whole(50)),
        .init("scale.floor", .number(3e-5)),
        .init([("scale.floor", .number(2e-4)), ("scale.guard", .text("add"))]),
    ]

    /// Details of rows, lengths, samples and PCEN.
    static let ofModels: [BrokenDetail] = [
        .init("rows.count", .whole(300)), .init("rows.count", .whole(40)), .init("rows.multiple", .whole(16)),
        .init([("rows.count", .whole(300)), ("rows.fill", .whole(-5))]), .init("rows.multiple", .whole(16), .parakeet),
        .init([("rows.count", .whole(300)), ("rows.fill_order", .text("before"))], .ast, base: [("rows", .null)]),
        .init([("rows.count", .whole(300)), ("rows.fill", .number(-0.5))], .ast, base: [("rows", .null)]),
        .init([("rows.count", .whole(100)), ("rows.fill_order", .text("before"))], .parakeet),
        .init("rows.fill", .whole(1), base: hundred), .init("rows.count", .null, base: hundred),
        .init("rows.fill_order", .text("after"), .ast, base: hundred),
        .init("rows.fill_order", .text("before"), .parakeet, base: hundred),
        .init([("audio.duration", .number(1.5)), ("audio.fit", .text("repeat"))]),
        .init([("audio.duration", .number(2.5)), ("audio.fit", .text("repeat_pad"))]),
        .init("audio.fit", .text("repeat"), base: second), .init("audio.crop", .text("center"), base: half),
        .init([("audio.duration", .number(0.5)), ("audio.crop", .text("center"))]),
        .init("transform.spectrum", .text("real")), .init("transform.order", .text("descending")),
        .init([("scale.kind", .text("power")), ("scale.exponent", .number(0.3))]),
        .init("scale.exponent", .number(0.25), base: [("scale.kind", .text("power"))]),
        .init("condition.gain", gain("zscore", ("epsilon", 1e-7))), .init("condition.gain", gain("minmax")),
        .init("condition.gain", gain("rms")), .init("condition.gain", gain("peak", ("level", 0.25))),
        .init("condition.gain", .text("int16")),
        .init("condition.gain", gain("zscore", ("epsilon", 1e-7)), base: samples),
        .init("condition.gain", gain("peak", ("level", 1)), base: raw), .init("frame.hop", .whole(200), base: raw),
        .init("scale.kind", .text("pcen")), .init("scale.gain", .number(0.5), base: pcen),
        .init("scale.bias", .whole(1), base: pcen), .init("scale.power", .number(0.25), base: pcen),
        .init("scale.eps", .number(1e-3), base: pcen), .init("scale.time_constant", .number(0.06), base: pcen),
        .init("scale.smoothing", .number(0.1), base: pcen), .init("scale.start", .text("first"), base: pcen),
        .init("scale.guard", .text("max"), .parakeet),
        .init("scale.guard", .text("add"), base: [("scale.floor", .number(1e-3))]),
        .init("normalize.ddof", .whole(0), .parakeet), .init("normalize.epsilon", .number(0.01), .parakeet),
        .init("normalize.epsilon_in", .text("variance"), .parakeet, base: epsilon),
    ]
}

struct BrokenDetailTests {
    private func found(_ detail: BrokenDetail) throws -> Explanation {
        let recording = try SampleRecording()
        let expected = try SampleRecording.configuration(detail.preset, detail.base)
        let other = try SampleRecording.configuration(detail.preset, detail.base + detail.broken)
        let result = try recording.check(try recording.features(other), expected, shape: other.patches.shape)
        #expect(!result.isEqual && result.outcome?.isCut != true)
        return try #require(result.outcome?.explanation)
    }

    private func keys(_ found: Explanation, _ detail: BrokenDetail) throws -> Set<String> {
        let expected = try SampleRecording.configuration(detail.preset, detail.base)
        let keys = found.variations.flatMap { $0.effective(on: expected) }.map(\.key)
        return Set(keys + (found.fit.model == .exact ? [] : ["*"]))
    }

    private func check(_ detail: BrokenDetail) throws {
        let found = try found(detail)
        #expect(found.isComplete && found.difference.typical < 1e-5)
        let words = found.variations.flatMap(\.assignments).map(\.text) + ["\(found.fit.model)"]
        #expect(try keys(found, detail) == detail.keys, "\(words)")
    }

    @Test(arguments: BrokenDetail.single)
    func `a single detail`(detail: BrokenDetail) throws { try check(detail) }

    @Test(arguments: BrokenDetail.ofModels)
    func `details of rows, lengths, samples and PCEN`(detail: BrokenDetail) throws { try check(detail) }

    @Test(arguments: BrokenDetail.ofValues)
    func `details of a normalisation, and limits`(detail: BrokenDetail) throws { try check(detail) }

    @Test(arguments: BrokenDetail.together)
    func `keys that belong together, and patches`(detail: BrokenDetail) throws { try check(detail) }

    @Test(arguments: BrokenDetail.several)
    func `several details`(detail: BrokenDetail) throws { try check(detail) }
}
