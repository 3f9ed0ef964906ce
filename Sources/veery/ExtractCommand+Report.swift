import Archives
import ArgumentParser
import ConfigurationFiles
import DatasetExtraction
import DatasetInspection
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Messages
import Platform
import Presentation

extension ExtractCommand {
    /// Prints what a task of a run has done.
    func report(_ task: some TaskReport, cutting: CuttingAdvice) throws {
        if !quiet {
            if let warning = task.warning { Console.warn(warning) }
            Console.report(task.found, cutting: cutting)
            Console.note(task.text)
        }
        if json { try Console.output(json: task) }
    }

    /// The command that cuts the clips of this one's manifest to the length that features take.
    func cutting(_ configuration: FeatureConfiguration) -> CuttingAdvice {
        let root = input.reading.root.map { ["--root", $0] } ?? []
        return CuttingAdvice(input.manifest, options: input.reading.words + root, configuration)
    }

    /// The failures by reason, where there are more than the first. That they cannot be read is no failure of the run.
    private static func failureGroups(_ summary: ExtractionSummary) -> [(first: StoredFailure, clips: Int)] {
        guard summary.failures > summary.firstFailures.count, let reader = try? FeatureReader(path: summary.output)
        else {
            return []
        }
        return (try? FailureGrouping(of: reader))?.counts ?? []
    }

    /// Prints what a run has done, and writes the list of failures.
    ///
    /// - Parameters:
    ///   - account: What was read from the source but not used, which has been printed.
    ///   - root: Nil: the clips' paths are in no folder.
    ///   - keepsStatistics: Whether new clips are normalised by the statistics that the file had.
    /// - Throws: `ExitCode` where too many clips have failed.
    func report(
        _ summary: ExtractionSummary, of source: Manifest, _ account: Account, root: String?,
        _ failureList: FailureList?, cutting: CuttingAdvice, keepsStatistics: Bool = false
    ) throws {
        if !quiet { Console.report(summary.account, cutting: cutting) }
        let report = ExtractionReport(
            summary: summary, account: account.merging(summary.account), source: source.path,
            failureGroups: Self.failureGroups(summary), policy: recordings.policy,
            canRetry: !tar && files == nil && !append, keepsStatistics: keepsStatistics)
        let limit = maxFailures ?? .clips(0)
        let isAllowed = limit.allows(summary.failures, of: summary.clips + summary.failures)
        if !quiet {
            for warning in summary.warnings { Console.warn(warning) }
            Console.note(report.text)
        } else if !isAllowed {
            Console.note(report.failures.joined(separator: "\n"))
        }
        let root = root ?? "."
        if let failureList, try failureList.write(source, root: root, features: summary.output) > 0, !quiet {
            Console.note("wrote \(failureList.path): the clips that failed; after mending, give it to 'veery extract'")
        }
        if json { try Console.output(json: report) }
        guard isAllowed else {
            Console.note(
                "\(Wording.count(summary.failures)) of " + Wording.count(summary.clips + summary.failures, "clip")
                    + " failed, more than --max-failures \(limit) allows")
            throw ExitCode(3)
        }
    }
}

/// `extract --tar`.
extension ExtractCommand {
    func extractStream(
        _ configuration: FeatureConfiguration, _ chosen: ChosenConfiguration, statistics: ImportedStatistics?,
        _ failureList: FailureList?, cancellation interruption: Interruption
    ) throws {
        let isStandardInput = input.manifest == "-"
        let name = isStandardInput ? "standard input" : input.manifest
        let file: SharedFile?
        do throws(SystemError) {
            file = isStandardInput ? nil : try SharedFile(streamAt: input.manifest)
        } catch {
            throw FileRefusal(path: name, reason: "cannot open it: \(error)")
        }
        var options = ExtractionOptions(
            output: output, root: ".", jobs: Jobs.count(jobs), scratch: scratch, overwrite: overwrite, fresh: fresh,
            policy: recordings.policy, statistics: statistics)
        options.storesRoot = false
        options.isStrict = strict.strict
        options.model = chosen.model
        options.inputs = chosen.inputs
        options.naming = { $0.description }
        let extraction = StreamExtraction(
            configuration, json: try ConfigurationText.json(configuration), name: name, options: options)
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: self.progress, isQuiet: quiet)
        let (summary, source) = try interruption.run(stopping: display) {
            try extraction.run(
                descriptor: file?.descriptor ?? STDIN_FILENO, progress: progress, cancellation: $0,
                planned: { plan in
                    guard !quiet else { return }
                    try chosen.report(plan)
                }, announce: { if !quiet { display.note($0) } })
        }
        // A stream is no input of 'veery clips'.
        try report(
            summary, of: source, Account(), root: nil, failureList,
            cutting: CuttingAdvice(nil, configuration))
    }
}
