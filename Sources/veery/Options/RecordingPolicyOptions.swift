import ArgumentParser
import AudioDecoding
import FeatureModel

extension RecordingPolicy.Truncated: ExpressibleByArgument {}
extension RecordingPolicy.NonFinite: ExpressibleByArgument {}

/// What becomes of recordings that are cut off.
struct TruncatedOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What becomes of clips whose recording is cut off before they end: fail, or keep what is there.",
            valueName: "fail|keep"))
    var truncated: RecordingPolicy.Truncated = .fail
}

/// What becomes of recordings that are cut off, and of samples that are no numbers.
struct RecordingPolicyOptions: ParsableArguments {
    @OptionGroup var cut: TruncatedOption

    @Option(
        help: ArgumentHelp(
            "What becomes of clips with samples that are infinite or not a number: fail, or make these samples zero.",
            valueName: "fail|zero"))
    var nonFinite: RecordingPolicy.NonFinite = .fail

    /// Both.
    var policy: RecordingPolicy { RecordingPolicy(truncated: cut.truncated, nonFinite: nonFinite) }
}
