import Annotations
import ArgumentParser
import AudioDecoding
import FeatureModel
import FileIO
import Messages

/// A position in a recording: seconds, or `[H:]MM:SS`, as in tables of annotations.
struct RecordingTime: ExpressibleByArgument {
    static let expected = "seconds, or minutes and seconds such as 1:30.5 or 5:30:00"

    let seconds: Double

    init?(argument: String) {
        guard let seconds = FieldNumber.time(argument) else { return nil }
        self.seconds = seconds
    }
}

struct RecordingPartOptions: ParsableArguments {
    @Option(
        name: .customLong("start"), parsing: .unconditional,
        help: ArgumentHelp("Where to start, in seconds or as 5:30:00.", valueName: "s"),
        transform: RecordingTime.expecting(RecordingTime.expected))
    var startTime: RecordingTime?

    @Option(
        name: .customLong("end"), parsing: .unconditional,
        help: ArgumentHelp("Where to end, in seconds or as 5:30:00.", valueName: "s"),
        transform: RecordingTime.expecting(RecordingTime.expected))
    var endTime: RecordingTime?

    var start: Double? { startTime?.seconds }
    var end: Double? { endTime?.seconds }

    /// The part; nil: all.
    var segment: Segment? {
        get throws {
            guard start != nil || end != nil else { return nil }
            guard let segment = Segment(start: start ?? 0, end: end) else {
                throw ValidationError("--start and --end: expected 0 ≤ start < end, in seconds.")
            }
            return segment
        }
    }
}

struct RecordingOptions: ParsableArguments {
    @OptionGroup var part: RecordingPartOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The channel, counted from 0. Default: as configured.", valueName: "n"))
    var channel: Int?

    var start: Double? { part.start }
    var end: Double? { part.end }
    var isEmpty: Bool { start == nil && end == nil && channel == nil }

    /// The part; nil: all.
    var segment: Segment? { get throws { try part.segment } }

    func validate() throws { try ValidationError.check("channel", channel, in: 0...1023) }
}

extension ConfigurationOptions {
    var isEmpty: Bool { preset == nil && config == nil && assignments.isEmpty }
}

// The library's own extension would instantiate a key path for each type at every start.
extension RecordingPolicy.Truncated: ExpressibleByArgument {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}
extension RecordingPolicy.NonFinite: ExpressibleByArgument {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

struct FFmpegOption: ParsableArguments {
    @Flag(
        name: .customLong("no-ffmpeg"),
        help: "Do not use ffmpeg for recordings that libsndfile cannot read (M4A, WMA, AMR, video).")
    var isOff = false

    // Before any recording is opened.
    func validate() { if isOff { FFmpegPrograms.turnOff() } }
}

struct OvershootOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            By how many seconds a clip may end after its recording. It is then cut off at the end of the recording. The same \
            as audio.overshoot. Default: 0.001, or what the dataset's format allows (0.5 in Kaldi).
            """, valueName: "s"))
    var overshoot: Double?

    func validate() throws {
        try ValidationError.check("overshoot", overshoot, in: 0...AudioConfiguration.maximumOvershoot)
    }
}

struct TruncatedOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "If a recording is cut off before a clip's end: fail, or keep what can be read.",
            valueName: "fail|keep"))
    var truncated: RecordingPolicy.Truncated = .fail
}

struct RecordingPolicyOptions: ParsableArguments {
    @OptionGroup var cut: TruncatedOption

    @Option(
        help: ArgumentHelp(
            "If a clip has infinite or NaN samples: fail, or set these to zero.", valueName: "fail|zero"))
    var nonFinite: RecordingPolicy.NonFinite = .fail

    var policy: RecordingPolicy { RecordingPolicy(truncated: cut.truncated, nonFinite: nonFinite) }

    /// - Parameter takesParts: Whether the command has `RecordingPartOptions`, too.
    func advice(takesParts: Bool) -> RecordingAdvice { RecordingAdvice(policy, takesParts: takesParts) }
}
