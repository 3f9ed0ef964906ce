import Dispatch
import Synchronization

/// Says at which row of the feature file each clip's rows will begin, before the clips before it are done: as soon as it is
/// known how many rows each of them will have.
///
/// Clips are announced by several threads, each in rising order, all from 0 on without a gap.
final class RowPlaces: Sendable {
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
        /// Where those begin that have not asked yet.
        var starts: [Int: Int] = [:]
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let state = Mutex(State())

    /// Says how many rows a clip will have; nil: that is not known, and nor are the places of all clips behind it. What is
    /// said of a clip again counts for nothing.
    func announce(_ clip: Int, rows: Int?) {
        let ready = state.withLock { state -> [DispatchSemaphore] in
            guard clip >= state.next, state.ahead[clip] == nil else { return [] }
            state.ahead[clip] = .some(rows)
            var ready: [DispatchSemaphore] = []
            while let rows = state.ahead.removeValue(forKey: state.next) {
                if state.isKnown, let rows, rows > 0 { state.starts[state.next] = state.rows }
                state.rows += rows ?? 0
                if rows == nil { state.isKnown = false }
                if let semaphore = state.waiting.removeValue(forKey: state.next) { ready.append(semaphore) }
                state.next += 1
            }
            return ready
        }
        for semaphore in ready { semaphore.signal() }
    }

    /// The first row of a clip that was announced; nil: it has no place. Waits until all clips before it are announced, which
    /// they are when they are opened: whoever asks does not announce others first.
    func start(of clip: Int) -> Int? {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard clip >= state.next, !state.isStopped else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[clip] = semaphore
            return semaphore
        }
        semaphore?.wait()
        return state.withLock { $0.starts.removeValue(forKey: clip) }
    }

    /// Forgets the place of a clip that has failed, and announces it, if that was not done, as one without rows.
    func fail(_ clip: Int) {
        announce(clip, rows: 0)
        state.withLock { $0.starts[clip] = nil }
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
