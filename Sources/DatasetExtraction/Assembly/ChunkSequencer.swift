import Dispatch
import FeatureStorage
import FileIO
import Synchronization

/// Hands compressed chunks to libhdf5 in the clips' order, in whichever order workers are ready.
///
/// The worker of the next clip writes at once. Another leaves its finished clip here and continues; if `maximumBytes` would be
/// exceeded, or its clip is too long to be kept, it waits for its turn. So memory is bounded by `maximumBytes` and the maximum
/// that each worker keeps, for any number and length of clips. Workers take clips in rising order, so none waits for a clip
/// that no one has.
final class ChunkSequencer: ChunkOrder {
    private struct State {
        /// The clip whose chunks are next.
        var next = 0
        var isStopped = false
        var finished: [Int: PendingChunks] = [:]
        var finishedBytes = 0
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    /// Bytes of finished clips that may wait for their turn.
    static let maximumBytes = 8 << 20

    private let state = Mutex(State())
    private let write: @Sendable (PendingChunks) throws(StorageError) -> Void

    /// - Parameter write: Writes chunks to the file; never called by two threads at once.
    init(write: @escaping @Sendable (PendingChunks) throws(StorageError) -> Void) { self.write = write }

    func write(_ chunks: PendingChunks, of clip: Int, mayWait: Bool) throws(StorageError) -> Bool {
        guard try isTurn(of: clip, mayWait: mayWait) else { return false }
        try write(chunks)
        return true
    }

    func finish(_ chunks: PendingChunks, of clip: Int) throws(StorageError) {
        let isKept = state.withLock { state in
            guard state.next != clip, state.finishedBytes + chunks.byteCount <= Self.maximumBytes else { return false }
            state.finished[clip] = chunks
            state.finishedBytes += chunks.byteCount
            return true
        }
        if isKept { return }
        guard try isTurn(of: clip, mayWait: true) else { return }
        try write(chunks)
        while let following = advance() { try write(following) }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Releases all waiting workers: the file will not be finished.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return Array(state.waiting.values)
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Advances to the next clip. Returns its chunks if it is finished already.
    private func advance() -> PendingChunks? {
        let (chunks, waiting) = state.withLock { state -> (PendingChunks?, DispatchSemaphore?) in
            state.next += 1
            if let chunks = state.finished.removeValue(forKey: state.next) {
                state.finishedBytes -= chunks.byteCount
                return (chunks, nil)
            }
            return (nil, state.waiting.removeValue(forKey: state.next))
        }
        waiting?.signal()
        return chunks
    }

    private func isTurn(of clip: Int, mayWait: Bool) throws(StorageError) -> Bool {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard state.next != clip, !state.isStopped, mayWait else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[clip] = semaphore
            return semaphore
        }
        semaphore?.wait()
        return state.withLock { !$0.isStopped && $0.next == clip }
    }
}
