import ArgumentParser
import AudioDecoding
import ConfigurationFiles
import FeatureModel
import Foundation
import LiveAnalysis
import Presentation
import Terminal

/// `veery live`
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Show sound in the terminal as it comes, and record its features.",
        usage: "veery live [--file <audio> | --rate <hz> | ...] [options] < samples",
        discussion: """
            Raw PCM or WAV comes on standard input, or --file plays a recording. What is
            shown depends on the preset: a scrolling spectrogram, the bars of mixer-fft,
            the notes of musical-spectrum, the curve of live-waveform. Without one it is
            the preset spectrogram, which shows all that the sample rate has.

            With --band-pass, --band-stop or --display equalizer, the samples go on to
            standard output, filtered as by 'veery filter', at most 1024 samples after
            they came; arrow keys change the band.

            Keys: space pauses the picture, while analysis and recording go on; s stops
            and starts them; r begins a new picture; q quits, as Ctrl-C does.

            --record stores the features that 'veery extract' would compute of the same
            samples, by the same default preset, log-mel, and needs no terminal. The file is completed when the sound ends, at
            q, and after Ctrl-C, SIGTERM or SIGHUP. What has come is on the disk within
            two seconds: after a crash, a power cut, SIGKILL or a full disk, --recover
            completes the file. What is shown is not normalised.

            Examples:
              arecord -f S16_LE -r 44100 -t raw | veery live --rate 44100
              arecord -f cd -t wav | veery live --preset scrolling-dct
              rec -t wav - | veery live --preset musical-spectrum --record song.h5
              ffmpeg -i URL -f wav - | veery live --band-pass 300-3400 | aplay
              veery live --file song.flac --preset scrolling-dct
            """)

    @OptionGroup(title: "Sound") var source: LiveInputOptions

    @OptionGroup(title: "What is computed") var settings: ConfigurationOptions

    @OptionGroup(title: "Appearance") var appearance: LiveDisplayOptions

    @Option(
        help: ArgumentHelp("Pass on this band alone, such as 300-3400 or 20-300bins.", valueName: "low-high"))
    var bandPass: FrequencyBand?

    @Option(help: ArgumentHelp("Take this band away, such as 45-55 or 20-300bins.", valueName: "low-high"))
    var bandStop: FrequencyBand?

    @Option(help: "How the equalizer cuts its input into pages, as in 'veery filter'. (default: overlapping)")
    var pages: DCTFilterPages?

    @Option(
        help: ArgumentHelp("Store the features in this file.", valueName: "features.h5"),
        completion: .file(extensions: ["h5"]))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Complete a recording that a crash or a power cut has interrupted, and nothing else.",
            valueName: "features.h5"),
        completion: .file(extensions: ["h5"]))
    var recover: String?

    @Flag(help: "Replace an existing feature file, once the new one is complete.")
    var overwrite = false

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        guard bandPass == nil || bandStop == nil else {
            throw ValidationError("Give either --band-pass or --band-stop.")
        }
        if hasBand, let display = appearance.display, display != .equalizer {
            throw ValidationError("--band-pass and --band-stop are for --display equalizer.")
        }
        if isEqualizer, source.requests.count > 1 {
            throw ValidationError("An equalizer has one input.")
        }
        if record != nil, source.recordings.policy != RecordingPolicy() {
            throw ValidationError(
                "--record stores whole recordings and finite samples: 'veery extract' has --truncated and --non-finite."
            )
        }
        if let record { try FeatureFileName.check(record) }
        if pages != nil, !isEqualizer {
            throw ValidationError("--pages is for --band-pass, --band-stop and --display equalizer.")
        }
        if overwrite, record == nil, recover == nil {
            throw ValidationError("--overwrite is for --record and --recover.")
        }
        if recover != nil, record != nil || !source.isEmpty || !settings.isEmpty || !appearance.isEmpty || isEqualizer {
            throw ValidationError(
                "--recover completes what was recorded, with the settings of then: give it alone, or with --overwrite.")
        }
    }

    private var hasBand: Bool { bandPass != nil || bandStop != nil }
    private var isEqualizer: Bool { hasBand || appearance.display == .equalizer }

    func run() throws {
        if let recover { return try report(LiveRecording.recover(output: recover, overwriting: overwrite)) }
        let environment = ProcessInfo.processInfo.environment
        let device = try device(environment)
        let requests = source.requests
        if requests.contains(where: { $0.place == .standardInput }), isatty(STDIN_FILENO) == 1 {
            throw Self.refusal(Self.howToBegin)
        }
        let signals = try LiveSignals()
        if let record {
            ProcessLimits.whereMemoryEnds(
                "; once there is more, 'veery live --recover \(record.printable)' completes what was recorded")
        }
        tellWhetherWaiting(requests)
        let session: LiveSession
        let screen: LiveScreen?
        do {
            let inputs = try requests.map { try LiveInput($0, cancellation: signals.cancellation) }
            (session, screen) = try prepare(inputs, device, signals, environment)
        } catch LiveError.cancelled {
            throw ExitCode(signals.exitStatus ?? 1)
        }
        let (summary, missed) = try signals.completing(answer: record.map(Self.goesOn)) {
            try show(session, screen, device, signals)
        }
        try report(summary, missedRows: missed, exitStatus: signals.exitStatus)
    }

    /// Nothing can be shown before it is known what comes: a bare screen would look like a fault.
    private func tellWhetherWaiting(_ requests: [LiveRequest]) {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard !quiet, requests.contains(where: { $0.place == .standardInput }), poll(&input, 1, Self.patience) == 0
        else { return }
        Console.note("waiting for sound on standard input; Ctrl-C ends it")
    }

    /// In milliseconds.
    private static let patience: Int32 = 500

    /// Says what it has come to.
    private func report(_ summary: LiveSummary, missedRows: Int = 0, exitStatus: Int32? = nil) throws {
        let report = LiveReport(summary, missedRows: missedRows)
        if !quiet {
            for warning in report.warnings { Console.warn(warning) }
            Console.note(report.text)
        }
        for failure in report.failures { Console.note("error: \(failure)") }
        // A recording that is complete is what was asked for, however it was ended.
        if let exitStatus, summary.file == nil { throw ExitCode(exitStatus) }
        guard report.failures.isEmpty else { throw report.isSystemFault ? ExitCode.tryAgain : ExitCode(1) }
    }

    /// Runs the analysis to its end, which the screen may ask for, and stores what is recorded; also says how many rows had
    /// gone before they could be shown.
    private func show(
        _ session: LiveSession, _ screen: LiveScreen?, _ device: TerminalDevice?, _ signals: LiveSignals
    ) throws -> (LiveSummary, missedRows: Int) {
        try session.begin()
        guard var screen else { return (try session.finish(), 0) }
        if let device { signals.beforeExit { device.leave() } }
        screen.run()
        if !session.hasEnded { signals.cancellation.cancel() }
        return (try session.finish(), screen.missedRows)
    }

    /// What is answered to who wants to stop a recording for the second time: to complete it takes moments.
    private static func goesOn(_ record: String) -> String {
        "\(record.printable) is being completed: wait a moment. After kill -KILL \(getpid()), "
            + "'veery live --recover \(record.printable)' completes it"
    }

    /// What the picture is shown on; nil: nothing, since there is no terminal.
    private func device(_ environment: [String: String]) throws -> TerminalDevice? {
        if isEqualizer, isatty(STDOUT_FILENO) == 1 {
            throw Self.refusal(
                "The filtered samples go to standard output, which is a terminal: add '| aplay' or '> file'.")
        }
        let found = isEqualizer ? TerminalDevice.controlling() : TerminalDevice.standardOutput()
        guard let found else {
            guard isEqualizer || record != nil else {
                throw Self.refusal(
                    "The display needs a terminal, and standard output is none: leave the redirection out, or give "
                        + "--record features.h5 to store the features without a display.")
            }
            return nil
        }
        let term = environment["TERM"] ?? ""
        guard !["", "dumb"].contains(term) || appearance.depth != .auto else {
            guard record == nil, !isEqualizer else { return nil }
            throw Self.refusal(
                "The display needs a terminal that can move its cursor, and TERM is '\(term)': use another one, or "
                    + "give --depth ascii where it can.")
        }
        return found
    }

    private func prepare(
        _ inputs: [LiveInput], _ device: TerminalDevice?, _ signals: LiveSignals, _ environment: [String: String]
    ) throws -> (LiveSession, LiveScreen?) {
        var settings = settings
        if settings.preset == nil, settings.config == nil {
            let display = isEqualizer ? .equalizer : appearance.display ?? .spectrogram
            settings.preset = display.preset(isRecorded: record != nil).rawValue
        }
        let chosen = try settings.chosen()
        let configuration = chosen.configuration
        let display = isEqualizer ? .equalizer : appearance.display(settings, configuration)
        let session = try LiveSession(
            inputs, configuration: configuration, json: ConfigurationText.json(configuration),
            options: LiveOptions(
                record: record, overwrite: overwrite, seconds: appearance.span,
                band: isEqualizer ? try band(inputs[0]) : nil, pages: pages ?? .overlapping),
            cancellation: signals.cancellation)
        if !quiet {
            let rate = configuration.audio.sampleRate.map(Double.init)
            let warnings = try session.warnings + (rate.map(chosen.warnings(at:)) ?? [])
            for warning in warnings { Console.warn(warning) }
        }
        guard let device else { return (session, nil) }
        let depth = appearance.depth.depth(environment: environment)
        let style = LiveStyle(
            depth: depth, colors: appearance.table(configuration).entries.map(\.hex))
        let name = settings.preset ?? settings.config ?? display.rawValue
        let heading = LiveHeading(
            title: [CellText.name(name)] + session.tracks.flatMap(Self.words),
            isRecorded: record != nil, hasBand: isEqualizer, hasKeys: device.hasKeys)
        let panes: [any LivePane]
        do {
            panes = try session.tracks.map { try appearance.pane(display, $0) }
        } catch {
            session.discard()
            throw error
        }
        return (
            session,
            LiveScreen(
                device, session: session, signals: signals, panes: panes, style: style, heading: heading,
                framesPerSecond: appearance.fps)
        )
    }

    private static func words(_ track: LiveTrack) -> [String] {
        [
            CellText.name(track.name),
            "\(Wording.count(track.format.sampleRate)) Hz \(Wording.channels(track.format.channels))",
        ]
    }

    private func band(_ input: LiveInput) throws -> LiveEqualizer.Band {
        let mode: DCTFilterMode = bandStop == nil ? .bandPass : .bandStop
        guard let band = bandPass ?? bandStop else { return LiveEqualizer.Band(mode: mode, bins: Self.middle) }
        do {
            let filter = try DCTFilterConfiguration(mode: mode, low: band.low, high: band.high)
            return LiveEqualizer.Band(mode: mode, bins: try filter.bins(at: Double(input.format.sampleRate)))
        } catch {
            throw BandError(mode: mode, error: error, input: input.name)
        }
    }

    /// The band where none is given: 1.4 to 5.5 kHz at 44.1 kHz.
    private static let middle = 64...256

    /// Wrong usage that shows only where the program runs. It says what to do, so that no usage need follow.
    private static func refusal(_ words: String) -> ExitCode {
        Console.note("Error: \(words)")
        return .validationFailure
    }

    private static let howToBegin = """
        Standard input is a terminal: sound has to come from somewhere, such as
          arecord -f cd -t wav | veery live
          rec -t wav - | veery live
          ffmpeg -i song.mp3 -f wav - | veery live
          veery live --file song.wav
        """
}
