import ArgumentParser
import AudioDecoding
import ClipFeatures
import FeatureModel

/// `veery filter`
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Filter a recording by a band-pass or band-stop in the DCT domain.",
        usage: "veery filter <input> <output> --band-(pass|stop) <low-high> [options]",
        discussion: """
            Every channel is cut into pages of 1024 samples; the DCT of each is
            multiplied by an envelope and transformed back, so bin k stands for
            k · rate/2048 Hz. All samples are kept, in the input's own format, or that
            of the output's extension where it is another one. The file appears under
            its name when it is complete.

            Pages overlap by three quarters and fade into each other. --pages separate
            filters without overlap, as the program that this filter comes from does:
            it is faster, and clicks wherever two pages meet.

            A band is LOW-HIGH, in Hz, kHz or bins; a number without a unit has that of
            the other edge, or Hz.

            Examples:
              veery filter call.wav speech.wav --band-pass 300-3400
              veery filter dawn.flac quiet.flac --band-stop 45Hz-55Hz
              veery filter song.ogg song.wav --band-pass 0.5-8kHz
              veery filter in.wav out.wav --band-stop 20-300bins --overwrite
            """)

    @Argument(help: "The recording.", completion: .file())
    var input: String

    @Argument(help: "The file to write.", completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp("Keep this band alone, such as 300-3400, 0.3-3.4kHz or 20-300bins.", valueName: "low-high"))
    var bandPass: FrequencyBand?

    @Option(help: ArgumentHelp("Take this band away, such as 45-55 or 20-300bins.", valueName: "low-high"))
    var bandStop: FrequencyBand?

    @Option(help: "How the recording is cut into pages.")
    var pages = DCTFilterPages.overlapping

    @OptionGroup var recordings: RecordingPolicyOptions

    @Flag(help: "Replace an existing output, once the new one is complete.")
    var overwrite = false

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws { _ = try filter }

    func run() throws {
        let filter = try filter
        let begin = ContinuousClock.now
        let work = RecordingFilter(
            input: input, output: output, configuration: filter, overwriting: overwrite, policy: recordings.policy)
        let interruption = Interruption()
        let result = Result { try work.run(cancellation: interruption.cancellation) }
        if case .failure(FilteringError.cancelled) = result, let status = interruption.exitStatus {
            Console.note("\(FilteringError.cancelled)")
            throw ExitCode(status)
        }
        let summary: FilteringSummary
        do {
            summary = try result.get()
        } catch let error as ConfigurationError {
            throw BandError(mode: filter.mode, error: error, input: input)
        } catch let error as SoundFileError {
            guard case .unknownExtension = error else { throw error }
            throw ValidationError("\(error).")
        }
        guard !quiet else { return }
        let report = FilteringReport(
            summary, output: output, filter: filter, elapsedSeconds: begin.duration(to: .now) / .seconds(1))
        for warning in report.warnings { Console.warn(warning) }
        Console.note(report.text)
    }

    private var filter: DCTFilterConfiguration {
        get throws {
            let given: [(DCTFilterMode, FrequencyBand)] =
                [(.bandPass, bandPass), (.bandStop, bandStop)].compactMap { mode, band in band.map { (mode, $0) } }
            guard given.count == 1, let (mode, band) = given.first else {
                throw ValidationError("Give either --band-pass LOW-HIGH or --band-stop LOW-HIGH.")
            }
            do {
                return try DCTFilterConfiguration(mode: mode, low: band.low, high: band.high, pages: pages)
            } catch {
                throw ValidationError("\(BandError(mode: mode, error: error))")
            }
        }
    }
}
