import ArgumentParser
import DatasetExtraction
import FeatureModel
import FeatureStorage
import Presentation

extension ExtractCommand {
    /// - Throws: `ValidationError` if an option does not go with `--shard`.
    func checkShard() throws {
        let others = [
            ("--append", append), ("--sync", sync), ("--retry-failed", retryFailed), ("--tar", tar),
            ("--dry-run", dryRun),
        ]
        if let (name, _) = others.first(where: \.1) {
            throw ValidationError("--shard computes a part of a new file: give it without \(name).")
        }
        _ = try shard?.shard()
    }

    /// Extracts a shard, and says what became of it.
    func run(
        _ shard: Shard, of extraction: Extraction, _ account: Account, _ interruption: Interruption,
        _ progress: ExtractionProgress,
        _ display: ProgressDisplay
    ) throws {
        let result = Result {
            try extraction.run(shard, progress: progress, cancellation: interruption.cancellation)
        }
        display.stop()
        if case .failure(let error) = result, let status = interruption.exitStatus, Self.isCancelled(error) {
            Console.note("\(error)")
            throw ExitCode(status)
        }
        let summary = try result.get()
        if !quiet { Console.report(summary.account) }
        let report = ShardReport(summary: summary, account: account.merging(summary.account), output: output)
        if !quiet { Console.note(report.text) }
        if json { try Console.output(json: report) }
    }
}

/// What became of a shard, as text and JSON.
struct ShardReport: Encodable {
    let shard: String
    let folder: String
    let done: Bool
    let wasDone: Bool
    let inOutput: Bool
    let clips: Int
    let failures: Int
    let resumedClips: Int
    let elapsedSeconds: Double
    let remarks: [RemarkEntry]
    private let output: String

    private enum CodingKeys: String, CodingKey {
        case shard, folder, done, clips, failures, remarks
        case wasDone = "was_done"
        case inOutput = "in_output"
        case resumedClips = "resumed_clips"
        case elapsedSeconds = "elapsed_seconds"
    }

    init(summary: ShardSummary, account: Account, output: String) {
        (shard, folder, done) = ("\(summary.shard)", summary.folder, true)
        (wasDone, inOutput) = (summary.wasDone, summary.isInOutput)
        (clips, failures, resumedClips) = (summary.clips, summary.failures, summary.resumedClips)
        elapsedSeconds = summary.elapsedSeconds
        remarks = account.report
        self.output = output
    }

    var text: String {
        if inOutput { return "\(output) is there already: nothing to do for shard \(shard)" }
        let count = Wording.count(clips, "clip")
        if wasDone { return "shard \(shard) is done already: \(count) in \(folder)" }
        let failed = failures > 0 ? ", \(Wording.count(failures)) of them failed" : ""
        return "shard \(shard): \(count)\(failed), in \(folder)"
    }
}
