import ArgumentParser
import ConfigurationFiles
import DatasetExtraction
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Presentation

/// `veery extract`
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Compute features of every clip in a manifest into one HDF5 file.",
        discussion: """
            Clips that cannot be read are rows of /failures in the file, with the
            reason, and the run goes on. The file appears under its name when it is
            complete, never before. Its bytes do not depend on --jobs. A file that
            is up to date (same configuration, manifest and samples) is left alone.

            A run that is stopped, killed, or finds the disk full has kept the clips
            that are done in FEATURES.h5.spool: give the same command again, and it
            goes on where it was, to the same bytes.

            Examples:
              veery extract manifest.csv -o features.h5
              veery extract calls.tsv -o calls.h5 --preset scrolling-dct
              veery extract m.csv -o f.h5 --config my.yaml --set transform.bins=64
              veery extract manifest.csv -o features.h5 --dry-run
            """)

    @OptionGroup var input: ManifestArguments

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The feature file to write: .h5, .hdf5 or no extension.", valueName: "features.h5"),
        completion: .file(extensions: ["h5"]))
    var output: String

    @OptionGroup var settings: ConfigurationOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of threads. Default: the number of processors.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "How many clips may fail before the exit status is 3: a number or a share such as 1%.", valueName: "n|p%"))
    var maxFailures: FailureLimit = .clips(0)

    @Flag(
        help: ArgumentHelp(
            "Keep the clips of an existing output as they are, and extract only those that it has not.",
            discussion: """
                The manifest has to have all of the file's clips, in their order, and may have new ones anywhere. Where a \
                recording of a kept clip has other samples than then, the run says so and changes nothing. A file that is \
                normalised over its dataset stays normalised by the statistics that it has.
                """))
    var append = false

    @OptionGroup var recordings: RecordingPolicyOptions

    @Flag(help: "Throw away what an interrupted run has done, instead of going on with it.")
    var fresh = false

    @Flag(help: "Going on with an interrupted run, compare the samples of recordings, not only their size and time.")
    var verifyInputs = false

    @Flag(help: "Going on with an interrupted run, keep the clips whose recordings are not there any more.")
    var keepMissing = false

    @Flag(help: "Replace an existing output, once the new one is complete.")
    var overwrite = false

    @Option(
        help: ArgumentHelp(
            "Folder for finished clips until the file is put together. Default: beside the output.", valueName: "folder"
        ),
        completion: .directory)
    var scratch: String?

    @Option(
        help: ArgumentHelp(
            "Normalise by the statistics of an older feature file, of the same features: new data for its model.",
            valueName: "features.h5"),
        completion: .file(extensions: ["h5"]))
    var statsFrom: String?

    @Option(help: "How to show progress: auto, bar, plain, json (a line of JSON now and then) or none.")
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(
        help: ArgumentHelp(
            "Read manifest and headers, say what would be done, and do nothing.",
            discussion: """
                Says too what of an interrupted run, or of a file to append to, need not be done again. The exit status is 1 \
                where the run would not begin.
                """))
    var dryRun = false

    @Flag(help: "Print the result as JSON on standard output.")
    var json = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs: expected 1 to 1024, found \(jobs).") }
        try FeatureFileName.check(output)
        if append, verifyInputs {
            throw ValidationError(
                "--verify-inputs looks at the clips of interrupted runs, not at those that --append keeps.")
        }
        _ = try input.resolvedFormat()
    }

    func run() throws {
        // Whatever is being waited for then, such as a slow disk: everything that is done is in the spool, and half a file
        // has no name that anyone would read it by.
        let interruption = Interruption(
            patience: .milliseconds(1500), lastWords: "stopped at once; give the same command again to go on")
        ProcessLimits.whereMemoryEnds(
            ": clips that are done are kept: give the same command again, with more memory or fewer --jobs")
        let statistics = try statsFrom.map { path in
            try GivenFile.requireFeatures(path, for: " for --stats-from")
            CrashGuard.begin(path.printable)
            defer { CrashGuard.end() }
            return try ImportedStatistics(path: path)
        }
        let chosen = try settings.chosen()
        var configuration = chosen.configuration
        if let statistics { configuration = try statistics.applied(to: configuration) }
        let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        let options = ExtractionOptions(
            manifest: input.manifest, format: try input.resolvedFormat(), output: output, root: input.resolvedRoot,
            jobs: jobs, scratch: scratch, overwrite: overwrite, fresh: fresh, verifyInputs: verifyInputs,
            keepMissing: keepMissing, append: append, policy: recordings.policy, statistics: statistics)
        let extraction = try Extraction(
            configuration, json: ConfigurationText.json(configuration), options: options)
        if !quiet {
            let warnings = try extraction.warnings + chosen.warnings(at: extraction.plan.sampleRate)
            for warning in warnings { Console.warn(warning) }
        }
        if dryRun { return try plan(extraction, jobs: jobs) }

        if HDF5Signature.begins(output) {
            // What cannot even be opened ends the process here, before it could in the midst of work.
            CrashGuard.begin(output.printable)
            _ = try? FeatureReader(path: output)
            CrashGuard.end()
            // Its clips are compared or copied later, beside other threads.
            CrashGuard.begin(output.printable, watchesTime: false)
        }
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: quiet ? .none : self.progress)
        let result = Result {
            try extraction.run(
                progress: progress, cancellation: interruption.cancellation,
                announce: { if !quiet { display.note("\($0)") } })
        }
        display.stop()
        if case .failure(let error) = result, let status = interruption.exitStatus, Self.isCancelled(error) {
            Console.note("\(error)")
            throw ExitCode(status)
        }
        let summary = try result.get()
        if !quiet {
            for warning in summary.warnings { Console.warn(warning) }
            Console.note(ExtractionReport(summary).text)
        }
        if json { try Console.output(json: ExtractionReport(summary)) }
        guard maxFailures.allows(summary.failures, of: summary.clips + summary.failures) else {
            if !quiet {
                Console.note(
                    "\(Wording.count(summary.failures)) of "
                        + Wording.count(summary.clips + summary.failures, "clip")
                        + " failed, more than --max-failures \(maxFailures.defaultValueDescription) allows")
            }
            throw ExitCode(3)
        }
    }

    private static func isCancelled(_ error: any Error) -> Bool {
        (error as? StoppedExtraction)?.isCancelled ?? (error as? ExtractionError == .cancelled)
    }

    private func plan(_ extraction: Extraction, jobs: Int) throws {
        try extraction.checkOutput()
        if HDF5Signature.begins(output) { CrashGuard.begin(output.printable) }
        let outlook = try extraction.outlook()
        CrashGuard.end()
        let survey = try ClipSurvey.take(
            extraction.manifest, root: input.resolvedRoot, audio: extraction.plan.configuration.audio,
            policy: recordings.policy, plan: extraction.plan, jobs: jobs, isLeftOut: { outlook.keeps($0) })
        let report = PlanReport(survey, outlook, plan: extraction.plan, output: output)
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        if outlook.obstacle != nil { throw ExitCode(1) }
    }
}
