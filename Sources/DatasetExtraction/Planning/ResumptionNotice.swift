/// What a run prints when it resumes an interrupted one.
package struct ResumptionNotice: Hashable, Sendable, CustomStringConvertible {
    /// Clips that are done, failed ones included.
    package let done: Int
    /// Clips of the manifest.
    package let total: Int
    /// Paths of recordings that have changed, and are read again: the first few.
    package let changed: [String]
    /// Number of clips whose recordings have changed.
    package let changedCount: Int

    /// Clips that could not be opened and are tried again.
    package let retried: Int

    /// Clips that are kept although their recordings are missing.
    package let missing: Int
    /// Clips that are read again because their rows are lost.
    package let lost: Int
    /// Files of finished clips that are damaged.
    package let damaged: [String]

    init(_ run: ResumedRun, total: Int) {
        missing = run.missing
        damaged = run.damaged
        lost = run.lost
        retried = run.retried
        done = run.done
        self.total = total
        changed = run.changed
        changedCount = run.changedCount
    }

    /// The notice in one or two lines for a person.
    package var description: String {
        let again = retried > 0 ? " (\(retried) could not be opened and are tried again)" : ""
        let first =
            "resuming an interrupted run: \(done) of \(total) clips are done, \(total - done) are left\(again)"
        var lines = [first]
        if changedCount > 0 {
            let more = changedCount > changed.count ? " and \(changedCount - changed.count) more" : ""
            lines.append(
                "warning: clips whose recordings have changed since they were read are read again: "
                    + changed.joined(separator: ", ") + more)
        }
        if missing > 0 {
            lines.append(
                "warning: \(missing) of them are kept as they were read: their recordings are missing")
        }
        if lost > 0 { lines.append("warning: the rows of \(lost) clips are lost: they are read again") }
        for file in damaged { lines.append("warning: \(file) is damaged: the clips after the damage are read again") }
        return lines.joined(separator: "\n")
    }
}
