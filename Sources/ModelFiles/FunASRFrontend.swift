import FeatureModel

/// FunASR's `WavFrontend`, by `frontend_conf`.
enum FunASRFrontend {
    static let row = FrontEnd(
        "WavFrontend", .funasr, "audio.channels=first frame.pre_emphasis=0.97 transform.low=20 transform.high=half " + KaldiPrograms.fixed,
        [
            .whole("fs", 16_000, "audio.sample_rate"), .text("window", "hamming"), .whole("n_mels", 80, "transform.bins"),
            .number("frame_length", 25), .number("frame_shift", 10), .whole("lfr_m", 1), .whole("lfr_n", 1), .dither(1),
            .flag("snip_edges", true), .flag("upsacle_samples", true), .text("cmvn_file", nil),
        ] + Field.unused("filter_length_min filter_length_max", "they choose recordings for training"),
        settle: settle)

    @Sendable private static func settle(_ reading: inout Reading) throws(ModelFileError) {
        let rate = Double(try reading.positive("fs"))
        try KaldiFrames.settle(
            &reading, rate: rate, length: "frame_length", hop: "frame_shift", unit: 1e-3, power: nil, snip: "snip_edges",
            rateField: "fs")
        try KaldiFrames.settleWindow(&reading, "window")
        if reading.flag("upsacle_samples") { reading.set("audio.scale", .text("int16"), from: "upsacle_samples") }
        let (rows, hop) = (try reading.positive("lfr_m"), try reading.positive("lfr_n"))
        guard rows == 1, hop == 1 else {
            throw reading.refuse(
                "lfr_m", expected: "1, with lfr_n: 1", "rows that are stacked with copies at both ends cannot be computed yet")
        }
        guard reading.isNull("cmvn_file") else {
            throw reading.refuse(
                "cmvn_file", expected: "null", "constants for each band cannot be given yet")
        }
    }
}
