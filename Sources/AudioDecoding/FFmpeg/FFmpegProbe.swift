import FeatureModel

/// What ffprobe says of a recording.
struct FFmpegProbe {
    let sampleRate: Int
    let channels: Int
    /// Length in seconds, maybe an estimate; nil: not known.
    let duration: Double?
    /// The length that the container states for the sound itself, in seconds; nil: none, or only an estimate.
    let promised: Double?
    /// How much shorter than that the sound may be, in samples: a frame of the codec, and the container's rounding.
    let tolerance: Int

    /// Asks ffprobe.
    ///
    /// - Throws: `ClipFailure` of stage `decode`, or `open` where there is no sound.
    init(_ ffmpeg: FFmpeg) throws(ClipFailure) {
        let text = try ffmpeg.probe()
        guard let probe = try Self(text: text) else { throw .ffmpegFailed(words: "it has no sound") }
        self = probe
    }

    /// Reads the lines of ffprobe; nil: there is no sound.
    init?(text: String) throws(ClipFailure) {
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals]
            var value = line[line.index(after: equals)...]
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            values[key] = value
        }
        func stream(_ name: Substring) -> Substring? { values["streams.stream.0." + name] }
        guard let codec = stream("codec_name") else { return nil }
        let rate = stream("sample_rate").flatMap { Int($0) } ?? 0
        let channels = stream("channels").flatMap { Int($0) } ?? 0
        guard (1...10_000_000).contains(rate), (1...1024).contains(channels) else {
            throw .invalidHeader(channels: channels, sampleRate: rate)
        }
        func seconds(_ text: Substring?) -> Double? {
            text.flatMap { Double($0) }.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
        }
        let container = values["format.format_name"]?.prefix { $0 != "," } ?? ""
        let counted = seconds(stream("nb_frames")).map { $0 / Double(rate) }
        // The duration of an AVI without a picture is an estimate by the bit rate; its header counts the samples of PCM.
        let own = container == "avi" && codec.hasPrefix("pcm_") ? counted : seconds(stream("duration"))
        let tag = Self.clock(stream("tags.DURATION"))
        // The length of a file is that of its picture where that is longer.
        let whole = values["format.nb_streams"] == "1" ? seconds(values["format.duration"]) : nil
        promised =
            switch container {
            case "mov", "avi", "nistsphere": own
            case "matroska": tag ?? whole
            case "asf", "flv": whole
            default: nil
            }
        duration = own ?? tag ?? seconds(values["format.duration"])
        (sampleRate, self.channels) = (rate, channels)
        tolerance = Self.frame(codec, rate) + (container == "mov" ? 0 : 2 * rate / 1000 + 1)
    }

    /// The seconds of `00:00:01.511000000`.
    private static func clock(_ text: Substring?) -> Double? {
        guard let parts = text?.split(separator: ":").map({ Double($0) }), parts.count == 3, let hours = parts[0],
            let minutes = parts[1], let seconds = parts[2]
        else { return nil }
        let total = 3600 * hours + 60 * minutes + seconds
        return total > 0 && total < 1e9 ? total : nil
    }

    /// Samples of a codec's longest frame.
    private static func frame(_ codec: Substring, _ rate: Int) -> Int {
        switch codec {
        case "shorten": 1
        case _ where codec.hasPrefix("pcm_"): 1
        case "amr_nb": 160
        case "amr_wb": 320
        case "mp1", "mp2", "mp3": 1152
        case "ac3", "eac3": 1536
        case "aac", "wmav1", "wmav2": rate <= 48_000 ? 2048 : 4096
        case "alac": 4096
        case "opus": 5760
        default: 8192
        }
    }
}
