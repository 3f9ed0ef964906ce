import FeatureModel

/// The filter banks of WeNet (`fbank_conf`) and WeSpeaker (`fbank_args`): those of Kaldi, by torchaudio.
enum WeNetFeatures {
    private static let fixed =
        "audio.channels=first audio.scale=int16 frame.pre_emphasis=0.97 transform.low=20 transform.high=half "
        + KaldiPrograms.fixed

    static let wenet = FrontEnd(
        "fbank", .wenet, fixed,
        fields(bins: 23, dither: 0) + [.text("window_type", "povey")],
        settle: { reading throws(ModelFileError) in
            try settle(&reading)
            try KaldiFrames.settleWindow(&reading, "window_type")
        })

    static let wespeaker = FrontEnd(
        "fbank", .wespeaker,
        fixed + " frame.window=hamming frame.symmetric=true normalize.scope=clip normalize.method=mean",
        fields(bins: 80, dither: 1) + [.flag("cmvn", true)],
        remarks: [
            "the command line of WeSpeaker takes another window (povey) for some of its models, and samples from -1 to 1"
        ],
        settle: { reading throws(ModelFileError) in
            try settle(&reading)
            if !reading.flag("cmvn") { reading.set("normalize.scope", .text("none"), from: "cmvn") }
        })

    /// `resample_rate` is given next to the section.
    private static func fields(bins: Int, dither: Double) -> [Field] {
        [
            .whole("resample_rate", 16_000, "audio.sample_rate"), .whole("num_mel_bins", bins, "transform.bins"),
            .number("frame_length", 25), .number("frame_shift", 10), .dither(dither),
        ]
    }

    @Sendable private static func settle(_ reading: inout Reading) throws(ModelFileError) {
        let rate = Double(try reading.positive("resample_rate"))
        try KaldiFrames.settle(
            &reading, rate: rate, length: "frame_length", hop: "frame_shift", unit: 1e-3, power: nil, snip: nil,
            rateField: "resample_rate")
    }
}
