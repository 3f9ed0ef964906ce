import FeatureModel
import Testing

struct WindowErrorTests {
    typealias Case = RefusedConfiguration

    /// A window in a configuration.
    private static func window(_ json: String) -> String { #"{"frame":{"window":\#(json)}}"# }

    @Test(arguments: [
        Case(
            window(#""Hann""#), "frame.window", found: "'Hann'",
            expected:
                "one of rectangular, hann, hamming, blackman, blackman_harris, nuttall, bartlett, flat_top, povey, "
                + "kaiser, gaussian, tukey"),
        Case(window(#""kaiser 14""#), "frame.window", found: "'kaiser 14'", expected: "one of rectangular"),
        Case(window("5"), "frame.window", found: "5", expected: "one of rectangular"),
        Case(window("[1]"), "frame.window", found: "something else", expected: "one of rectangular"),
        Case(
            window(#""kaiser""#), "frame.window", found: "'kaiser' without its parameter",
            expected: "{kind: kaiser, beta: 14} with beta from 0 to 500"),
        Case(
            window(#""gaussian""#), "frame.window", found: "'gaussian' without",
            expected: "{kind: gaussian, sigma: 50} with sigma in samples, above 0"),
        Case(
            window(#""tukey""#), "frame.window", found: "'tukey' without",
            expected: "{kind: tukey, alpha: 0.5} with alpha from 0 to 1"),
    ])
    func `a name of no window, or of one that needs a parameter, is refused with what to do`(example: Case) throws {
        try example.check()
    }

    @Test(arguments: [
        Case(
            window(#"{"kind":"kaiser"}"#), "frame.window.beta", found: "nothing",
            expected: "{kind: kaiser, beta: 14}"),
        Case(
            window(#"{"kind":"gaussian"}"#), "frame.window.sigma", found: "nothing",
            expected: "{kind: gaussian, sigma: 50}"),
        Case(
            window(#"{"kind":"tukey","alpha":null}"#), "frame.window.alpha", found: "nothing",
            expected: "{kind: tukey, alpha: 0.5}"),
        Case(
            window(#"{"kind":"kaiser","sigma":8}"#), "frame.window.sigma", found: "with kind: kaiser",
            expected: "only kind, beta for this kind"),
        Case(
            window(#"{"kind":"hann","beta":8}"#), "frame.window.beta", found: "beta",
            expected: "no key besides kind: hann"),
        Case(window(#"{"alpha":1}"#), "frame.window.alpha", found: "alpha", expected: "no key besides kind: hann"),
        Case(window(#"{"kind":"Kaiser"}"#), "frame.window.kind", found: "'Kaiser'", expected: "one of rectangular"),
    ])
    func `a mapping without its parameter, or with that of another shape, is refused`(example: Case) throws {
        try example.check()
    }

    @Test(arguments: [
        Case(
            window(#"{"kind":"kaiser","beta":-0.5}"#), "frame.window.beta", found: "-0.5",
            expected: "a number from 0 to 500"),
        Case(window(#"{"kind":"kaiser","beta":501}"#), "frame.window.beta", found: "501", expected: "0 to 500"),
        Case(window(#"{"kind":"kaiser","beta":"x"}"#), "frame.window.beta", found: "'x'", expected: "a number"),
        Case(
            window(#"{"kind":"gaussian","sigma":0}"#), "frame.window.sigma", found: "0",
            expected: "a number of samples above 0"),
        Case(window(#"{"kind":"tukey","alpha":1.5}"#), "frame.window.alpha", found: "1.5", expected: "from 0 to 1"),
        Case(window(#"{"kind":"tukey","alpha":-1}"#), "frame.window.alpha", found: "-1", expected: "from 0 to 1"),
    ])
    func `a parameter out of range is refused with the range`(example: Case) throws { try example.check() }

    @Test func `the limits of the ranges are allowed, and a name may be written as a mapping`() throws {
        for (json, window) in [
            (#"{"kind":"kaiser","beta":0}"#, .kaiser(beta: 0)), (#"{"kind":"kaiser","beta":500}"#, .kaiser(beta: 500)),
            (#"{"kind":"gaussian","sigma":1e-9}"#, .gaussian(sigma: 1e-9)),
            (#"{"kind":"tukey","alpha":0}"#, .tukey(alpha: 0)), (#"{"kind":"tukey","alpha":1}"#, .tukey(alpha: 1)),
            (#"{"kind":"flat_top"}"#, .flatTop), ("{}", .hann), ("null", .hann),
        ] as [(String, WindowFunction)] {
            #expect(try configuration(Self.window(json)).frame.window == window, "\(json)")
        }
    }
}
