import ArgumentParser
import ArrayFiles
import AudioDecoding
import Conformance
import DatasetFormats
import FeatureModel
import Manifests
import Messages

struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Explain how arrays of another program differ from the features.",
        discussion: """
            Tells whether an array of another program equals the features of a recording,
            and if not, why. The array is a .npy, .npz or .safetensors file, or an archive
            of Kaldi, with rows of bins. Axes of length 1 and bins before rows are no
            difference, and are named. It is compared with the features before a
            normalisation over a dataset. If it differs, changes to the configuration are tried,
            first single ones, then others on top of the best, and the best explanation is
            printed: shape, window, edges, mel scale, logarithm, factor, normalisation.

            For several recordings, AUDIO is a manifest, and the arrays are named by its
            ids: in an .npz, a .safetensors file, an archive of Kaldi, or a folder of
            files ID.npy.

            The exit status is 0 if all arrays are equal, 1 if not, and 2 if they could
            not be compared, such as where a file cannot be read.

            Examples:
              veery conform theirs.npy call.wav --preset kaldi-fbank
              veery conform batch.npz call.wav --array input_features --preset whisper
              veery conform arrays manifest.csv --config my.yaml --json
            """)

    @Argument(help: "The array, or a folder of arrays.", completion: .file())
    var theirs: String

    @Argument(help: "The recording, or a manifest of several.", completion: .file())
    var audio: String

    @Option(help: ArgumentHelp("The name of the array, in a file that has several.", valueName: "name"))
    var array: String?

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var recording: RecordingOptions

    @OptionGroup var recordings: RecordingPolicyOptions

    @OptionGroup var ffmpeg: FFmpegOption

    @Option(
        help: ArgumentHelp(
            """
            How far values may be off, as a share of their range. It is the limit of the root mean square of the \
            differences; a single value may be off by \(Int(ValueDifference.maximumFactor)) times as much. \
            (default: \(ConformanceCheck.usualTolerance))
            """, valueName: "share"))
    var tolerance: Double?

    @Option(
        help: ArgumentHelp(
            "The folder that the paths of a manifest start from. Default: the manifest's folder.", valueName: "folder"),
        completion: .directory)
    var root: String?

    @Option(parsing: .unconditional, help: .jobs)
    var jobs: Int?

    @Flag(help: .json)
    var json = false

    /// Whether AUDIO is a manifest.
    private var isManifest: Bool { ManifestFormat(path: audio) != nil }

    func validate() throws {
        try Jobs.check(jobs)
        guard settings.preset != nil || settings.config != nil else {
            throw ValidationError("Give --preset NAME or --config FILE: the features that the array should be.")
        }
        if let tolerance, !(tolerance > 0 && tolerance <= 1) {
            throw ValidationError("--tolerance: expected a share above 0, up to 1, found \(tolerance).")
        }
        if isManifest {
            if array != nil {
                throw ValidationError("--array is for one recording: with a manifest, ids are the names.")
            }
            if !recording.isEmpty {
                throw ValidationError("--start, --end and --channel are for one recording: a manifest has columns.")
            }
        } else if root != nil {
            throw ValidationError("--root is for a manifest; \(audio) is a recording by its name.")
        }
    }

    func run() throws {
        let result: ConformanceResult
        let chosen = try settings.chosen()
        let configuration = chosen.configuration
        if let origin = chosen.origin { Console.note(origin) }
        for remark in chosen.remarks { Console.warn(remark) }
        do {
            result = try compared(configuration)
        } catch let error where !error.isSystemFault && !(error is ValidationError || error is ExitCode) {
            // As with cmp and diff, status 1 means a difference, and errors have another status.
            Console.note("Error: \(error)")
            throw Self.incomparable
        }
        let report = ConformReport(
            result: result, arrays: theirs, expected: configuration, preset: settings.preset, paths: chosen.paths,
            advice: advice)
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        guard result.isEqual else { throw ExitCode.failure }
    }

    /// The exit status where arrays could not be compared.
    private static let incomparable = ExitCode(2)

    /// What to do about a recording that is broken. Several have their parts in the manifest.
    private var advice: RecordingAdvice { recordings.advice(takesParts: !isManifest) }

    private func compared(_ configuration: FeatureConfiguration) throws -> ConformanceResult {
        let arrays = try ArrayCollection(path: theirs)
        let check = try ConformanceCheck(
            arrays, configuration, policy: recordings.policy,
            tolerance: tolerance ?? ConformanceCheck.usualTolerance, jobs: Jobs.count(jobs))
        return try FileRefusal.naming(audio, advice) { try check.run(pairs()) }
    }

    private func pairs() throws -> [ConformanceCheck.Pair] {
        guard isManifest else {
            let clip = Clip(
                index: 0, id: audio, path: audio, segment: try recording.segment, channel: recording.channel)
            return [ConformanceCheck.Pair(clip: clip, path: audio, arrayName: array)]
        }
        let dataset = try Dataset.open(ManifestInput(path: audio))
        let reader = try dataset.manifest.reader()
        var pairs: [ConformanceCheck.Pair] = []
        while let clip = try reader.next() {
            let path = Clip.location(of: clip.path, root: root ?? dataset.root)
            pairs.append(ConformanceCheck.Pair(clip: clip, path: path, arrayName: clip.id))
        }
        return pairs
    }
}
