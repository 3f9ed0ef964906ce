/// What a run prints when it resumes an interrupted one.
package struct ResumptionNotice: Sendable, CustomStringConvertible {
    /// What the interrupted run left.
    let run: ResumedRun
    /// Clips of the manifest.
    let total: Int

    /// The notice in one or two lines for a person.
    package var description: String {
        let again = run.retried > 0 ? " (\(run.retried) could not be opened and are tried again)" : ""
        let first =
            "\(run.isOfShardsAlone ? "taking up shards" : "resuming an interrupted run"): "
            + "\(run.done) of \(total) clips are done, \(total - run.done) are left\(again)"
        var lines = [first]
        if run.changedCount > 0 {
            let more = run.changedCount > run.changed.count ? " and \(run.changedCount - run.changed.count) more" : ""
            lines.append(
                "warning: clips whose recordings have changed since they were read are read again: "
                    + run.changed.joined(separator: ", ") + more)
        }
        if run.missing > 0 {
            lines.append("warning: \(run.missing) of them are kept as they were read: their recordings are missing")
        }
        if run.lost > 0 { lines.append("warning: the rows of \(run.lost) clips are lost: they are read again") }
        for file in run.damaged {
            lines.append("warning: \(file) is damaged: the clips after the damage are read again")
        }
        return lines.joined(separator: "\n")
    }
}
