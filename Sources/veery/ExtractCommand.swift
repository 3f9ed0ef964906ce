import Archives
import ArgumentParser
import ConfigurationFiles
import DatasetExtraction
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Messages
import Presentation

struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Compute the features of every clip into one HDF5 file.",
        discussion: """
            Clips that cannot be read become rows of /failures in the file, with the
            reason, and the run continues. The file appears under its name once it is
            complete. Its bytes do not depend on --jobs. A file that is up to date (same
            configuration, manifest and samples) is left as it is.

            If a run is stopped, killed or out of disk space, its finished clips are kept
            in FEATURES.h5.spool. The same command resumes the run, and the file gets the
            same bytes.

            Examples:
              veery extract manifest.csv -o features.h5
              veery extract calls.tsv -o calls.h5 --preset scrolling-dct
              veery extract m.csv -o f.h5 --config my.yaml --set transform.bins=64
              veery extract manifest.csv -o features.h5 --dry-run
              veery extract manifest.csv -o features.h5 --sync
              curl -s https://example.org/speech.tar | veery extract --tar - -o speech.h5
            """)

    @OptionGroup var input: ManifestArguments

    @Flag(
        help: ArgumentHelp(
            "Read the dataset as a tar from start to end, such as from a pipe; '-' is standard input.",
            discussion: """
                The tar may be compressed by gzip or zstd, and several may follow one another. Only its features are kept on \
                the disk. Paths in the file are those in the tar.
                """))
    var tar = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The feature file to write: .h5, .hdf5 or no extension.", valueName: "features.h5"),
        completion: .newFeatures)
    var output: String

    @OptionGroup var settings: ConfigurationOptions

    @Option(parsing: .unconditional, help: .readingJobs)
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "How many clips may fail: a number or a share (1%). If more do, the exit status is 3. (default: 0)",
            valueName: "n|p%"))
    var maxFailures: FailureLimit?

    @Option(
        help: ArgumentHelp(
            "Compute part i of n of the manifest, on any machine that shares the folder of the output.",
            discussion: """
                The part is kept in the folder FEATURES.h5.shards. The same command without --shard computes what is missing, \
                writes the file, with the bytes that one run would have given it, and deletes the folder. With auto/n, i is \
                VEERY_SHARD_INDEX or SLURM_ARRAY_TASK_ID (from 1), or JOB_COMPLETION_INDEX + 1 (from 0, as Kubernetes counts). \
                Status 75: the machine failed, try again; 1: do not.
                """, valueName: "i/n|auto/n"),
        transform: { try TaskArgument($0, maximum: Shard.maximumCount) })
    var shard: TaskArgument?

    @Option(
        help: ArgumentHelp(
            "Write k files instead of one, such as features-00001-of-00008.h5, and the index features.index.json.",
            discussion: """
                Each is a complete feature file of clips that follow one another in the manifest, with the labels and \
                statistics of all. 'inspect', 'list', 'render', '--stats-from' and the Python package open the index as they open one \
                file.
                """, valueName: "k"))
    var files: Int?

    @Option(
        help: ArgumentHelp(
            "Write file j of k, on any machine, once all shards are done.",
            discussion: """
                With auto/k, j comes from the variables that --shard auto/n reads. The command that writes the last file also \
                writes the index, and deletes the shards.
                """, valueName: "j/k|auto/k"),
        transform: { try TaskArgument($0, maximum: SetFile.maximumCount) })
    var file: TaskArgument?

    @Flag(
        help: ArgumentHelp(
            "Use shards that machines of another kind computed, although last digits may differ.",
            discussion: """
                Without it, they are refused by name where it matters: MP3 that mpg123 decoded on another kind of processor, PCEN, \
                transforms by FFTW, or other versions of a library that was used. The file names what was mixed.
                """))
    var allowMixed = false

    @Flag(
        help: ArgumentHelp(
            "Keep the clips of an existing output, and compute only new ones.",
            discussion: """
                The manifest must contain all clips of the file in the same order, and may have new ones anywhere. If the \
                samples of a kept clip have changed, the run fails and changes nothing. A file that is normalised over its \
                dataset keeps its statistics.
                """))
    var append = false

    @Flag(
        help: ArgumentHelp(
            "Update an existing output to its manifest.",
            discussion: """
                New clips are added, removed ones dropped, and clips whose recordings have changed are computed anew; the \
                others are copied, with the manifest's labels, splits, columns and order. A file that is normalised over its \
                dataset keeps its statistics; any other has the bytes of a fresh run.
                """))
    var sync = false

    @Flag(
        help: ArgumentHelp(
            "Try the failed clips of an existing output again, and copy the others.",
            discussion: "Without --sync, no recording of another clip is read, and the manifest must be the same."))
    var retryFailed = false

    @Flag(
        help:
            "With --sync or --retry-failed: if anything has changed in a file that is normalised over its dataset, compute all clips again."
    )
    var newStatistics = false

    @OptionGroup var frameLabels: FrameLabelOptions

    @OptionGroup var recordings: RecordingPolicyOptions

    @OptionGroup var overshoot: OvershootOption

    @OptionGroup var ffmpeg: FFmpegOption

    @Flag(help: "Discard an interrupted run instead of resuming it.")
    var fresh = false

    @Flag(help: "On resuming, compare the samples of recordings, not only their size and time.")
    var verifyInputs = false

    @Flag(help: "On resuming, keep finished clips whose recordings are missing now.")
    var keepMissing = false

    @Option(
        help: ArgumentHelp(
            """
            The folder for finished clips until the file is written, and for what is unpacked of archives; with --shard, only \
            for the latter. Default: the folder of the output.
            """, valueName: "folder"),
        completion: .directory)
    var scratch: String?

    @Option(
        help: ArgumentHelp(
            "Normalise by the statistics of another file of the same features, as new data for a trained model need it.",
            valueName: "features.h5"),
        completion: .features)
    var statsFrom: String?

    @Option(
        help: ArgumentHelp(
            "Write the clips that fail, and why, as a manifest: .csv, .tsv or .jsonl. If no clip fails, no file is written.",
            valueName: "manifest"),
        completion: .manifest)
    var failuresOut: String?

    @Option(help: .progress)
    var progress: ProgressStyle?

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(
        help: ArgumentHelp(
            "Print what would be done, and write nothing. Reads the manifest and the headers of recordings.",
            discussion: """
                Also prints what an interrupted run, or a file to append to, has already, and with --sync which clips would \
                change. The exit status is 1 if the run would not start.
                """))
    var dryRun = false

    @OptionGroup var strict: StrictOption

    @Flag(help: .json)
    var json = false

    func validate() throws {
        try Jobs.check(jobs)
        try FeatureFileName.check(output)
        try ExtractOption.check(self)
        try ValidationError.check("files", files, in: 1...SetFile.maximumCount)
        if let files, let file, files != file.count {
            throw ValidationError("--file is one of \(file.count) files, but --files says \(files).")
        }
        _ = try shard?.index("--shard")
        _ = try file?.index("--file")
    }

    func run() throws {
        let failureList = try failuresOut.map { try FailureList(path: $0, overwrite: overwrite) }
        // The process may end at any time: finished clips are in the spool, and an incomplete file does not have its final name.
        let interruption = Interruption(
            patience: .milliseconds(1500), lastWords: "stopped at once; give the same command again")
        ProcessLimits.setLastWords(
            ": finished clips are kept: give the same command again, with more memory or fewer --jobs")
        let statistics = try statsFrom.map { path in
            try GivenFile.requireFeatures(path, for: " for --stats-from")
            CrashGuard.start(path.printable)
            defer { CrashGuard.stop() }
            return try ImportedStatistics(path: path)
        }
        let chosen = try chosen()
        var configuration = chosen.configuration
        if let statistics { configuration = try statistics.applied(to: configuration) }
        if tar {
            return try extractStream(
                configuration, chosen, statistics: statistics, failureList, cancellation: interruption)
        }
        let (source, root) = try input.dataset(isQuiet: quiet)
        let workers = Jobs.range(jobs)
        var account = source.account
        let annotations = try frameLabels.annotations(
            of: source, root: root, channels: configuration.audio.channels, workers: workers, isQuiet: quiet, &account)
        var options = ExtractionOptions(
            output: output, files: files ?? file?.count, root: root, jobs: workers.usual, maximumJobs: workers.maximum,
            scratch: scratch,
            overwrite: overwrite,
            fresh: fresh, verifyInputs: verifyInputs,
            keepMissing: keepMissing, update: kind.update,
            retriesFailed: retryFailed, renewsStatistics: newStatistics, policy: recordings.policy,
            statistics: statistics, frameAnnotations: annotations)
        options.allowsMixed = allowMixed
        options.isStrict = strict.strict
        options.model = chosen.model
        options.inputs = chosen.inputs
        options.naming = { $0.description }
        let extraction = try Extraction(
            configuration, json: ConfigurationText.json(configuration), source: source, options: options)
        try strict.report(account, isQuiet: quiet)
        if !quiet {
            try chosen.report(extraction.plan)
            if let disagreement = try extraction.rateDisagreement() { Console.warn("\(disagreement)") }
        }
        let task = try task
        if dryRun { return try plan(task, of: extraction, root: root, account) }

        if HDF5Signature.begins(output) {
            // If HDF5 crashes on the file, it does so before the work.
            CrashGuard.start(output.printable)
            _ = try? FeatureReader(path: output)
            CrashGuard.stop()
            // Its clips are read later, while other threads work.
            CrashGuard.start(output.printable, watchesTime: false)
        }
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: self.progress, isQuiet: quiet)
        switch task {
        case .shard(let shard):
            let summary = try interruption.run(stopping: display) {
                try extraction.run(shard, progress: progress, cancellation: $0)
            }
            try report(
                ShardReport(summary: summary, account: account.merging(summary.account), output: output),
                cutting: cutting(configuration))
        case .setFile(let setFile):
            let summary = try interruption.run(stopping: display) {
                try extraction.run(setFile, progress: progress, cancellation: $0)
            }
            try report(
                SetFileReport(summary: summary, account: account.merging(summary.account)),
                cutting: cutting(configuration))
        case .output:
            let summary = try interruption.run(stopping: display) {
                try extraction.run(
                    progress: progress, cancellation: $0, announce: { if !quiet { display.note("\($0)") } })
            }
            try report(
                summary, of: source, account, root: root, failureList, cutting: cutting(configuration),
                keepsStatistics: configuration.normalize.scope == .dataset && !newStatistics && statistics == nil)
        }
    }

    /// The configuration that is given; if none is, that of the file whose clips are kept.
    private func chosen() throws -> ChosenConfiguration {
        do {
            return try settings.chosen(
                changing: kind.keepsClips && GivenFile.haveConfiguration(output) ? output : nil,
                more: overshoot.overshoot.map { ["audio.overshoot=\($0)"] } ?? [])
        } catch let error as StorageError where settings.isDefault {
            throw UnusableOutput(error, appends: append) ?? error
        }
    }

    /// The kind of run that is asked for; with `--sync`, failed clips may be tried again, too.
    private var kind: RunKind {
        if append { return .append }
        if sync { return .sync }
        if retryFailed { return .retryFailed }
        if tar { return .stream }
        if shard != nil { return .shard }
        return file != nil ? .setFile : files != nil ? .set : .file
    }

    /// What the run is to write.
    private var task: RunTask {
        get throws {
            if let shard { return .shard(try shard.part("--shard", Shard.init(number:count:))) }
            return try file.map { .setFile(try $0.part("--file", SetFile.init(number:count:))) } ?? .output
        }
    }

    private func plan(_ task: RunTask, of extraction: Extraction, root: String, _ account: Account) throws {
        try extraction.checkOutput()
        if HDF5Signature.begins(output) { CrashGuard.start(output.printable) }
        let (runPlan, obstacle) = try extraction.dryRun(task)
        CrashGuard.stop()
        let absence = try runPlan.keptClips == 0 ? extraction.absence() : nil
        let kept = KeptRemarks(extraction, runPlan)
        let survey = try ClipSurvey.take(
            extraction.source, root: root, audio: extraction.plan.configuration.audio,
            policy: recordings.policy, plan: extraction.plan, workers: Jobs.range(jobs),
            isLeftOut: { runPlan.keeps($0) }, hasRemarks: kept.include)
        let ofRecordings = survey.account.merging(try kept.account())
        let lowerRates = survey.lowerRates(extraction.plan)
        if !quiet, let lacking = lowerRates.warning(of: "clip", extraction.plan, model: extraction.options.model) {
            Console.warn(lacking)
        }
        // The report as text has a line for these.
        try strict.report(
            json ? ofRecordings : ofRecordings.without(.recordingsTruncated), isQuiet: quiet,
            cutting: cutting(extraction.plan.configuration))
        let report = PlanReport(
            survey: survey, runPlan: runPlan, discardedClips: try runPlan.discardedClips,
            obstacle: obstacle ?? absence.map { "\($0)" },
            plan: extraction.plan, task: task, output: extraction.destination(of: task), files: files,
            writesRowsOnce: extraction.writesRowsOnce(runPlan), account: account.merging(ofRecordings))
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        if obstacle != nil || absence != nil { throw ExitCode(1) }
    }
}

/// An output whose clips and configuration were to be kept, and whose content is at fault.
private struct UnusableOutput: Error, CustomStringConvertible {
    let cause: StorageError
    let appends: Bool

    /// Nil: the content is not at fault, or not known to be.
    init?(_ cause: StorageError, appends: Bool) {
        switch cause {
        case .damaged, .notFeatures, .hdf5(_, _, _, code: nil): (self.cause, self.appends) = (cause, appends)
        default: return nil
        }
    }

    var description: String {
        "\(cause); its configuration cannot be relied on: to compute all clips again, give "
            + "--overwrite\(appends ? ", without --append," : "") and the --preset or --config that it was made with"
    }
}
