import ArgumentParser
import ConfigurationFiles
import DatasetExtraction
import FeatureModel
import FileIO
import Platform

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
        options.isStrict = strict.strict
        options.model = chosen.model
        let extraction = StreamExtraction(
            configuration, json: try ConfigurationText.json(configuration), name: name, options: options)
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: self.progress, isQuiet: quiet)
        let (summary, source) = try interruption.run(stopping: display) {
            try extraction.run(
                descriptor: file?.descriptor ?? STDIN_FILENO, progress: progress, cancellation: $0,
                planned: { plan in
                    guard !quiet else { return }
                    for warning in try chosen.warnings(of: plan) { Console.warn(warning) }
                }, announce: { if !quiet { display.note($0) } })
        }
        try report(summary, of: source, Account(), root: nil, failureList)
    }
}
