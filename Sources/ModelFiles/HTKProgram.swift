import FeatureModel

/// HTK's `HCopy`, by its configuration file.
enum HTKProgram {
    static let row = FrontEnd(
        "HCopy", .htk,
        "audio.channels=first audio.scale=int16 frame.symmetric=true frame.rounding=down frame.fft_length=next_power_of_two "
            + "transform.mel_scale=htk transform.mel_norm=none transform.triangles=mel scale.floor=1 normalize.scope=none",
        [
            .text("TARGETKIND", nil), .number("SOURCERATE", 0), .number("TARGETRATE", 0),
            .number("WINDOWSIZE", 256_000),
            .flag("USEHAMMING", true), .number("PREEMCOEF", 0.97, "frame.pre_emphasis"), .whole("NUMCHANS", 20),
            .whole("NUMCEPS", 12), .number("CEPLIFTER", 22), .number("LOFREQ", -1), .number("HIFREQ", -1),
            .flag("USEPOWER", false), .flag("ZMEANSOURCE", false, "frame.remove_dc"), .whole("DELTAWINDOW", 2),
            .whole("ACCWINDOW", 2), .number("MELFLOOR", 1, "scale.floor"), .number("WARPFREQ", 1),
            .number("WARPLCUTOFF", 0),
            .number("WARPUCUTOFF", 0),
            .only("ADDDITHER", .whole(0), "noise is added then"),
            .only("SIMPLEDIFFS", .flag(false), "slopes are plain differences then"),
            .only("V1COMPAT", .flag(false), "slopes at the ends have another form then"),
            .only("DOUBLEFFT", .flag(false), "the transform is twice as long then"),
        ] + Field.unused("ENORMALISE ESCALE SILFLOOR RAWENERGY", "there is no energy among the columns")
            + Field.unused(
                "SOURCEKIND SOURCEFORMAT SOURCELABEL TARGETFORMAT SAVECOMPRESSED SAVEWITHCRC BYTEORDER NATURALREADORDER "
                    + "NATURALWRITEORDER TRACE HEADERSIZE ZEROMEANSOURCE",
                "it is of files, not of the features"),
        settle: settle)

    @Sendable private static func settle(_ reading: inout Reading) throws(ModelFileError) {
        try settleFrames(&reading)
        let kind = reading.text("TARGETKIND").uppercased()
        let parts = kind.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard let base = parts.first, ["MFCC", "FBANK", "MELSPEC"].contains(base) else {
            throw reading.refuse("TARGETKIND", expected: "MFCC, FBANK or MELSPEC, with _0, _D and _A", "")
        }
        let qualifiers = Set(parts.dropFirst())
        let known: Set = ["0", "D", "A", "C", "K"]
        if let other = qualifiers.subtracting(known).sorted().first {
            throw reading.refuse(
                "TARGETKIND", expected: "\(base) with _0, _D and _A alone",
                "_\(other) is a column, or a normalisation, that cannot be computed")
        }
        guard qualifiers.contains("D") || !qualifiers.contains("A") else {
            throw reading.refuse("TARGETKIND", expected: "_D with _A", "")
        }
        let isCepstrum = base == "MFCC"
        if isCepstrum {
            reading.set("transform.kind", .text("mfcc"), from: "TARGETKIND")
            let hasC0 = qualifiers.contains("0")
            reading.set("transform.c0", .text(hasC0 ? "last" : "none"), from: "TARGETKIND")
            let bins = try reading.positive("NUMCEPS") + (hasC0 ? 1 : 0)
            reading.set("transform.bins", .whole(bins), from: "NUMCEPS", "TARGETKIND")
            reading.set("transform.dct_norm", .text("htk"))
            reading.set("transform.lifter", .measure(reading.number("CEPLIFTER")), from: "CEPLIFTER")
        } else if base == "MELSPEC" {
            reading.set("scale.kind", .text("power"), from: "TARGETKIND")
        }
        reading.set(
            isCepstrum ? "transform.bands" : "transform.bins", .whole(try reading.positive("NUMCHANS")),
            from: "NUMCHANS")
        if !reading.flag("USEPOWER") { reading.set("transform.spectrum", .text("magnitude"), from: "USEPOWER") }
        let (low, high) = (reading.number("LOFREQ"), reading.number("HIFREQ"))
        if low >= 0 { reading.set("transform.low", .measure(low), from: "LOFREQ") }
        reading.set("transform.high", high >= 0 ? .measure(high) : .text("half"), from: "HIFREQ")
        try settleWarp(&reading, from: max(low, 0), to: high >= 0 ? high : nil)
        guard qualifiers.contains("D") else { return }
        let slopes = qualifiers.contains("A") ? 2 : 1
        reading.set("transform.deltas", .whole(slopes), from: "TARGETKIND")
        guard slopes == 1 || reading.whole("ACCWINDOW") == reading.whole("DELTAWINDOW") else {
            throw reading.refuse("ACCWINDOW", expected: "that of DELTAWINDOW", "")
        }
        reading.set("transform.delta_window", .whole(try reading.positive("DELTAWINDOW")), from: "DELTAWINDOW")
    }

    /// Vocal tract length normalisation: cutoffs are scaled by 2α / (1 + α), not by 1 or α as the keys' are.
    ///
    /// - Parameters:
    ///   - low, high: The bank's edges in Hz; nil: half the sample rate.
    private static func settleWarp(
        _ reading: inout Reading, from low: Double, to high: Double?
    ) throws(ModelFileError) {
        let factor = reading.number("WARPFREQ")
        guard factor != 1 else { return }
        guard FrequencyWarp.factors.contains(factor) else {
            throw reading.refuse(
                "WARPFREQ",
                expected:
                    "a factor from \(FrequencyWarp.factors.lowerBound) to \(Int(FrequencyWarp.factors.upperBound))", "")
        }
        let scale = 2 * factor / (1 + factor)
        let (first, second) = (scale * reading.number("WARPLCUTOFF"), scale * reading.number("WARPUCUTOFF"))
        // Above an upper cutoff of 0 Hz, which is the default, frequencies do not change.
        guard second > 0 else { return }
        guard first < second, high.map({ second < $0 }) ?? true else {
            throw reading.refuse(
                "WARPUCUTOFF", expected: "a frequency between WARPLCUTOFF and the upper edge of the bands",
                "the upper edge itself would move")
        }
        guard first > low || low == 0 else {
            throw reading.refuse(
                "WARPLCUTOFF", expected: "a frequency above LOFREQ", "the lower edge itself would move")
        }
        reading.set("transform.vtln_warp", .measure(factor), from: "WARPFREQ")
        // From 0 Hz on, any cutoff gives the same line.
        let lowest = first > low ? first / max(1, factor) : min(1, second / 4)
        reading.set("transform.vtln_low", .measure(lowest), from: "WARPLCUTOFF", "WARPFREQ")
        reading.set("transform.vtln_high", .measure(second / min(1, factor)), from: "WARPUCUTOFF", "WARPFREQ")
    }

    /// Times are in units of 100 ns.
    private static func settleFrames(_ reading: inout Reading) throws(ModelFileError) {
        let interval = reading.number("SOURCERATE")
        if interval > 0 {
            let rate = 1e7 / interval
            guard (1...10_000_000).contains(rate.rounded()) else {
                throw reading.refuse(
                    "SOURCERATE", expected: "the time of a sample in units of 100 ns, such as 625 for 16 kHz", "")
            }
            reading.set("audio.sample_rate", .whole(Int(rate.rounded())), from: "SOURCERATE")
        } else {
            reading.set("audio.sample_rate", .null, from: "SOURCERATE")
        }
        guard reading.number("TARGETRATE") > 0 else {
            throw reading.refuse(
                "TARGETRATE", expected: "the time from a frame to the next in units of 100 ns, such as 100000", "")
        }
        for (key, field) in [("frame.length", "WINDOWSIZE"), ("frame.hop", "TARGETRATE")] {
            let time = try reading.positiveNumber(field) / 10_000
            reading.set(key, .text("\(time.shortText) ms"), from: field)
        }
        reading.set(
            "frame.window", .text(reading.flag("USEHAMMING") ? "hamming" : "rectangular"), from: "USEHAMMING")
    }
}
