import Annotations
import ArgumentParser
import FeatureModel
import Manifests
import Messages
import Presentation

extension ClipRules.Short: ExpressibleByArgument {}
extension WindowRules.Partial: ExpressibleByArgument {}

struct ClipsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clips", abstract: "Make a manifest of clips from annotations or windows.",
        discussion: """
            The input is a manifest of recordings, a folder, a recording, or an
            annotation file that names its recordings or is in the folder of its
            recording. Without --annotations, the tables in the folders of the recordings
            are read. Formats: Raven,
            Audacity, Praat TextGrid, Annotation.xml, BirdNET-Analyzer, CSV with onsets
            and offsets, manifests. All problems are reported at once, with file and
            line, and nothing is written.

            Examples:
              veery clips recordings -o clips.csv --context 0.1
              veery clips day.Table.1.selections.txt -o clips.csv --label-column Species
              veery clips manifest.csv --annotations labels.csv -o clips.csv
              veery clips day.wav --window 3s --step 1.5s --no-label drop -o windows.csv
            """)

    @OptionGroup var input: ManifestArguments

    @OptionGroup var output: ManifestOutputOptions

    @Option(
        help: ArgumentHelp(
            "An annotation file, or a folder of them. Repeatable. Default: the tables in the folders of the recordings.",
            valueName: "file|folder"),
        completion: .file())
    var annotations: [String] = []

    @OptionGroup var tables: ClipsTableOptions

    @OptionGroup var cutting: ClipsCuttingOptions

    @OptionGroup var overshoot: OvershootOption

    @Option(
        help: ArgumentHelp(
            "If a recording is cut off, and annotations or windows are in the missing part: fail, or keep what can be read.",
            valueName: "fail|keep"))
    var truncated: RecordingPolicy.Truncated = .fail

    @Flag(help: "Leave out what has problems, and say so.")
    var skipProblems = false

    @Option(parsing: .unconditional, help: .readingJobs)
    var jobs: Int?

    @OptionGroup var strict: StrictOption

    @Flag(help: .json)
    var json = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        try Jobs.check(jobs)
        if json, output.target.isStandardOutput {
            throw ValidationError("--json and the manifest cannot both be standard output.")
        }
    }

    func run() throws {
        let format = try output.format()
        let workers = Jobs.range(jobs)
        let source = try RecordingSource.read(
            input, tables: tables, given: annotations, isWindowed: cutting.window != nil, isQuiet: quiet,
            workers: workers)
        let found = try AnnotationTables(
            annotations, of: source, format: tables.annotationsFormat,
            named: tables.annotationsNamed.map(NamePattern.init),
            options: tables.options(input.reading.unit.timeUnit), isOptional: cutting.needsNoAnnotations)
        let maker = ClipMaker(
            source, found, cut: cutting.cut, minimumConfidence: tables.minConfidence, overshoot: overshoot.overshoot,
            truncated: truncated, format: format)
        let made = try maker.clips(RecordingLengths.read(maker.recordings, workers: workers))
        if let problems = made.problems, !skipProblems {
            if json { try Console.output(json: JSONObject(entries: ["problems": problems.entries])) }
            throw problems
        }
        let account = made.account.merging(made.problems?.account ?? Account())
        try strict.report(account, isQuiet: quiet, cutting: .ofClips)
        try made.refuseNone(of: input.manifest)
        let paths = try RelocatedPaths(from: source.root, to: output.target.folder)
        try ManifestWriter(format: format, extraColumns: made.columns, jsonColumn: made.jsonColumn)
            .write(
                made.clips.map { $0.at(paths.path($0.path)) }, to: output.output, overwriting: output.overwrite,
                shown: output.target.shown)
        try output.target.report(
            clips: made.clips.count, labels: made.labelCount, account, asJSON: json, isQuiet: quiet,
            notes: made.notes.map(\.description), problems: made.problems?.entries,
            rest: ", " + Wording.count(made.recordingCount, "recording"))
    }
}
