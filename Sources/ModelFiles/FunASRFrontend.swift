import FeatureModel

/// FunASR's `WavFrontend`, by `frontend_conf`.
enum FunASRFrontend {
    /// The file of constants in the folder of a published model.
    static let statistics = "am.mvn"

    static let row = FrontEnd(
        "WavFrontend", .funasr,
        "audio.channels=first frame.pre_emphasis=0.97 transform.low=20 transform.high=half " + KaldiPrograms.fixed,
        [
            .whole("fs", 16_000, "audio.sample_rate"), .text("window", "hamming"),
            .whole("n_mels", 80, "transform.bins"),
            .number("frame_length", 25), .number("frame_shift", 10), .whole("lfr_m", 1), .whole("lfr_n", 1), .dither(1),
            .flag("snip_edges", true), .flag("upsacle_samples", true), .text("cmvn_file", nil),
        ] + Field.unused("filter_length_min filter_length_max", "they choose recordings for training"),
        settle: settle)

    @Sendable private static func settle(_ reading: inout Reading) throws(ModelFileError) {
        let rate = Double(try reading.positive("fs"))
        try KaldiFrames.settle(
            &reading, rate: rate, length: "frame_length", hop: "frame_shift", unit: 1e-3, power: nil,
            snip: "snip_edges",
            rateField: "fs")
        try KaldiFrames.settleWindow(&reading, "window")
        if reading.flag("upsacle_samples") { reading.set("audio.scale", .text("int16"), from: "upsacle_samples") }
        try KaldiFrames.settleStack(&reading, "lfr_m", "lfr_n")
        // A snapshot's am.mvn is what FunASR takes where the file names none.
        let name = reading.isNull("cmvn_file") ? statistics : reading.text("cmvn_file")
        if reading.isNull("cmvn_file"), reading.neighbours(name) == nil {
            let rows = reading.whole("lfr_m")
            guard rows > 1 else { return }
            return reading.remark(
                "\(reading.full("lfr_m")) is \(rows), and the constants of the model (\(statistics)) are not in the file's folder: rows "
                    + "are not normalised; if the model has that file, put it there")
        }
        guard let text = reading.neighbours(name) else {
            throw reading.refuse("cmvn_file", expected: "the name of a file in the folder of this one", "there is none")
        }
        let columns = try reading.positive("n_mels") * reading.positive("lfr_m")
        let (mean, std): ([Double], [Double])
        do { (mean, std) = (try ShiftAndScale.mean(in: text), try ShiftAndScale.std(in: text)) } catch {
            throw .invalid(
                field: reading.full("cmvn_file"), found: "\(error.found) of '\(name)'", expected: error.expected)
        }
        guard mean.count == columns, std.count == columns else {
            throw .invalid(
                field: reading.full("cmvn_file"), found: "\(mean.count) and \(std.count) of '\(name)'",
                expected: "\(columns) numbers of <AddShift> and of <Rescale>, n_mels for each of lfr_m rows")
        }
        reading.set("normalize.scope", .text("constant"), from: "cmvn_file")
        reading.set("normalize.mean", .numbers(mean), from: "cmvn_file", file: name)
        reading.set("normalize.std", .numbers(std), from: "cmvn_file", file: name)
    }
}
