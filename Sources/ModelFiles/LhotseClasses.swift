import FeatureModel

/// The extractors of lhotse, by the names in `feature_type`.
enum LhotseClasses {
    static let all: [FrontEnd] = [
        FrontEnd(
            "kaldi-fbank", .lhotse, fixed,
            own(bins: 80, "transform.bins") + [
                .only("use_energy", .flag(false), "a column of energy is put in front then")
            ]
                + Field.unused("energy_floor raw_energy", "there is no energy among the columns"),
            settle: settleOwn),
        FrontEnd(
            "kaldi-mfcc", .lhotse, "transform.kind=mfcc " + fixed,
            own(bins: 23, "transform.bands") + [
                .whole("num_ceps", 13, "transform.bins"), .number("cepstral_lifter", 22, "transform.lifter"),
                .only("use_energy", .flag(false), "the first column is the energy then"),
            ] + Field.unused("energy_floor raw_energy", "there is no energy among the columns"),
            settle: settleOwn),
        FrontEnd(
            "fbank", .lhotse, fixed + " audio.sample_rate=null",
            torchaudio(bins: 80, "transform.bins")
                + [.only("use_energy", .flag(false), "a column of energy is put in front then")]
                + Field.unused("energy_floor raw_energy", "there is no energy among the columns"),
            settle: settleTorchaudio),
        FrontEnd(
            "mfcc", .lhotse, "transform.kind=mfcc " + fixed + " audio.sample_rate=null",
            torchaudio(bins: 23, "transform.bands") + [
                .whole("num_ceps", 13, "transform.bins"), .number("cepstral_lifter", 22, "transform.lifter"),
                .flag("use_energy", false), .flag("raw_energy", true), .number("energy_floor", 1e-10),
            ],
            settle: { reading throws(ModelFileError) in
                try settleTorchaudio(&reading)
                try KaldiPrograms.settleEnergy(
                    &reading, useEnergy: "use_energy", rawEnergy: "raw_energy", floor: "energy_floor")
            }),
    ]

    private static let fixed = "audio.channels=first " + KaldiPrograms.fixed

    private static let name = Field.unused("feature_type", "the name of the class")

    /// The fields of lhotse's own extractors.
    private static func own(bins: Int, _ key: String) -> [Field] {
        let own: [Field] = [
            .whole("sampling_rate", 16_000, "audio.sample_rate"), .number("frame_length", 0.025),
            .number("frame_shift", 0.01),
            .flag("round_to_power_of_two", true), .flag("remove_dc_offset", true, "frame.remove_dc"),
            .number("preemph_coeff", 0.97, "frame.pre_emphasis"), .text("window_type", "povey"), .dither(0),
            .flag("snip_edges", false), .flag("use_fft_mag", false), .number("low_freq", 20, "transform.low"),
            .number("high_freq", -400), .whole("num_filters", bins, key), .whole("num_mel_bins", nil),
            .only("torchaudio_compatible_mel_scale", .flag(true), "the filters have other corners then"),
        ]
        return own + Field.unused("norm_filters", "it is of other filters (torchaudio_compatible_mel_scale: false)")
            + Field.unused("device", "it is where the original computes") + name
    }

    @Sendable private static func settleOwn(_ reading: inout Reading) throws(ModelFileError) {
        let rate = Double(try reading.positive("sampling_rate"))
        try KaldiFrames.settle(
            &reading, rate: rate, length: "frame_length", hop: "frame_shift", unit: 1, power: "round_to_power_of_two",
            snip: "snip_edges", rateField: "sampling_rate", edges: "lhotse")
        try KaldiFrames.settleWindow(&reading, "window_type", isPeriodicBlackman: true)
        try KaldiFrames.settleHighest(&reading, "high_freq", rate: rate)
        if reading.flag("use_fft_mag") { reading.set("transform.spectrum", .text("magnitude"), from: "use_fft_mag") }
        if !reading.isNull("num_mel_bins") {
            let key = reading.value(of: "transform.bands") == nil ? "transform.bins" : "transform.bands"
            reading.set(key, .whole(try reading.positive("num_mel_bins")), from: "num_mel_bins")
        }
    }

    /// The fields of those that call torchaudio, at the rate of the recording.
    private static func torchaudio(bins: Int, _ key: String) -> [Field] {
        let own: [Field] = [
            .dither(0), .text("window_type", "povey"), .number("frame_length", 0.025), .number("frame_shift", 0.01),
            .flag("remove_dc_offset", true, "frame.remove_dc"), .flag("round_to_power_of_two", true),
            .number("preemphasis_coefficient", 0.97, "frame.pre_emphasis"), .number("low_freq", 20, "transform.low"),
            .number("high_freq", -400), .whole("num_mel_bins", bins, key),
            .number("vtln_warp", 1), .number("vtln_low", 100), .number("vtln_high", -500),
            .only("min_duration", .whole(0), "short recordings have no features then"),
        ]
        return own + name
    }

    @Sendable private static func settleTorchaudio(_ reading: inout Reading) throws(ModelFileError) {
        for (key, field) in [("frame.length", "frame_length"), ("frame.hop", "frame_shift")] {
            let time = try reading.positiveNumber(field)
            reading.set(key, .text("\((time * 1000).shortText) ms"), from: field)
        }
        reading.set("frame.rounding", .text("down"), from: "frame_length")
        reading.set("frame.align", .text("kaldi"))
        guard reading.flag("round_to_power_of_two") else {
            throw reading.refuse(
                "round_to_power_of_two", expected: "true",
                "the length of the transform follows from the rate of the recording then")
        }
        reading.set("frame.fft_length", .text("next_power_of_two"), from: "round_to_power_of_two")
        try KaldiFrames.settleWindow(&reading, "window_type")
        let highest = reading.number("high_freq")
        guard highest >= 0 else {
            throw reading.refuse(
                "high_freq", expected: "0 or more, since this class takes the rate of each recording",
                "as a feature_type of kaldi-fbank or kaldi-mfcc, with a sampling_rate, the same file can be computed")
        }
        reading.set("transform.high", highest == 0 ? .null : .measure(highest), from: "high_freq")
        try KaldiFrames.settleWarp(&reading, factor: "vtln_warp", low: "vtln_low", high: "vtln_high", rate: nil)
    }
}
