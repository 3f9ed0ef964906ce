import FeatureModel
import Testing

struct TransformErrorTests {
    typealias Case = RefusedConfiguration

    private static let types = "a whole number from 1 to 4"
    private static let belowHalf = "below half the sample rate (8000.0 Hz)"

    /// A transform of a kind in a configuration, with its other keys.
    private static func transform(_ kind: String, _ keys: String) -> String {
        #"{"transform":{"kind":"\#(kind)",\#(keys)}}"#
    }

    @Test(arguments: [
        Case(transform("mel", #""bins":0"#), "transform.bins", found: "0", expected: "from 1 to 8192"),
        Case(transform("mel", #""bins":8193"#), "transform.bins", found: "8193", expected: "1 to 8192"),
        Case(transform("fft", #""bins":258"#), "transform.bins", found: "258", expected: "null or 1 to 257"),
        Case(
            transform("fft", #""bins":0"#), "transform.bins", found: "0", expected: "null or a whole number from 1"),
        Case(transform("fft", #""step":0"#), "transform.step", found: "0", expected: "from 1 to 4194304"),
        Case(transform("fft", #""step":-2"#), "transform.step", found: "-2", expected: "from 1 to 4194304"),
        Case(transform("fft", #""step":1.5"#), "transform.step", found: "1.5", expected: "a whole number"),
        Case(transform("dct", #""bins":513"#), "transform.bins", found: "513", expected: "1 to 512"),
        Case(transform("dct", #""type":5"#), "transform.type", found: "5", expected: types),
        Case(transform("dct", #""type":0"#), "transform.type", found: "0", expected: types),
        Case(transform("dct", #""type":"II""#), "transform.type", found: "'II'", expected: "from 1 to 4"),
        Case(transform("dct", #""norm":"htk""#), "transform.norm", found: "'htk'", expected: "one of none, ortho"),
        Case(
            #"{"frame":{"length":1,"fft_length":1},"transform":{"kind":"dct","type":1}}"#, "frame.fft_length",
            found: "1", expected: "at least 2 for a DCT of type 1"),
    ])
    func `numbers of bins, steps and types have their ranges`(example: Case) throws { try example.check() }

    @Test(arguments: [
        transform("mel", #""bins":1"#), transform("mel", #""bins":8192"#), transform("fft", #""bins":257"#),
        transform("fft", #""bins":1"#), transform("fft", #""step":1"#), transform("dct", #""bins":512"#),
        transform("dct", #""type":1"#), transform("dct", #""type":4"#), transform("mel", #""low":0"#),
    ])
    func `the limits of these ranges are accepted`(json: String) {
        #expect(throws: Never.self) { try configuration(json) }
    }

    @Test(arguments: [
        Case(transform("mel", #""low":-1"#), "transform.low", found: "-1", expected: "from 0"),
        Case(transform("mel", #""low":8000"#), "transform.low", found: "8000", expected: "half the sample rate"),
        Case(
            transform("mel", #""low":300,"high":300"#), "transform.high", found: "300",
            expected: "more than transform.low (300.0 Hz)"),
        Case(transform("mfcc", #""low":300,"high":20"#), "transform.high", found: "20", expected: "transform.low"),
        Case(transform("mel", #""high":8001"#), "transform.high", found: "8001", expected: "8000.0 Hz"),
        Case(transform("lfcc", #""high":8001"#), "transform.high", found: "8001", expected: "8000.0 Hz"),
        Case(transform("mel", #""high":0"#), "transform.high", found: "0", expected: "a frequency such as"),
        Case(
            transform("mel", #""mel_scale":"bark""#), "transform.mel_scale", found: "'bark'",
            expected: "slaney, htk"),
        Case(
            transform("mel", #""triangles":"bark""#), "transform.triangles", found: "'bark'",
            expected: "one of hertz, mel"),
        Case(
            transform("mel", #""spectrum":"db""#), "transform.spectrum", found: "'db'",
            expected: "one of power, magnitude"),
    ])
    func `a filter bank lies between 0 Hz and half the sample rate`(example: Case) throws { try example.check() }

    @Test(arguments: [
        Case(
            transform("mfcc", #""bins":24"#), "transform.bins", found: "24",
            expected: "1 to 23, which transform.bands (23) allows"),
        Case(transform("lfcc", #""bins":9,"bands":8"#), "transform.bins", found: "9", expected: "1 to 8, which"),
        Case(
            transform("mfcc", #""bins":23,"c0":"none""#), "transform.bins", found: "23",
            expected: "1 to 22, which transform.bands (23) allows"),
        Case(transform("mfcc", #""bins":0"#), "transform.bins", found: "0", expected: "from 1 to 23"),
        Case(
            transform("mfcc", #""bins":1,"bands":1,"c0":"none""#), "transform.bins", found: "1",
            expected: "transform.bands (1)"),
        Case(transform("mfcc", #""bands":0"#), "transform.bands", found: "0", expected: "from 1 to 8192"),
        Case(transform("mfcc", #""bands":8193"#), "transform.bands", found: "8193", expected: "from 1 to 8192"),
        Case(transform("mfcc", #""lifter":-1"#), "transform.lifter", found: "-1", expected: "0 (none) to 10000"),
        Case(
            transform("mfcc", #""lifter":10001"#), "transform.lifter", found: "10001", expected: "0 (none) to 10000"
        ),
        Case(
            transform("mfcc", #""c0":"second""#), "transform.c0", found: "'second'", expected: "first, last, energy"
        ),
        Case(
            transform("mfcc", #""dct_norm":"x""#), "transform.dct_norm", found: "'x'", expected: "ortho, htk, none"),
        Case(transform("mfcc", #""deltas":3"#), "transform.deltas", found: "3", expected: "from 0 to 2"),
        Case(transform("mel", #""deltas":-1"#), "transform.deltas", found: "-1", expected: "from 0 to 2"),
        Case(transform("mel", #""deltas":true"#), "transform.deltas", found: "true", expected: "from 0 to 2"),
        Case(
            transform("mel", #""delta_window":0"#), "transform.delta_window", found: "0", expected: "from 1 to 100"),
        Case(
            transform("lfcc", #""delta_window":101"#), "transform.delta_window", found: "101",
            expected: "from 1 to 100"),
    ])
    func `cepstra have no more coefficients than bands, and their parameters have ranges`(example: Case) throws {
        try example.check()
    }

    @Test(arguments: [
        Case(
            transform("musical", #""lowest":"H1""#), "transform.lowest", found: "'H1'",
            expected: "a note such as C1"),
        Case(transform("musical", #""lowest":"C11""#), "transform.lowest", found: "'C11'", expected: "a note"),
        Case(transform("musical", #""lowest":0"#), "transform.lowest", found: "0", expected: "a frequency in Hz"),
        Case(transform("musical", #""lowest":-5"#), "transform.lowest", found: "-5", expected: "a frequency in Hz"),
        Case(
            transform("musical", #""lowest":9000"#), "transform.lowest", found: "9000.0 Hz",
            expected: belowHalf),
        Case(
            transform("musical", #""lowest":"C10""#), "transform.lowest", found: "'C10'",
            expected: belowHalf),
        Case(
            transform("musical", #""notes":100"#), "transform.notes", found: "100",
            expected: "1 to 95, notes " + belowHalf),
        Case(transform("musical", #""notes":0"#), "transform.notes", found: "0", expected: "from 1 to 240"),
        Case(transform("musical", #""notes":241"#), "transform.notes", found: "241", expected: "from 1 to 240"),
        Case(
            transform("musical", #""points_per_note":0"#), "transform.points_per_note", found: "0",
            expected: "from 1 to 1000"),
        Case(transform("musical", #""tuning":0"#), "transform.tuning", found: "0", expected: "1 to 20000 Hz"),
        Case(
            transform("musical", #""tuning":20001"#), "transform.tuning", found: "20001", expected: "1 to 20000 Hz"),
        Case(
            #"{"frame":{"length":2,"fft_length":2},"transform":{"kind":"musical","notes":1}}"#, "frame.fft_length",
            found: "2", expected: "at least 4"),
    ])
    func `a musical axis has a lowest note and ends below half the sample rate`(example: Case) throws {
        try example.check()
    }

    @Test(arguments: [
        Case(
            transform("fft", #""deltas":1"#), "transform.deltas", found: "with kind: fft",
            expected: "only kind, bins, step, low, high, engine for this kind"),
        Case(transform("fft", #""type":2"#), "transform.type", found: "kind: fft", expected: "kind, bins, step"),
        Case(
            transform("dct", #""step":2"#), "transform.step", found: "kind: dct", expected: "kind, bins, type, norm"
        ),
        Case(transform("mel", #""bands":23"#), "transform.bands", found: "kind: mel", expected: "bins, low, high"),
        Case(transform("mel", #""lifter":22"#), "transform.lifter", found: "kind: mel", expected: "deltas"),
        Case(
            transform("lfcc", #""mel_scale":"htk""#), "transform.mel_scale", found: "kind: lfcc",
            expected: "kind, bins, bands, low, high, spectrum, spectrum_epsilon, bank_rate, dct_norm"),
        Case(
            transform("musical", #""bins":8"#), "transform.bins", found: "kind: musical",
            expected: "kind, lowest, notes, points_per_note, tuning"),
        Case(#"{"transform":{"step":2}}"#, "transform.step", found: "with kind: mel", expected: "mel_scale"),
    ])
    func `a key that belongs to another kind is refused with those of this kind`(example: Case) throws {
        try example.check()
    }
}
