import ArgumentParser
import ConfigurationFiles
import DatasetExtraction
import FeatureModel
import FileIO
import Platform

/// `extract --tar`.
extension ExtractCommand {
    func checkStream() throws {
        let refused: [(isGiven: Bool, String)] = [
            (append, "--append"), (sync, "--sync"), (retryFailed, "--retry-failed"),
            (!frameLabels.frameLabels.isEmpty, "--frame-labels"), (dryRun, "--dry-run"),
            (verifyInputs, "--verify-inputs"),
            (keepMissing, "--keep-missing"), (input.format != nil, "--format"), (!input.column.isEmpty, "--column"),
            (input.quoting.quoting != nil, "--quoting"), (input.root != nil, "--root"),
            (input.unit.timeUnit != nil, "--time-unit"),
        ]
        if let option = refused.first(where: \.isGiven) {
            throw ValidationError(
                "\(option.1) is not for --tar, whose clips are known only at the end of the stream. Give the tar as a file without --tar."
            )
        }
    }

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
        options.isStrict = strict.strict
        options.model = chosen.model
        let extraction = StreamExtraction(
            configuration, json: try ConfigurationText.json(configuration), name: name, options: options)
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: quiet ? .none : self.progress)
        let result = Result {
            try extraction.run(
                descriptor: file?.descriptor ?? STDIN_FILENO, progress: progress,
                cancellation: interruption.cancellation,
                planned: { plan in
                    guard !quiet else { return }
                    for warning in try chosen.warnings(of: plan) { Console.warn(warning) }
                }, announce: { if !quiet { display.note($0) } })
        }
        display.stop()
        if case .failure(let error) = result, let status = interruption.exitStatus, Self.isCancelled(error) {
            Console.note("\(error)")
            throw ExitCode(status)
        }
        let (summary, source) = try result.get()
        try report(summary, of: source, Account(), root: nil, failureList)
    }
}
