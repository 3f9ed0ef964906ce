/// What a run that goes on with an interrupted one says of it.
package struct ResumptionNotice: Hashable, Sendable, CustomStringConvertible {
    /// Clips that are done, failed ones included.
    package let done: Int
    /// Clips of the manifest.
    package let total: Int
    /// Paths of recordings that have changed, and are read again: the first few.
    package let changed: [String]
    /// How many clips are read again for that reason.
    package let changedCount: Int

    /// Clips that could not be opened, and are tried again.
    package let retried: Int

    init(_ run: InterruptedRun, total: Int) {
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
            "going on with an interrupted run: \(done) of \(total) clips are done, \(total - done) are left\(again)"
        guard changedCount > 0 else { return first }
        let more = changedCount > changed.count ? " and \(changedCount - changed.count) more" : ""
        return first
            + "\nwarning: clips whose recordings have changed since they were read are read again: "
            + changed.joined(separator: ", ") + more
    }
}
