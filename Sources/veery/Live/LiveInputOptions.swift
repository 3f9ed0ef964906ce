import ArgumentParser
import FeatureModel
import LiveAnalysis

extension LiveSampleEncoding: ExpressibleByArgument {}

/// Where sound comes from.
struct LiveInputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play this recording instead of reading standard input. Twice: two side by side.", valueName: "audio"),
        completion: .file())
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read this file or named pipe instead of standard input. Twice: two side by side.", valueName: "pipe"),
        completion: .file())
    var input: [String] = []

    @Option(help: ArgumentHelp("The rate of raw samples, in Hz.", valueName: "hz"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "How raw samples are stored. Default: s16le.", valueName: "format"))
    var format: LiveSampleEncoding?

    @Option(help: ArgumentHelp("The interleaved channels of raw samples. Default: 1.", valueName: "n"))
    var channels: Int?

    @Option(
        help: ArgumentHelp(
            "How much faster than it lasts a recording is played; 0: as fast as it can be read. Default: 1.",
            valueName: "factor"))
    var speed: Double?

    @OptionGroup var recordings: RecordingPolicyOptions

    /// The most inputs that are shown side by side.
    private static let most = 2

    func validate() throws {
        let rates = AudioConfiguration.sampleRates
        if let rate, !rates.contains(rate) {
            throw ValidationError("--rate: expected \(rates.lowerBound) to \(rates.upperBound), found \(rate).")
        }
        if let channels, !(1...1024).contains(channels) {
            throw ValidationError("--channels: expected 1 to 1024, found \(channels).")
        }
        guard rate != nil || (format == nil && channels == nil) else {
            throw ValidationError("--format and --channels are for raw samples: give their --rate, too.")
        }
        if let speed {
            guard speed >= 0, speed.isFinite else {
                throw ValidationError("--speed: expected 0 or more, found \(speed).")
            }
            guard !file.isEmpty else {
                throw ValidationError("--speed is for --file: what comes through a pipe has a pace of its own.")
            }
        }
        guard file.count + input.count <= Self.most else {
            throw ValidationError("Give --file or --input twice at most, found \(file.count + input.count).")
        }
        if recordings.cut.truncated == .keep, file.isEmpty {
            throw ValidationError(
                "--truncated is for --file: what comes through a pipe does not say how long it will be.")
        }
        if !file.isEmpty, rate != nil {
            throw ValidationError("--rate, --format and --channels are for raw samples: a recording says what it is.")
        }
    }

    /// Whether nothing was said of it.
    var isEmpty: Bool { file.isEmpty && input.isEmpty && rate == nil }

    /// The inputs as asked for; standard input where nothing is.
    var requests: [LiveRequest] {
        let policy = recordings.policy
        let given = LiveRequest.Given(sampleRate: rate, encoding: format, channels: channels)
        let requests =
            input.map { LiveRequest(.bytes(path: $0), given: given, policy: policy) }
            + file.map { LiveRequest(.recording(path: $0), speed: speed ?? 1, policy: policy) }
        return requests.isEmpty ? [LiveRequest(.standardInput, given: given, policy: policy)] : requests
    }
}
