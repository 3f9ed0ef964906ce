import Dispatch
import Synchronization

/// Says which rows of the feature file each clip's will be, before the clips before it are done: as soon as it is known how many
/// rows each of them will have.
///
/// Clips are announced by several threads, each in rising order, all from 0 on without a gap.
final class RowAllocator: Sendable {
    private struct State {
        /// The clip up to which all are announced.
        var next = 0
        /// Rows of those.
        var rows = 0
        /// Whether all of those are known.
        var isKnown = true
        var isStopped = false
        /// Those announced behind it, and their rows.
        var ahead: [Int: Int?] = [:]
        /// The rows of those that have not asked yet.
        var places: [Int: Range<Int>] = [:]
        /// Those of `ahead` that have failed, and will not ask.
        var failed: Set<Int> = []
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: Rows that a file can have; what lies behind them has no place.
    init(most: Int = .max) { self.most = most }

    /// Says how many rows a clip will have; nil: that is not known, and nor are the places of all clips behind it. What is
    /// said of a clip again counts for nothing.
    func announce(_ clip: Int, rows: Int?) {
        let ready = state.withLock { state -> [DispatchSemaphore] in
            guard clip >= state.next, state.ahead[clip] == nil else { return [] }
            state.ahead[clip] = .some(rows)
            var ready: [DispatchSemaphore] = []
            while let rows = state.ahead.removeValue(forKey: state.next) {
                let (end, isTooMuch) = state.rows.addingReportingOverflow(rows ?? 0)
                if rows == nil || isTooMuch || end > most { state.isKnown = false }
                if state.isKnown {
                    if end > state.rows, state.failed.remove(state.next) == nil {
                        state.places[state.next] = state.rows..<end
                    }
                    state.rows = end
                }
                if let semaphore = state.waiting.removeValue(forKey: state.next) { ready.append(semaphore) }
                state.next += 1
            }
            return ready
        }
        for semaphore in ready { semaphore.signal() }
    }

    /// The rows of a clip that was announced; nil: it has no place. Waits until all clips before it are announced, which
    /// they are when they are opened: whoever asks does not announce others first.
    func place(of clip: Int) -> Range<Int>? {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard clip >= state.next, !state.isStopped else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[clip] = semaphore
            return semaphore
        }
        semaphore?.wait()
        return state.withLock { $0.places.removeValue(forKey: clip) }
    }

    /// Forgets the place of a clip that has failed, and announces it, if that was not done, as one without rows.
    func fail(_ clip: Int) {
        announce(clip, rows: 0)
        state.withLock { state in
            if clip < state.next { state.places[clip] = nil } else { state.failed.insert(clip) }
        }
    }

    /// Lets all who wait go on, without a place: others will not be announced any more.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for semaphore in waiting { semaphore.signal() }
    }
}
