import FeatureModel

/// `compute-fbank-feats` and `compute-mfcc-feats`, by the options in `fbank.conf` and `mfcc.conf`.
enum KaldiPrograms {
    static let all: [FrontEnd] = [fbank, mfcc]

    /// The options that one of the programs alone has.
    static let ofFilterBank = ["use-log-fbank", "use-power"]
    static let ofCepstra = ["num-ceps", "cepstral-lifter"]

    static let fixed =
        "frame.remove_dc=true transform.mel_scale=htk transform.mel_norm=none transform.triangles=mel "
        + "scale.floor=\(KaldiFrames.floor) normalize.scope=none audio.resampler=torchaudio"

    /// The programs that make other features: a part of the name of their files, and the options that they alone have.
    static let others: [(program: String, file: String, options: Set<String>)] = [
        ("compute-plp-feats", "plp", ["lpc-order", "compress-factor", "cepstral-scale"]),
        (
            "compute-kaldi-pitch-feats", "pitch",
            [
                "min-f0", "max-f0", "soft-min-f0", "penalty-factor", "lowpass-cutoff", "resample-frequency",
                "delta-pitch",
            ]
        ),
    ]

    private static let options: [Field] =
        [
            .number("sample-frequency", 16_000), .number("frame-length", 25), .number("frame-shift", 10),
            .number("preemphasis-coefficient", 0.97, "frame.pre_emphasis"),
            .flag("remove-dc-offset", true, "frame.remove_dc"), .text("window-type", "povey"),
            .number("blackman-coeff", 0.42),
            .flag("round-to-power-of-two", true), .flag("snip-edges", true), .dither(1),
            .number("low-freq", 20, "transform.low"), .number("high-freq", 0), .whole("channel", -1),
            .number("vtln-warp", 1), .number("vtln-low", 100), .number("vtln-high", -500),
            .flag("subtract-mean", false), .number("min-duration", 0),
            .only("vtln-map", .null, "frequencies are warped for each speaker then"),
        ] + Field.unused("utt2spk", "it says which speaker's factor of vtln-map is whose")
        + Field.unused(
            "allow-downsample allow-upsample",
            "recordings of any rate are resampled, with it and without; the original stops without it")
        + Field.unused(
            "max-feature-vectors output-format verbose write-utt2dur debug-mel",
            "it is of the program, not of the features")

    private static let fbank = FrontEnd(
        "compute-fbank-feats", .kaldi, "audio.scale=int16 " + fixed,
        options + [
            .whole("num-mel-bins", 23, "transform.bins"), .flag("use-log-fbank", true), .flag("use-power", true),
            .only(
                "use-energy", .flag(false),
                "a column of energy is put in front then: take the line out of a copy of the file for the other columns, which are the same"
            ),
        ] + Field.unused("energy-floor raw-energy htk-compat", "there is no energy among the columns"),
        settle: { reading throws(ModelFileError) in
            try settleOptions(&reading)
            if !reading.flag("use-power") {
                reading.set("transform.spectrum", .text("magnitude"), from: "use-power")
            }
            if !reading.flag("use-log-fbank") { reading.set("scale.kind", .text("power"), from: "use-log-fbank") }
        })

    private static let mfcc = FrontEnd(
        "compute-mfcc-feats", .kaldi, "audio.scale=int16 transform.kind=mfcc " + fixed,
        options + [
            .whole("num-mel-bins", 23, "transform.bands"), .whole("num-ceps", 13, "transform.bins"),
            .number("cepstral-lifter", 22, "transform.lifter"), .flag("use-energy", true), .flag("raw-energy", true),
            .number("energy-floor", 0), .flag("htk-compat", false),
        ],
        settle: { reading throws(ModelFileError) in
            try settleOptions(&reading)
            try settleEnergy(&reading, useEnergy: "use-energy", rawEnergy: "raw-energy", floor: "energy-floor")
            guard reading.flag("htk-compat") else { return }
            guard !reading.flag("use-energy") else {
                throw reading.refuse(
                    "htk-compat", expected: "false where use-energy is true",
                    "the energy is the last column then: take the line out of a copy of the file, and move the first column to the end "
                        + "of each row afterwards")
            }
            // c0 is the last, times √2, as in HTK.
            reading.set("transform.c0", .text("last"), from: "htk-compat", "use-energy")
            reading.set("transform.dct_norm", .text("htk"), from: "htk-compat")
        })

    /// The first column: c0, or the energy of the frame.
    static func settleEnergy(
        _ reading: inout Reading, useEnergy: String, rawEnergy: String, floor: String
    ) throws(ModelFileError) {
        guard reading.flag(useEnergy) else { return reading.set("transform.c0", .text("first"), from: useEnergy) }
        reading.set("transform.c0", .text("energy"), from: useEnergy)
        if !reading.flag(rawEnergy) { reading.set("transform.energy", .text("windowed"), from: rawEnergy) }
        if reading.number(floor) > KaldiFrames.floor {
            reading.set("transform.energy_floor", .number(reading.number(floor)), from: floor)
        }
    }

    /// What both programs have.
    @Sendable private static func settleOptions(_ reading: inout Reading) throws(ModelFileError) {
        let rate = try reading.positiveNumber("sample-frequency")
        guard let whole = Int(exactly: rate) else {
            throw reading.refuse("sample-frequency", expected: "a whole number of Hz", "")
        }
        reading.set("audio.sample_rate", .whole(whole), from: "sample-frequency")
        let channel = reading.whole("channel")
        reading.set("audio.channels", channel <= 0 ? .text("first") : .whole(channel), from: "channel")
        try KaldiFrames.settle(
            &reading, rate: rate, length: "frame-length", hop: "frame-shift", unit: 1e-3,
            power: "round-to-power-of-two", snip: "snip-edges", rateField: "sample-frequency")
        try KaldiFrames.settleWindow(&reading, "window-type", coefficient: "blackman-coeff")
        try KaldiFrames.settleHighest(&reading, "high-freq", rate: rate)
        try KaldiFrames.settleWarp(
            &reading, factor: "vtln-warp", low: "vtln-low", high: "vtln-high", rate: rate)
        if reading.flag("subtract-mean") {
            reading.set("normalize.scope", .text("clip"), from: "subtract-mean")
            reading.set("normalize.method", .text("mean"), from: "subtract-mean")
        }
        let least = reading.number("min-duration")
        if least > 0 {
            reading.remark(
                "min-duration is \(least.shortText): the original leaves out utterances that are shorter, which are not left out here"
            )
        }
    }
}
