import ArgumentParser
import FeatureModel

/// Which part of a recording.
struct RecordingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Where to begin, in seconds.", valueName: "s"))
    var start: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Where to end, in seconds.", valueName: "s"))
    var end: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The channel, counted from 0. Default: as configured.", valueName: "n"))
    var channel: Int?

    /// Whether nothing was given.
    var isEmpty: Bool { start == nil && end == nil && channel == nil }

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

    func validate() throws {
        if let channel, !(0...1023).contains(channel) {
            throw ValidationError("--channel: expected 0 to 1023, found \(channel).")
        }
    }
}

extension ConfigurationOptions {
    /// Whether nothing was given.
    var isEmpty: Bool { preset == nil && config == nil && assignments.isEmpty }
}
