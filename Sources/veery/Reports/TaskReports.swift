import DatasetExtraction
import FeatureModel
import Messages
import Presentation

/// The result of a task of a run, a shard or a file of a set, as text and JSON.
protocol TaskReport: Encodable {
    /// What was read from the task's recordings but not used.
    var found: Account { get }
    /// A warning to print; nil: there is none.
    var warning: String? { get }
    var text: String { get }
}

/// The result of a shard.
struct ShardReport: TaskReport {
    let summary: ShardSummary
    let account: Account
    let output: String

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "shard": "\(summary.shard)", "folder": summary.folder, "done": true, "wasDone": summary.wasDone,
            "inOutput": summary.isInOutput, "clips": summary.clips, "failures": summary.failures,
            "resumedClips": summary.resumedClips, "elapsedSeconds": summary.elapsedSeconds,
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    var found: Account { summary.account }
    var warning: String? { nil }

    var text: String {
        if summary.isInOutput { return "\(output) is there already: nothing to do for shard \(summary.shard)" }
        let count = Wording.count(summary.clips, "clip")
        if summary.wasDone { return "shard \(summary.shard) is done already: \(count) in \(summary.folder)" }
        let failed = summary.failures > 0 ? ", \(Wording.count(summary.failures)) of them failed" : ""
        return "shard \(summary.shard): \(count)\(failed), in \(summary.folder)"
    }
}

/// The result of a file of a set.
struct SetFileReport: TaskReport {
    let summary: SetFileSummary
    let account: Account

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "file": "\(summary.setFile)", "path": summary.path, "done": true, "wasDone": summary.wasDone,
            "clips": summary.clips, "failures": summary.failures, "rows": summary.rows, "bytes": summary.bytes,
            "index": summary.index, "obstacle": summary.obstacle.map { "\($0)" },
            "elapsedSeconds": summary.elapsedSeconds,
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    var found: Account { summary.account }
    var warning: String? { summary.warning }

    var text: String {
        let failed = summary.failures > 0 ? ", \(Wording.count(summary.failures)) failed" : ""
        let content = "\(Wording.count(summary.clips, "clip"))\(failed), \(Wording.bytes(summary.bytes))"
        let what = summary.wasDone ? "is there already" : "written"
        let set =
            summary.index.map { "; the set is complete: \($0)" }
            ?? summary.obstacle.map { "; the set is not complete: \($0)" } ?? ""
        return "file \(summary.setFile) \(what): \(summary.path): \(content)\(set)"
    }
}
