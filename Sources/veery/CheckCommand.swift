import ArgumentParser
import AudioDecoding
import DatasetExtraction
import DatasetInspection
import FeatureModel
import Manifests

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every row of a manifest and every recording's header, and report problems and leaks.",
        discussion: """
            Nothing is decoded and nothing is written. Truncated recordings are reported
            if their header gives their full length. Clips of different splits that
            overlap in time in one recording are leaks; without overlap, they are a
            warning. The exit status is 0 if every clip can be opened and there are no
            leaks, 3 otherwise, and 1 if the manifest itself cannot be read.

            Example:
              veery check manifest.csv
            """)

    @OptionGroup var input: ManifestArguments

    @Option(parsing: .unconditional, help: .jobs)
    var jobs: Int?

    @OptionGroup var cut: TruncatedOption

    @OptionGroup var ffmpeg: FFmpegOption

    @Flag(help: .json)
    var json = false

    func validate() throws {
        try Jobs.check(jobs)
    }

    func run() throws {
        let (manifest, root) = try input.dataset(isQuiet: json)
        for warning in manifest.warnings { Console.warn(warning) }
        let survey = try ClipSurvey.take(
            manifest, root: root, audio: AudioConfiguration(sampleRate: nil),
            policy: RecordingPolicy(truncated: cut.truncated), jobs: Jobs.count(jobs))
        let splits = try SplitLeaks.find(in: manifest, root: root)
        let report = CheckReport(survey: survey, splits: splits, manifest: manifest)
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        guard !report.hasProblems else { throw ExitCode(3) }
    }
}
