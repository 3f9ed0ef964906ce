/// What a run prints when it resumes an interrupted one.
package struct ResumptionNotice: Hashable, Sendable {
    /// Whether all of it was left by shards.
    var isOfShardsAlone = false
    /// Clips that need not be read again, and all clips of the manifest.
    var done: Int, total: Int
    /// Clips that could not be opened then, and are tried again.
    var retried = 0
    /// Paths of clips that are read again, since their recordings have changed: the first few, and how many there are.
    var changed: [String] = [], changedCount = 0
    /// Clips that are kept although their recordings are missing.
    var missing = 0
    /// Clips that are read again since their rows are gone.
    var lost = 0
    /// Damaged files of the spool.
    var damaged: [String] = []
}

extension ResumptionNotice {
    init(_ run: ResumedRun, total: Int) {
        self.init(
            isOfShardsAlone: run.isOfShardsAlone, done: run.done, total: total, retried: run.retried,
            changed: run.changed, changedCount: run.changedCount, missing: run.missing, lost: run.lost,
            damaged: run.damaged)
    }
}

extension ResumptionNotice: CustomStringConvertible {
    /// The notice in one or more lines for a person.
    package var description: String {
        let again = retried > 0 ? " (\(retried) could not be opened and are tried again)" : ""
        let first =
            "\(isOfShardsAlone ? "taking up shards" : "resuming an interrupted run"): "
            + "\(done) of \(total) clips are done, \(total - done) are left\(again)"
        var lines = [first]
        if changedCount > 0 {
            let more = changedCount > changed.count ? " and \(changedCount - changed.count) more" : ""
            lines.append(
                "warning: clips whose recordings have changed since they were read are read again: "
                    + changed.joined(separator: ", ") + more)
        }
        if missing > 0 {
            lines.append("warning: \(missing) of them are kept as they were read: their recordings are missing")
        }
        if lost > 0 { lines.append("warning: the rows of \(lost) clips are lost: they are read again") }
        for file in damaged {
            lines.append("warning: \(file) is damaged: the clips after the damage are read again")
        }
        return lines.joined(separator: "\n")
    }
}
