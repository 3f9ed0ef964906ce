import ArgumentParser
import AudioDecoding
import ClipFeatures
import FeatureModel
import Presentation

struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter", abstract: "Keep or remove a band of frequencies of a recording.",
        usage: "veery filter <input> <output> --band-(pass|stop) <low-high> [options]",
        discussion: """
            The filter is a band-pass or a band-stop in the DCT domain: every channel is
            cut into pages of 1024 samples, and the DCT of each page is multiplied by an
            envelope and transformed back. Bin k is k · rate/2048 Hz. The output has as
            many samples as the input, and the same format unless its extension names
            another. It appears under its name once it is complete and has been
            read back.

            Pages overlap by three quarters and are cross-faded. With --pages separate they
            do not overlap, as in the program that this filter is modelled on: this is
            faster, but clicks are heard where pages meet.

            A band is LOW-HIGH, in Hz, kHz or bins. A number without a unit has the unit
            of the other edge, or Hz.

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

    @OptionGroup var bands: BandOptions

    @OptionGroup var recordings: RecordingPolicyOptions

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws { _ = try filter }

    func run() throws {
        try OutputName.refuseLinkToNothing(output)
        let filter = try filter
        let start = ContinuousClock.now
        let work = RecordingFilter(
            input: input, output: output, configuration: filter, overwriting: overwrite, policy: recordings.policy)
        let interruption = Interruption()
        let summary: FilteringSummary
        do {
            summary = try FileRefusal.naming(input, recordings.advice(takesParts: false)) {
                try interruption.run { try work.run(cancellation: $0) }
            }
        } catch let error as ConfigurationError {
            throw BandError(mode: filter.mode, error: error, input: input)
        } catch let error as SoundFileError {
            guard case .unknownExtension = error else { throw error }
            throw ValidationError("\(error).")
        }
        guard !quiet else { return }
        let report = FilteringReport(
            summary: summary, output: output, filter: filter, elapsedSeconds: start.duration(to: .now) / .seconds(1))
        for warning in report.warnings { Console.warn(warning) }
        Console.note(report.text)
    }

    private var filter: DCTFilterConfiguration {
        get throws {
            do {
                if let filter = try bands.filter() { return filter }
            } catch {
                throw ValidationError("\(error)")
            }
            throw ValidationError("Give --band-pass LOW-HIGH or --band-stop LOW-HIGH.")
        }
    }
}

struct FilteringReport {
    let summary: FilteringSummary
    let output: String
    let filter: DCTFilterConfiguration
    let elapsedSeconds: Double

    var warnings: [String] {
        var warnings: [String] = []
        if summary.clippedSamples > 0 {
            let all = summary.frames * summary.channels
            warnings.append(
                "\(Wording.count(summary.clippedSamples, "sample")) of \(Wording.count(all)) exceeded full scale and "
                    + "were clipped; a quieter recording, or floating-point samples, would avoid that")
        }
        if let cut = summary.cutOff { warnings.append("\(cut.reason): these were filtered") }
        if summary.zeroedSamples > 0 {
            warnings.append(
                "samples that were infinite or not a number became 0: \(Wording.count(summary.zeroedSamples))")
        }
        if !summary.lostTags.isEmpty {
            let names = summary.lostTags.joined(separator: ", ")
            warnings.append("the format of \(output) cannot store these tags: \(names)")
        }
        return warnings
    }

    var text: String {
        let seconds = Double(summary.frames) / Double(summary.sampleRate)
        let rate = Int(seconds / max(elapsedSeconds, 1e-3))
        let width = Double(summary.sampleRate) / Double(2 * DCTFilterConfiguration.pageLength)
        func hertz(_ bin: Int) -> String { Wording.number((Double(bin) * width * 10).rounded() / 10) }
        let (low, high) = (summary.bins.lowerBound, summary.bins.upperBound)
        let channels = summary.channels > 2 ? "\(summary.channels) channels" : Wording.channels(summary.channels)
        return
            "wrote \(output): \(filter.mode == .bandPass ? "band-pass" : "band-stop") \(hertz(low)) to \(hertz(high)) Hz "
            + "(bins \(low) to \(high) of \(DCTFilterConfiguration.pageLength))\(filter.pages == .separate ? ", separate pages" : ""), "
            + "\(summary.format), "
            + "\(channels), \(summary.sampleRate) Hz; "
            + "\(Wording.duration(seconds)) of audio in \(Wording.duration(elapsedSeconds)) "
            + "(\(Wording.count(rate))× real time)"
    }
}
