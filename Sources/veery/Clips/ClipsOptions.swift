import Annotations
import ArgumentParser
import Manifests
import Presentation

/// A length of time, as `1.5`, `1.5s`, `250ms` or `2min`.
struct ClipsDuration: ExpressibleByArgument {
    let nanoseconds: Int

    init?(argument: String) {
        let units = [("ms", 1e-3), ("min", 60), ("s", 1.0)]
        let unit = units.first { argument.hasSuffix($0.0) }
        let number = argument.dropLast(unit?.0.count ?? 0).trimmingSpaces()
        guard let value = Double(number), value.isFinite, value >= 0, value < 1e8 else { return nil }
        nanoseconds = Nanoseconds.of(value * (unit?.1 ?? 1))
    }
}

/// How much of an annotation has to lie in a window, as `0.5s` or `50%`.
struct ClipsOverlap: ExpressibleByArgument {
    let overlap: WindowRules.Overlap

    init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), (0...100).contains(percent) else { return nil }
            overlap = percent == 0 ? .time(0) : .share(percent / 100)
        } else {
            guard let duration = ClipsDuration(argument: argument) else { return nil }
            overlap = .time(duration.nanoseconds)
        }
    }
}

struct ClipsTableOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of annotation files: \(AnnotationFormats.names.joined(separator: ", ")). Default: by content and name.",
            valueName: "name"),
        completion: .list(AnnotationFormats.names))
    var annotationsFormat: String?

    @OptionGroup var rows: AnnotationRowOptions

    @Option(help: ArgumentHelp("The column of starts. Default: onset, start, begin …", valueName: "name"))
    var startColumn: String?

    @Option(help: ArgumentHelp("The column of ends. Default: offset, end, stop …", valueName: "name"))
    var endColumn: String?

    @Option(help: ArgumentHelp("The column of durations, for tables without ends.", valueName: "name"))
    var durationColumn: String?

    @Option(
        help: ArgumentHelp(
            "If a recording has several tables: the pattern of the right one's file name, such as '*.Table.2.*'.",
            valueName: "pattern"))
    var annotationsNamed: String?

    @OptionGroup var channels: AnnotationChannelOption

    @Option(help: ArgumentHelp("Leave out detections below this confidence, from 0 to 1.", valueName: "number"))
    var minConfidence: Double?

    /// - Parameter timeUnit: That of `--time-unit`.
    func options(_ timeUnit: TimeUnit?) -> AnnotationOptions {
        var options = rows.options
        options.startColumn = startColumn
        options.endColumn = endColumn
        options.durationColumn = durationColumn
        options.timeUnit = timeUnit
        options.usesChannels = channels.channel != .mix
        return options
    }

    func validate() throws {
        try ValidationError.check("min-confidence", minConfidence, in: 0...1)
        try Self.check(annotationsFormat)
        guard endColumn == nil || durationColumn == nil else {
            throw ValidationError("Give either --end-column or --duration-column, not both.")
        }
    }

    /// Refuses the name of an unknown format.
    static func check(_ format: String?) throws {
        guard let format, !AnnotationFormats.names.contains(format) else { return }
        throw ValidationError(
            "--annotations-format: expected one of \(AnnotationFormats.names.joined(separator: ", ")), found '\(format)'."
        )
    }
}

/// How the channels that annotations name are used.
struct AnnotationChannelOption: ParsableArguments {
    enum Use: String, CaseIterable, ExpressibleByArgument { case mix }

    @Option(
        help: ArgumentHelp(
            "mix: take annotations for the whole recording, whichever channel they name. Default: for that channel alone.",
            valueName: "mix"))
    var channel: Use?
}

struct ClipsCuttingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Add this much before and after every annotation, such as 0.1s.", valueName: "time"),
        transform: ClipsDuration.expecting("a length of time such as 0.1s"))
    var context: ClipsDuration?

    @Option(
        help: ArgumentHelp(
            "The minimum length of a clip; --short says what happens to shorter ones.", valueName: "time"),
        transform: ClipsDuration.expecting("a length of time such as 1s"))
    var minDuration: ClipsDuration?

    @Option(
        help: "What to do with clips that are too short: widen them around their middle, or drop them. (default: widen)"
    )
    var short: ClipRules.Short?

    @Option(
        help: ArgumentHelp("Leave out clips that are longer than this.", valueName: "time"),
        transform: ClipsDuration.expecting("a length of time such as 10s"))
    var maxDuration: ClipsDuration?

    @Option(
        help: ArgumentHelp(
            "Cut recordings into windows of this length. A window has the labels of the annotations in it.",
            valueName: "time"),
        transform: ClipsDuration.expecting("a length of time such as 3s"))
    var window: ClipsDuration?

    @Option(
        help: ArgumentHelp("The time from window to window. Default: the length of a window.", valueName: "time"),
        transform: ClipsDuration.expecting("a length of time such as 1.5s"))
    var step: ClipsDuration?

    @Option(
        help: ArgumentHelp(
            """
            How much of an annotation must be in a window that gets its label: a time, or a share of the annotation or \
            of the window, whichever is shorter. Default: any part.
            """, valueName: "time|n%"),
        transform: ClipsOverlap.expecting("a length of time such as 0.5s, or a share such as 50%"))
    var minOverlap: ClipsOverlap?

    @Flag(
        help: """
            If no window has as much of an annotation as --min-overlap says, give the label to the window with most of it, \
            provided that this is half of the annotation or more.
            """)
    var bestWindow = false

    @Option(
        help: ArgumentHelp(
            "The label of windows without annotations; 'drop' leaves them out. Default: none.", valueName: "name|drop"))
    var noLabel: String?

    @Option(
        help: """
            What to do with the end of a recording if it is shorter than a window: drop it, keep it as a short window, or \
            shift the last window back so that it ends there. (default: drop)
            """)
    var partial: WindowRules.Partial?

    /// Whether recordings without any annotations can be cut: into windows, of which none has the label of those without annotations.
    var needsNoAnnotations: Bool { window != nil && noLabel == nil }

    var cut: ClipMaker.Cut {
        guard let window else {
            var rules = ClipRules()
            rules.context = context?.nanoseconds ?? 0
            rules.minimum = minDuration?.nanoseconds ?? 0
            rules.short = short ?? .widen
            rules.maximum = maxDuration?.nanoseconds
            return .annotations(rules)
        }
        var rules = WindowRules(length: window.nanoseconds, step: (step ?? window).nanoseconds)
        rules.partial = partial ?? .drop
        rules.minimumOverlap = minOverlap?.overlap ?? .time(0)
        rules.usesBestWindow = bestWindow
        return .windows(rules, noLabel == "drop" ? .dropped : .kept(label: noLabel))
    }

    func validate() throws {
        let ofWindows: [(String, Bool)] = [
            ("step", step != nil), ("min-overlap", minOverlap != nil), ("no-label", noLabel != nil),
            ("partial", partial != nil), ("best-window", bestWindow),
        ]
        let ofClips = [
            ("context", context != nil), ("min-duration", minDuration != nil), ("short", short != nil),
            ("max-duration", maxDuration != nil),
        ]
        if window == nil, let wrong = ofWindows.first(where: \.1) {
            throw ValidationError("--\(wrong.0) is for --window.")
        }
        if window != nil, let wrong = ofClips.first(where: \.1) {
            throw ValidationError("--\(wrong.0) is for clips of annotations, not for --window.")
        }
        for (name, value) in [("window", window), ("step", step), ("max-duration", maxDuration)] {
            if value?.nanoseconds == 0 { throw ValidationError("--\(name): expected more than 0 seconds.") }
        }
        if bestWindow, minOverlap == nil { throw ValidationError("--best-window is for --min-overlap.") }
        if short != nil, minDuration == nil { throw ValidationError("--short is for --min-duration.") }
    }
}
