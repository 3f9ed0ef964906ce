import FeatureModel
import Testing

struct SampleSpanTests {
    @Test(
        arguments: [
            ("400", .samples(400)), ("25 ms", .seconds(0.025)), ("25ms", .seconds(0.025)), (" 0.5 s", .seconds(0.5)),
            ("1e-3 s", .seconds(0.001)), (".5 ms", .seconds(0.0005)),
        ] as [(String, SampleSpan)])
    func `texts are read in samples, milliseconds and seconds`(text: String, span: SampleSpan) {
        #expect(SampleSpan(text: text) == span)
    }

    @Test(arguments: [
        "", " ", "0", "-400", "400.0", "25 min", "0 ms", "-1 ms", "ms", "s", "nan ms", "inf s", "1e999 s",
        "25 m s", "2 5 ms", "0x10 ms", "twenty ms", "25,5 ms", "25 MS", "25 ms 3", "99999999999999999999",
        // More than 0 ms, and 0 s.
        "1e-323 ms",
    ])
    func `other texts are not spans`(text: String) {
        #expect(SampleSpan(text: text) == nil)
    }

    @Test func `a time is rounded to the nearest sample`() {
        #expect(SampleSpan.seconds(0.025).samples(at: 16_000, rounding: .nearest) == 400)
        #expect(SampleSpan.seconds(0.025).samples(at: 22_050, rounding: .nearest) == 551)
        #expect(SampleSpan.seconds(0.025).samples(at: 11_025, rounding: .nearest) == 276)
        #expect(SampleSpan.seconds(0.01).samples(at: 44_100, rounding: .nearest) == 441)
        #expect(SampleSpan.seconds(0.5).samples(at: 1, rounding: .nearest) == 1)
        #expect(SampleSpan.seconds(0.4).samples(at: 1, rounding: .nearest) == 0)
        #expect(SampleSpan.samples(400).samples(at: 44_100, rounding: .nearest) == 400)
    }

    @Test func `no time overflows`() {
        #expect(SampleSpan.seconds(1e300).samples(at: 1e300, rounding: .nearest) == 1 << 40)
        #expect(SampleSpan.seconds(.infinity).samples(at: 16_000, rounding: .nearest) == 1 << 40)
        #expect(SampleSpan.seconds(-5).samples(at: 16_000, rounding: .nearest) == 0)
        for rounding in TimeRounding.allCases {
            #expect(SampleSpan.seconds(.infinity).samples(at: 16_000, rounding: rounding) == 1 << 40)
            #expect(SampleSpan.seconds(1e300).samples(at: 1e300, rounding: rounding) == 1 << 40)
        }
    }

    @Test func `a span that is written reads back equal`() {
        var spans: [SampleSpan] = [
            .samples(1), .samples(4_194_304), .seconds(0.025), .seconds(3600), .seconds(1.0 / 3),
        ]
        spans += [.seconds(1e-9), .seconds(1024.0 / 44_100), .seconds(512.0 / 22_050), .seconds(0.1 + 0.2)]
        spans += (1...400).map { .seconds(Double($0) / 1000) } + (1...400).map { .seconds(Double($0) / 22_050) }
        for span in spans { #expect(SampleSpan(text: "\(span)") == span, "\(span)") }
        #expect("\(SampleSpan.seconds(0.025))" == "25 ms" && "\(SampleSpan.seconds(3600))" == "3600000 ms")
        #expect("\(SampleSpan.seconds(0.0005))" == "0.5 ms" && "\(SampleSpan.samples(160))" == "160")
    }
}
