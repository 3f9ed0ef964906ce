import ArgumentParser
import FeatureModel
import LiveAnalysis

extension LiveSampleEncoding: ExpressibleByArgument {}

struct LiveInputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play this recording. If the option is given twice, both are shown side by side.",
            valueName: "audio"),
        completion: .file())
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read raw PCM or WAV from this file or named pipe. If the option is given twice, both are shown side by side. Default: standard input.",
            valueName: "pipe"),
        completion: .file())
    var input: [String] = []

    @Option(help: ArgumentHelp("The sample rate of raw samples, in Hz.", valueName: "hz"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "The encoding of raw samples. Default: s16le.", valueName: "format"))
    var format: LiveSampleEncoding?

    @Option(help: ArgumentHelp("The number of channels of raw samples, interleaved. Default: 1.", valueName: "n"))
    var channels: Int?

    @Option(
        help: ArgumentHelp(
            "How fast a recording is played; 0: as fast as it can be read. Default: 1.",
            valueName: "factor"))
    var speed: Double?

    @OptionGroup var recordings: RecordingPolicyOptions

    private static let maximum = 2

    func validate() throws {
        try ValidationError.check("rate", rate, in: AudioConfiguration.sampleRates)
        try ValidationError.check("channels", channels, in: 1...1024)
        guard rate != nil || (format == nil && channels == nil) else {
            throw ValidationError("--format and --channels are for raw samples: give --rate, too.")
        }
        if let speed {
            guard speed >= 0, speed.isFinite else {
                throw ValidationError("--speed: expected 0 or more, found \(speed).")
            }
            guard !file.isEmpty else { throw ValidationError("--speed is for --file: a pipe sets its own pace.") }
        }
        guard file.count + input.count <= Self.maximum else {
            throw ValidationError("Give --file or --input twice at most, found \(file.count + input.count).")
        }
        if !file.isEmpty, rate != nil {
            throw ValidationError("--rate, --format and --channels are for raw samples: a recording has its own.")
        }
    }

    var isEmpty: Bool { file.isEmpty && input.isEmpty && rate == nil }

    var requests: [LiveRequest] {
        let policy = recordings.policy
        let given = LiveRequest.Given(sampleRate: rate, encoding: format, channels: channels)
        let requests =
            input.map { LiveRequest(.bytes(path: $0), given: given, policy: policy) }
            + file.map { LiveRequest(.recording(path: $0), speed: speed ?? 1, policy: policy) }
        return requests.isEmpty ? [LiveRequest(.standardInput, given: given, policy: policy)] : requests
    }
}
