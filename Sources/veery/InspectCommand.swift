import ArgumentParser
import FeaturePipeline
import FeatureStorage

/// `veery inspect`
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Say what is in a feature file: clips, labels, splits, durations, statistics, failures, provenance.",
        discussion: """
            With --verify every value is read: the rows of the clips have to lie one
            behind the other, rows and columns have to match their checksums, and
            every value has to be finite. The exit status is 0 if all is well, else 1.

            Examples:
              veery inspect features.h5
              veery inspect features.h5 --json | jq .durations
              veery inspect features.h5 --verify
            """)

    @Argument(help: "The feature file.", completion: .file(extensions: ["h5"]))
    var file: String

    @Flag(help: "Print everything as JSON.")
    var json = false

    @Flag(help: "Check that the file is complete and consistent.")
    var verify = false

    func run() throws {
        CrashGuard.begin(file)
        let reader = try FeatureReader(path: file)
        guard verify else {
            let summary = try DatasetSummary(of: reader)
            if json {
                try Console.output(json: summary)
            } else {
                try Console.output(SummaryReport(summary, style: Console.reportStyle).text)
            }
            return
        }
        let report = VerificationReport(file: file, clips: reader.clipCount, findings: try reader.verify())
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        guard report.sound else { throw ExitCode(1) }
    }
}
