import Dispatch
import Synchronization

/// Reserves rows of the feature file for clips before the clips before them are done: as soon as the number of rows of each of
/// those is known.
///
/// Clips are announced by several threads, each in rising order, all from 0 on without a gap.
final class RowAllocator: Sendable {
    private struct State {
        /// The clip up to which all are announced.
        var next = 0
        /// Rows of those.
        var rows = 0
        /// Whether the numbers of rows of all of those are known.
        var isKnown = true
        var isStopped = false
        /// Clips announced after `next`, and their rows.
        var ahead: [Int: Int?] = [:]
        /// The rows reserved for clips that have not taken them yet.
        var reserved: [Int: Range<Int>] = [:]
        /// Clips of `ahead` that have failed, and will not take rows.
        var failed: Set<Int> = []
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let state = Mutex(State())
    private let maximumRows: Int

    /// - Parameter maximumRows: No rows are reserved beyond these.
    init(maximumRows: Int = .max) { self.maximumRows = maximumRows }

    /// Announces how many rows a clip will have; nil: that is not known, so no rows are reserved for it and all clips after it. A
    /// second announcement of a clip is ignored.
    func announce(_ clip: Int, rows: Int?) {
        let ready = state.withLock { state -> [DispatchSemaphore] in
            guard clip >= state.next, state.ahead[clip] == nil else { return [] }
            state.ahead[clip] = .some(rows)
            var ready: [DispatchSemaphore] = []
            while let rows = state.ahead.removeValue(forKey: state.next) {
                let (end, isTooMuch) = state.rows.addingReportingOverflow(rows ?? 0)
                if rows == nil || isTooMuch || end > maximumRows { state.isKnown = false }
                if state.isKnown {
                    if end > state.rows, state.failed.remove(state.next) == nil {
                        state.reserved[state.next] = state.rows..<end
                    }
                    state.rows = end
                }
                if let semaphore = state.waiting.removeValue(forKey: state.next) { ready.append(semaphore) }
                state.next += 1
            }
            if !state.isKnown {
                // No later clip will have rows, so none has to wait.
                ready += state.waiting.values
                state.waiting = [:]
            }
            return ready
        }
        for semaphore in ready { semaphore.signal() }
    }

    /// Whether a clip was announced.
    func isAnnounced(_ clip: Int) -> Bool { state.withLock { clip < $0.next || $0.ahead[clip] != nil } }

    /// Takes the rows reserved for a clip that was announced; nil: none are. Waits until all clips before it are announced,
    /// which happens when they are opened, or until the rows of one of them turn out to be unknown. A thread that takes rows must
    /// not leave a clip for itself that comes before them.
    func take(_ clip: Int) -> Range<Int>? {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard clip >= state.next, state.isKnown, !state.isStopped else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[clip] = semaphore
            return semaphore
        }
        semaphore?.wait()
        return state.withLock { $0.reserved.removeValue(forKey: clip) }
    }

    /// Releases the rows of a clip that has failed, and announces it as one without rows if it was not announced.
    func fail(_ clip: Int) {
        announce(clip, rows: 0)
        state.withLock { state in
            if clip < state.next { state.reserved[clip] = nil } else { state.failed.insert(clip) }
        }
    }

    /// Lets all waiting threads continue without rows: no more clips will be announced.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for semaphore in waiting { semaphore.signal() }
    }
}
