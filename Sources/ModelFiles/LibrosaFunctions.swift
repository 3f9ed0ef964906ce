import FeatureModel

/// librosa's `feature.melspectrogram` and `feature.mfcc`, by their keyword arguments.
enum LibrosaFunctions {
    static let all: [FrontEnd] = [
        FrontEnd(
            "librosa.feature.melspectrogram", .librosa, "scale.kind=power normalize.scope=none",
            mel("transform.bins") + [.any("norm", .text("slaney"))],
            open: ShortTimeFrames.openScale,
            settle: { reading throws(ModelFileError) in try settle(&reading, norm: "norm") }),
        FrontEnd(
            "librosa.feature.mfcc", .librosa, "transform.kind=mfcc scale.kind=db scale.top_db=80 normalize.scope=none",
            mel("transform.bands") + [
                .any("mel_norm", .text("slaney")), .whole("n_mfcc", 20, "transform.bins"),
                .only("dct_type", .whole(2), "another type of DCT is taken then"),
                .only("norm", .text("ortho"), "the DCT is not scaled then"),
                .number("lifter", 0),
            ],
            settle: { reading throws(ModelFileError) in
                try settle(&reading, norm: "mel_norm")
                let lifter = reading.number("lifter")
                guard lifter != 0 else { return }
                reading.set("transform.lifter", .measure(lifter), from: "lifter")
                reading.set("transform.lifter_form", .text("librosa"))
            }),
    ]

    private static func mel(_ bins: String) -> [Field] {
        [
            .whole("sr", 22_050, "audio.sample_rate"), .whole("n_fft", 2048), .whole("hop_length", 512, "frame.hop"),
            .whole("win_length", nil), .text("window", "hann"), .flag("center", true), .text("pad_mode", "constant"),
            .number("power", 2), .whole("n_mels", 128, bins), .number("fmin", 0, "transform.low"), .number("fmax", nil),
            .flag("htk", false), .only("y", .null, "it is the signal"), .only("S", .null, "it is a spectrum"),
        ] + Field.unused("dtype", "it is the type of the filters")
            + Field.unused("_target_", "the name of the function")
    }

    private static func settle(_ reading: inout Reading, norm: String) throws(ModelFileError) {
        let frames = try ShortTimeFrames.settleLength(&reading, points: "n_fft", length: "win_length")
        reading.set(
            "transform.high", reading.isNull("fmax") ? .text("half") : .measure(reading.number("fmax")), from: "fmax",
            "sr")
        let window = try reading.choice(
            "window",
            [
                "hann": "hann", "hamming": "hamming", "blackman": "blackman", "bartlett": "bartlett",
                "boxcar": "rectangular", "ones": "rectangular", "blackmanharris": "blackman_harris",
                "nuttall": "nuttall",
                "flattop": "flat_top",
            ])
        reading.set("frame.window", .text(window), from: "window")
        try ShortTimeFrames.settlePower(&reading, "power")
        try ShortTimeFrames.settleEnds(
            &reading, "center", pad: ("pad_mode", ["constant": "zero", "reflect": "reflect", "edge": "edge"]),
            frames: frames)
        let area = try reading.choice(norm, ["slaney": "slaney", "null": "none"])
        reading.set("transform.mel_norm", .text(area), from: norm)
        reading.set("transform.mel_scale", .text(reading.flag("htk") ? "htk" : "slaney"), from: "htk")
    }
}
