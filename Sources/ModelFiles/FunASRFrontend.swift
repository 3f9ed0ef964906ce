import FeatureModel

/// FunASR's `WavFrontend`, by `frontend_conf`.
enum FunASRFrontend {
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
        let name = reading.isNull("cmvn_file") ? "am.mvn" : reading.text("cmvn_file")
        if reading.isNull("cmvn_file"), reading.neighbours(name) == nil { return }
        guard let text = reading.neighbours(name) else {
            throw reading.refuse("cmvn_file", expected: "the name of a file in the folder of this one", "there is none")
        }
        let columns = try reading.positive("n_mels") * reading.positive("lfr_m")
        guard let shift = numbers(after: "<AddShift>", in: text), let scale = numbers(after: "<Rescale>", in: text),
            shift.count == columns, scale.count == columns
        else {
            throw .invalid(
                field: reading.full("cmvn_file"), found: "another file, '\(name)'",
                expected: "a file with \(columns) numbers of <AddShift> and <Rescale>, n_mels for each of lfr_m rows")
        }
        let parts = [
            ("<AddShift>", NormalizeConfiguration.means, shift),
            ("<Rescale>", NormalizeConfiguration.deviations, scale),
        ]
        for (part, range, numbers) in parts {
            guard let outside = ColumnConstants.firstOutside(range, numbers) else { continue }
            throw .invalid(
                field: reading.full("cmvn_file"), found: "\(outside) of '\(name)'",
                expected: "numbers from \(range.lowerBound) to \(range.upperBound) in \(part)")
        }
        // (v + shift) scale.
        reading.set("normalize.scope", .text("constant"), from: "cmvn_file")
        reading.set("normalize.mean", .numbers(shift.map { -$0 }), from: "cmvn_file", file: name)
        reading.set("normalize.std", .numbers(scale.map { 1 / $0 }), from: "cmvn_file", file: name)
    }

    /// The numbers in brackets on the line after a name, in the text of Kaldi's components.
    private static func numbers(after name: String, in text: String) -> [Double]? {
        guard let start = text.ranges(of: name).first?.upperBound else { return nil }
        let inner = text[start...].drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
        let words = inner.split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == words.count && !numbers.isEmpty ? numbers : nil
    }
}
