import ArgumentParser
import DatasetExtraction
import FeatureModel
import FeatureStorage
import Presentation

extension ExtractCommand {
    /// - Throws: `ValidationError` if an option does not go with `--files` and `--file`.
    func checkFiles() throws {
        let name = files == nil ? "--file" : "--files"
        let others = [
            ("--append", append), ("--sync", sync), ("--retry-failed", retryFailed), ("--tar", tar),
            ("--shard", shard != nil),
        ]
        if let (other, _) = others.first(where: \.1) {
            throw ValidationError("\(name) writes a new set of files: give it without \(other).")
        }
        if let files, !(1...SetMember.maximumCount).contains(files) {
            throw ValidationError("--files: expected 1 to \(SetMember.maximumCount) files, found \(files).")
        }
        guard let file else { return }
        let alone = [
            ("--dry-run", dryRun), ("--scratch", scratch != nil), ("--fresh", fresh),
            ("--failures-out", failuresOut != nil), ("--verify-inputs", verifyInputs),
        ]
        if let (other, _) = alone.first(where: \.1) {
            throw ValidationError("--file writes a file from shards that are done: give it without \(other).")
        }
        if let files, files != file.count {
            throw ValidationError("--file is one of \(file.count) files, but --files says \(files).")
        }
        _ = try file.member()
    }

    /// Writes one file of a set, and says what became of it.
    func run(
        _ member: SetMember, of extraction: Extraction, _ account: Account, _ interruption: Interruption,
        _ progress: ExtractionProgress,
        _ display: ProgressDisplay
    ) throws {
        let result = Result {
            try extraction.run(member, progress: progress, cancellation: interruption.cancellation)
        }
        display.stop()
        if case .failure(let error) = result, let status = interruption.exitStatus, Self.isCancelled(error) {
            Console.note("\(error)")
            throw ExitCode(status)
        }
        let summary = try result.get()
        if !quiet, let warning = summary.warning { Console.warn(warning) }
        if !quiet { Console.report(summary.account) }
        let report = MemberReport(summary: summary, account: account.merging(summary.account))
        if !quiet { Console.note(report.text) }
        if json { try Console.output(json: report) }
    }
}

/// What became of a file of a set, as text and JSON.
struct MemberReport: Encodable {
    let summary: MemberSummary
    let account: Account

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "file": "\(summary.member)", "path": summary.path, "done": true, "wasDone": summary.wasDone,
            "clips": summary.clips, "failures": summary.failures, "rows": summary.rows, "bytes": summary.bytes,
            "index": summary.index, "obstacle": summary.obstacle, "elapsedSeconds": summary.elapsedSeconds,
            "remarks": account.report,
        ]).encode(to: encoder)
    }

    var text: String {
        let failed = summary.failures > 0 ? ", \(Wording.count(summary.failures)) failed" : ""
        let content = "\(Wording.count(summary.clips, "clip"))\(failed), \(Wording.bytes(summary.bytes))"
        let what = summary.wasDone ? "is there already" : "written"
        let set =
            summary.index.map { "; the set is complete: \($0)" }
            ?? summary.obstacle.map { "; the set is not complete: \($0)" } ?? ""
        return "file \(summary.member) \(what): \(summary.path): \(content)\(set)"
    }
}
