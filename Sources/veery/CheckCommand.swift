import ArgumentParser
import AudioDecoding
import FeatureModel
import FeaturePipeline
import Foundation
import Manifests

/// `veery check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every row of a manifest and every recording's header, and report problems.",
        discussion: """
            Nothing is decoded and nothing is written. Recordings that are cut off are
            told as far as their header says how long they were. The exit status is 0 if every
            clip can be opened, 3 if some cannot, and 1 if the manifest itself is
            unreadable.

            Example:
              veery check manifest.csv
            """)

    @OptionGroup var input: ManifestArguments

    @Option(help: ArgumentHelp("Number of threads. Default: the number of processors.", valueName: "n"))
    var jobs: Int?

    @OptionGroup var cut: TruncatedOption

    @Flag(help: "Print the report as JSON.")
    var json = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs: expected 1 to 1024, found \(jobs).") }
        _ = try input.resolvedFormat()
    }

    func run() throws {
        let manifest = try Manifest.scan(path: input.manifest, format: input.resolvedFormat())
        for warning in manifest.warnings { Console.note("warning: \(warning)") }
        let survey = try ClipSurvey.take(
            manifest, root: input.resolvedRoot, audio: AudioConfiguration(sampleRate: nil),
            policy: RecordingPolicy(truncated: cut.truncated),
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
        let report = CheckReport(survey, manifest: manifest)
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        guard report.problems == 0 else { throw ExitCode(3) }
    }
}
