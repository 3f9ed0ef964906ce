import ArgumentParser
import AudioDecoding
import ConfigurationFiles
import DatasetExtraction
import Essentials
import FeatureModel
import LiveAnalysis
import Messages
import Platform
import Presentation
import Terminal

struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Show live sound in the terminal, and record its features.",
        usage: "veery live [--file <audio> | --rate <hz> | ...] [options] < samples",
        discussion: """
            Raw PCM or WAV is read from standard input, or --file plays a recording. The
            display depends on the preset: a scrolling spectrogram, the bars of
            mixer-fft, the notes of musical-spectrum, the curve of live-waveform. The
            default is the preset spectrogram, up to half of the sample rate.

            With --band-pass, --band-stop or --display equalizer, the samples are written
            to standard output, filtered as by 'veery filter', with a delay of at most
            1024 samples; arrow keys change the band.

            Keys: space pauses the display, while analysis and recording continue; s stops
            and starts them; r clears the picture; q quits, as Ctrl-C does.

            --record stores the features that 'veery extract' would compute of the same
            samples, with the same default preset, log-mel, and needs no terminal. The
            file is completed when the sound ends, at q, and after Ctrl-C, SIGTERM or
            SIGHUP. Sound is on the disk within two seconds: after a crash, a power cut,
            SIGKILL or a full disk, --recover completes the file. The display is not
            normalised.

            Examples:
              arecord -f S16_LE -r 44100 -t raw | veery live --rate 44100
              arecord -f cd -t wav | veery live --preset scrolling-dct
              rec -t wav - | veery live --preset musical-spectrum --record song.h5
              ffmpeg -i URL -f wav - | veery live --band-pass 300-3400 | aplay
              veery live --file song.flac --preset scrolling-dct
            """)

    @OptionGroup var source: LiveInputOptions

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var appearance: LiveDisplayOptions

    @OptionGroup var bands: BandOptions

    @Option(
        help: ArgumentHelp("Record the features in this file.", valueName: "features.h5"),
        completion: .newFeatures)
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Complete a recording of features that a crash or a power cut interrupted.",
            valueName: "features.h5"),
        completion: .newFeatures)
    var recover: String?

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        if hasBand, let display = appearance.display, display != .equalizer {
            throw ValidationError("--band-pass and --band-stop are for --display equalizer.")
        }
        if isEqualizer, source.requests.count > 1 { throw ValidationError("An equalizer has one input.") }
        if record != nil, source.recordings.policy != RecordingPolicy() {
            throw ValidationError(
                "--record stores whole recordings and finite samples: 'veery extract' has --truncated and --non-finite."
            )
        }
        if let record { try FeatureFileName.check(record) }
        if bands.pages != nil, !isEqualizer {
            throw ValidationError("--pages is for --band-pass, --band-stop and --display equalizer.")
        }
        if overwrite, record == nil, recover == nil {
            throw ValidationError("--overwrite is for --record and --recover.")
        }
        if recover != nil, record != nil || !source.isEmpty || !settings.isEmpty || !appearance.isEmpty || isEqualizer {
            throw ValidationError(
                "--recover completes a recording with the settings it was made with: give it alone, or with --overwrite."
            )
        }
    }

    private var hasBand: Bool { bands.band != nil }
    private var isEqualizer: Bool { hasBand || appearance.display == .equalizer }

    func run() throws {
        if let recover { return try report(LiveRecording.recover(output: recover, overwriting: overwrite)) }
        let environment = ProcessInfo.processInfo.environment
        let device = try device(environment)
        let requests = source.requests
        if requests.contains(where: { $0.origin == .standardInput }), isatty(STDIN_FILENO) == 1 {
            throw Self.refusal(Self.howToStart)
        }
        let signals = try LiveSignals()
        if let record {
            ProcessLimits.setLastWords(
                "; with more memory, 'veery live --recover \(record.printable)' completes the recording")
        }
        noteIfWaiting(requests)
        let session: LiveSession
        let screen: LiveScreen?
        do {
            let inputs = try requests.map { try LiveInput($0, cancellation: signals.cancellation) }
            (session, screen) = try prepare(inputs, device, signals, environment)
        } catch LiveError.cancelled {
            throw ExitCode(signals.exitStatus ?? 1)
        }
        let (summary, missed) = try signals.completing(answer: record.map(Self.completionNotice)) {
            try show(session, screen, device, signals)
        }
        try report(summary, missedRows: missed, exitStatus: signals.exitStatus)
    }

    /// Prints a note while input is awaited: nothing can be shown before its format is known, and an empty screen would look like
    /// a fault.
    private func noteIfWaiting(_ requests: [LiveRequest]) {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard !quiet, requests.contains(where: { $0.origin == .standardInput }), poll(&input, 1, Self.patience) == 0
        else { return }
        Console.note("waiting for sound on standard input; Ctrl-C quits")
    }

    /// The time until that note, in milliseconds.
    private static let patience: Int32 = 500

    private func report(_ summary: LiveSummary, missedRows: Int = 0, exitStatus: Int32? = nil) throws {
        let report = LiveReport(summary: summary, missedRows: missedRows)
        if !quiet {
            for warning in report.warnings { Console.warn(warning) }
            Console.note(report.text)
        }
        for failure in report.failures { Console.note("error: \(failure)") }
        // If the recording is complete, the run has succeeded, even if a signal ended it.
        if let exitStatus, summary.file == nil { throw ExitCode(exitStatus) }
        guard report.failures.isEmpty else { throw report.isSystemFault ? ExitCode.tryAgain : ExitCode(1) }
    }

    /// Runs the analysis to its end, or until the user quits, and completes the recording; also returns the number of rows that
    /// arrived too fast to be shown.
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

    /// The answer to a second request to stop while the recording is being completed.
    private static func completionNotice(_ record: String) -> String {
        "\(record.printable) is being completed: wait a moment. After kill -KILL \(getpid()), "
            + "'veery live --recover \(record.printable)' completes it"
    }

    private func device(_ environment: [String: String]) throws -> TerminalDevice? {
        if isEqualizer, isatty(STDOUT_FILENO) == 1 {
            throw Self.refusal(
                "The filtered samples go to standard output, which is a terminal: add '| aplay' or '> file'.")
        }
        let found = isEqualizer ? TerminalDevice.controlling() : TerminalDevice.standardOutput()
        guard let found else {
            guard isEqualizer || record != nil else {
                throw Self.refusal(
                    "The display needs a terminal, and standard output is not one: leave out the redirection, or give "
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
                band: isEqualizer ? try band(inputs[0]) : nil, pages: bands.pages ?? .overlapping,
                inputs: chosen.inputs),
            cancellation: signals.cancellation)
        if !quiet {
            // A display of a model's input may be changed; a recording is for the model.
            if let origin = chosen.origin { Console.note(origin) }
            let plan = session.tracks.first?.plan
            let warnings = try plan.map { try record == nil ? $0.warnings : chosen.warnings(of: $0) } ?? []
            for warning in warnings + session.warnings { Console.warn(warning) }
            // A recording is reported at its end.
            if record == nil {
                for warning in RemarkWords.warnings(session.account) { Console.warn(warning) }
                if let plan, let warning = session.lowerRates.warning(of: "input", plan, model: chosen.model) {
                    Console.warn(warning)
                }
            }
        }
        guard let device else { return (session, nil) }
        let depth = appearance.depth.depth(environment: environment)
        let style = LiveStyle(depth: depth, colors: appearance.table(configuration).entries.map(\.hex))
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
        guard let filter = try bands.filter() else { return LiveEqualizer.Band(mode: .bandPass, bins: Self.middle) }
        do {
            return LiveEqualizer.Band(
                mode: filter.mode, bins: try filter.bins(at: Double(input.format.sampleRate)))
        } catch {
            throw BandError(mode: filter.mode, error: error, input: input.name)
        }
    }

    /// The default band: 1.4 to 5.5 kHz at 44.1 kHz.
    private static let middle = 64...256

    /// Prints an error of usage that is found only at run time. The text says what to do, so the usage is not printed.
    private static func refusal(_ words: String) -> ExitCode {
        Console.note("Error: \(words)")
        return .validationFailure
    }

    private static let howToStart = """
        Standard input is a terminal. Pipe sound into it, such as
          arecord -f cd -t wav | veery live
          rec -t wav - | veery live
          ffmpeg -i song.mp3 -f wav - | veery live
          veery live --file song.wav
        """
}
