import ArgumentParser
import AudioDecoding
import ClipFeatures
import FeatureModel
import FileIO
import LiveAnalysis
import Messages
import Presentation

struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Write the samples of a recording as 'veery extract' reads them.",
        usage: "veery decode <input> [-o <output>] [options]",
        discussion: """
            The samples are those that features are computed of: the same code decodes,
            mixes and resamples them. They are written as 32-bit floating point, full
            scale ±1, in a WAV file, or in another format that holds such samples (.w64,
            .rf64, .aiff, .au, .caf).

            Without -o, or with '-o -', a WAV file goes to standard output, for another
            program. Its header leaves the length open, as ffmpeg's does. The samples are
            complete if the exit status is 0.

            Examples:
              veery decode song.mp3 -o song.wav
              veery decode call.wav --channels 1 --sample-rate 16000 -o caller.wav
              veery decode dawn.flac --start 60 --end 90 -o minute.wav
              veery decode song.mp3 | veery live --preset musical-spectrum
            """)

    @Argument(help: "The recording.", completion: .file())
    var input: String

    @Option(
        name: .shortAndLong, help: "The file to write. Default: standard output.",
        completion: .file(extensions: ["wav", "w64", "rf64", "aiff", "au", "caf"]))
    var output: String?

    @Option(help: ArgumentHelp("The rate to resample to, in Hz. Default: the recording's own.", valueName: "hz"))
    var sampleRate: Int?

    @Option(
        help: ArgumentHelp(
            """
            What resamples, as audio.resampler of a configuration names it: \(ResamplingMethod.names). Default: soxr-hq.
            """, valueName: "name"),
        transform: ResamplingMethod.expecting(ResamplingMethod.names))
    var resampler: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "The mean of all channels (mix), the first, one by its number from 0, or all. Default: mix.",
            valueName: "mix|first|n|all"),
        transform: DecodedChannels.expecting("mix, first, all or a channel number from 0"))
    var channels: DecodedChannels?

    @OptionGroup var part: RecordingPartOptions

    @OptionGroup var recordings: RecordingPolicyOptions

    @OptionGroup var ffmpeg: FFmpegOption

    @Option(
        name: .customLong("audio-xxh3"),
        help: ArgumentHelp(
            """
            Fail if the decoded samples have another checksum than this, which the column /clips/audio_xxh3 of a feature file has.
            """, valueName: "hex"), transform: ExpectedChecksum.expecting("32 hexadecimal digits"))
    var audioChecksum: ExpectedChecksum?

    @Flag(
        help: ArgumentHelp(
            "With --channels first: warn where a recording has others, as for the features of a configuration.",
            visibility: .hidden))
    var remarkChannels = false

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    /// The file to write; nil: standard output.
    private var target: String? { output == "-" ? nil : output }

    func validate() throws {
        try ValidationError.check("sample-rate", sampleRate, in: AudioConfiguration.sampleRates)
        _ = try part.segment
        if resampler != nil, sampleRate == nil {
            throw ValidationError("--resampler needs --sample-rate: without it, the recording keeps its own rate.")
        }
        guard target == nil else { return }
        if overwrite { throw ValidationError("--overwrite is for a file: give -o.") }
        if Console.isOutputTerminal {
            throw ValidationError(
                "The samples go to standard output, which is a terminal: give -o, or add '| PROGRAM'.")
        }
    }

    func run() throws { try FileRefusal.naming(input, recordings.advice(takesParts: true), decode) }

    private func decode() throws {
        if let target { try OutputName.refuseLinkToNothing(target) }
        let interruption = Interruption()
        let samples = try RecordingSamples(
            path: input, segment: try part.segment,
            AudioConfiguration(
                sampleRate: sampleRate, channels: channels?.selection ?? .mix, resampler: resampler ?? .soxrHQ),
            policy: recordings.policy,
            expected: audioChecksum?.checksum)
        let writer = try target.map { try file($0, samples) }
        var frames = 0
        var hasHeader = false
        func header() throws {
            guard writer == nil, !hasHeader else { return }
            hasHeader = true
            let format = LiveFormat(encoding: .f32le, sampleRate: samples.sampleRate, channels: samples.channels)
            try format.waveHeader.withUnsafeBytes(Console.write)
        }
        let found = try interruption.run { cancellation in
            try samples.read(cancellation: cancellation) { piece in
                try header()
                guard let start = piece.baseAddress else { return }
                let count = piece.count / samples.channels
                frames += count
                guard let writer else { return try Console.write(UnsafeRawBufferPointer(piece)) }
                try writer.write(start, frames: count)
            }
        }
        // Resampled, a recording of very few samples may have none.
        try header()
        _ = try writer?.finish()
        guard !quiet else { return }
        for warning in warnings(found) { Console.warn(warning) }
        guard let target else { return }
        Console.note(
            "wrote \(target): \(Wording.count(frames, "sample")) at \(samples.sampleRate) Hz, "
                + (samples.channels > 2 ? "\(samples.channels) channels" : Wording.channels(samples.channels)))
    }

    private func file(_ path: String, _ samples: RecordingSamples) throws -> SoundFileWriter {
        guard let container = SoundFileContainer(path: path),
            let format = SoundFileFormat.float(
                in: container, sampleRate: samples.sampleRate, channels: samples.channels)
        else {
            throw ValidationError(
                "\(path): expected a name that ends in .wav, .w64, .rf64, .aiff, .au or .caf, which hold samples of 32-bit "
                    + "floating point.")
        }
        if let source = FileStatus(path: input), let target = FileStatus(path: path), source.identity == target.identity
        {
            throw FilteringError.sameFile(input: input, output: path)
        }
        let writer = try SoundFileWriter(
            path: path,
            settings: SoundFileWriter.Settings(
                format: format, sampleRate: samples.sampleRate, channels: samples.channels), overwriting: overwrite)
        try writer.checkSize(frames: samples.expectedFrames)
        return writer
    }

    private func warnings(_ found: ClipMeasurement) -> [String] {
        var warnings: [String] = []
        if found.isTruncated { warnings.append("\(input): the recording is cut off: what is there of it was decoded") }
        if found.zeroedSamples > 0 {
            warnings.append(
                "\(input): samples that were infinite or not a number became 0: \(Wording.count(found.zeroedSamples))")
        }
        if remarkChannels, channels?.selection == .first, found.channels > 1 {
            var account = Account()
            account.add(.channelsLeftOut, ofClip: input, at: 0)
            warnings += RemarkWords.warnings(account)
        }
        return warnings
    }
}

extension ResamplingMethod: ExpressibleByArgument {
    /// All of them, for help and errors.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

struct DecodedChannels: ExpressibleByArgument {
    let selection: ChannelSelection

    init?(argument: String) {
        switch argument {
        case "mix": selection = .mix
        case "first": selection = .first
        case "all": selection = .all
        default:
            guard let number = Int(argument), (0...1023).contains(number) else { return nil }
            selection = .number(number)
        }
    }
}

struct ExpectedChecksum: ExpressibleByArgument {
    let checksum: Checksum128

    init?(argument: String) {
        guard let checksum = Checksum128(hex: argument) else { return nil }
        self.checksum = checksum
    }
}
